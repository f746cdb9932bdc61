// The answer to one escalation: its options, a box for words, and the buttons.

import { Completion } from "./completion.js";
import { button, h } from "./dom.js";
import { plain, shown } from "./text.js";
import { isPermission } from "./words.js";

/**
 * What is typed stays in `drafts` (id to text) until it was sent. `decide(decision)` resolves to
 * whether it is settled; a decision without an answer leaves everything as it is.
 */
export class Answer {
  constructor(item, drafts, decide) {
    this.item = item;
    this.drafts = drafts;
    this.decide = decide;
    this.takesWords = item.takes.includes("modify");
    this.box = h("textarea", {
      id: "answer", rows: "3", dir: "auto",
      value: drafts.get(item.id) ?? "",
      oninput: () => this.keep(), onkeydown: (event) => this.key(event),
    });
    this.completion = new Completion(this.box);
    this.element = h("form", { class: "answer", onsubmit: (event) => event.preventDefault() },
      this.options(),
      h("label", { for: "answer" }, this.label(), h("kbd", { "aria-hidden": "true" }, "r")),
      this.box, this.completion.element,
      h("div", { class: "buttons" }, this.buttons()));
    this.keep();
  }

  get text() {
    return this.box.value.trim();
  }

  /** Answer in words: what stands in the box. */
  send() {
    if (!this.takesWords) return;
    if (this.text) this.settle({ kind: "modify", value: this.box.value });
    else this.box.focus();
  }

  /** approve, deny, defer or cancel; what stands in the box goes with it. */
  settle(decision) {
    const note = decision.kind !== "modify" && this.text ? { note: this.box.value } : {};
    this.run({ ...decision, ...note });
  }

  /** The option of that number, from 1. */
  choose(number) {
    const option = this.item.options[number - 1];
    if (option) this.run({ kind: "modify", value: option.value });
  }

  async run(decision) {
    if (this.isBusy) return;
    this.setBusy(true);
    const isSettled = await this.decide(decision);
    if (isSettled) this.drafts.delete(this.item.id);
    this.setBusy(false);
  }

  setBusy(isBusy) {
    this.isBusy = isBusy;
    this.element.toggleAttribute("aria-busy", isBusy);
    for (const one of this.element.querySelectorAll("button")) one.disabled = isBusy;
    if (!isBusy) this.keep();
  }

  options() {
    if (!this.item.options.length) return null;
    return h("div", { class: "options", role: "group", "aria-label": "Options" },
      this.item.options.map((option, place) => button(
        [place < 9 && h("kbd", { "aria-hidden": "true" }, place + 1), h("span", { dir: "auto" }, shown(option.label))],
        () => this.choose(place + 1),
        { title: plain(option.value), class: "option" },
      )));
  }

  label() {
    if (!this.takesWords) return "A reason for a denial";
    return isPermission(this.item) ? "A reason for a denial, or another command" : "Your answer";
  }

  buttons() {
    const one = (label, key, kind, name, more = {}) => button(
      [label, key && h("kbd", { "aria-hidden": "true" }, key)],
      () => this.settle({ kind, ...more }), { class: name },
    );
    const label = isPermission(this.item) ? "Run this instead" : "Answer";
    const key = h("kbd", { "aria-hidden": "true" }, "Ctrl ⏎");
    this.sender = button([label, key], () => this.send(), { class: "primary" });
    return [
      this.takesWords && this.sender,
      one("Approve", "a", "approve", "approve"),
      this.item.takes.includes("always") && one("Approve always", "", "approve", "", { always: true }),
      one("Deny", "d", "deny", "deny"),
      one("Defer", "", "defer", "quiet"),
      one("Cancel", "", "cancel", "quiet"),
    ];
  }

  keep() {
    this.sender.disabled = !this.text;
    if (this.box.value) this.drafts.set(this.item.id, this.box.value);
    else this.drafts.delete(this.item.id);
  }

  key(event) {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      this.send();
    } else if (event.key === "Escape") this.box.blur();
  }
}
