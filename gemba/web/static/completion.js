// `$skill` in an answer: names are offered while one is typed, and what they come to is said.

import { get, post } from "./api.js";
import { h } from "./dom.js";
import { shown } from "./text.js";

// The word that is being typed, from its `$` up to the cursor.
const WORD = /(?:^|[\s(])\$([\p{L}\p{N}._:-]*)$/u;
const MOST = 8;
const PAUSE = 300;

let skills = null;

/** Offers below a text area; `element` holds them. */
export class Completion {
  constructor(box) {
    this.box = box;
    this.offered = [];
    this.chosen = 0;
    const id = `${box.id}-skills`;
    this.list = h("ul", { id, role: "listbox", "aria-label": "Skills", class: "offers", hidden: true });
    this.said = h("div", { class: "said", role: "status" });
    this.element = h("div", { class: "completion" }, this.list, this.said);
    box.setAttribute("aria-autocomplete", "list");
    box.setAttribute("aria-controls", id);
    box.addEventListener("input", () => this.typed());
    box.addEventListener("click", () => this.offer());
    box.addEventListener("blur", () => this.close());
    box.addEventListener("keydown", (event) => this.key(event));
  }

  typed() {
    this.offer();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.diagnose(), PAUSE);
  }

  async offer() {
    const word = this.word();
    if (word === null) return this.close();
    skills ??= get("/api/skills").catch(() => ((skills = null), []));
    const all = await skills;
    // While we waited, more may have been typed.
    if (this.word() !== word) return undefined;
    const starts = all.filter((one) => one.name.startsWith(word));
    const holds = all.filter((one) => !starts.includes(one) && one.name.includes(word));
    this.offered = [...starts, ...holds].slice(0, MOST);
    this.chosen = 0;
    return this.show();
  }

  word() {
    const before = this.box.value.slice(0, this.box.selectionStart);
    return WORD.exec(before)?.[1] ?? null;
  }

  show() {
    this.list.hidden = !this.offered.length;
    this.list.replaceChildren(...this.offered.map((one, place) => h("li", {
      role: "option", id: `${this.list.id}-${place}`, "aria-selected": String(place === this.chosen),
      // Before the box loses the focus, which would close the list.
      onmousedown: (event) => { event.preventDefault(); this.take(place); },
    }, h("b", {}, `$${one.name}`), " ", shown(one.description))));
    if (this.list.hidden) this.box.removeAttribute("aria-activedescendant");
    else this.box.setAttribute("aria-activedescendant", `${this.list.id}-${this.chosen}`);
  }

  close() {
    this.offered = [];
    this.show();
  }

  key(event) {
    if (this.list.hidden || event.ctrlKey || event.metaKey) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const count = this.offered.length;
    if (step) {
      this.chosen = (this.chosen + step + count) % count;
      this.show();
    } else if (event.key === "Enter" || event.key === "Tab") this.take(this.chosen);
    else if (event.key === "Escape") this.close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  take(place) {
    const { box } = this;
    const from = box.selectionStart - this.word().length;
    box.setRangeText(`${this.offered[place].name} `, from, box.selectionStart, "end");
    box.dispatchEvent(new Event("input", { bubbles: true }));
  }

  async diagnose() {
    const text = this.box.value;
    const said = text.includes("$")
      ? await post("/api/expand", { text }).then((found) => found.said, () => []) : [];
    if (this.box.value === text) this.said.replaceChildren(...said.map((line) => h("p", {}, shown(line))));
  }
}
