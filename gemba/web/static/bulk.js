// Several escalations decided at once, after one more look at what they are.

import { button, h } from "./dom.js";
import { foreign } from "./text.js";
import { isApproval } from "./words.js";

const VERBS = { modify: "Answer", approve: "Approve", deny: "Deny", defer: "Defer" };

/** The bar below a list while something is chosen, and the dialog that asks once more. */
export class Bulk {
  /** `chosen()` gives the items; `decide(items, decision)` resolves to whether all are settled. */
  constructor(chosen, decide, clear) {
    this.chosen = chosen;
    this.decide = decide;
    this.count = h("b");
    this.dialog = h("dialog", { "aria-labelledby": "bulk-title" });
    const buttons = Object.entries(VERBS).map(([kind, verb]) => button(`${verb}…`, () => this.ask(kind)));
    this.bar = h("div", { class: "bulk", role: "group", "aria-label": "Chosen", hidden: true },
      this.count, buttons, button("Clear", clear, { class: "quiet" }));
    document.body.append(this.dialog);
  }

  /** Show how many are chosen. */
  update() {
    const count = this.chosen().length;
    this.bar.hidden = !count;
    this.count.textContent = `${count} chosen`;
  }

  /** Ask once more, with what is chosen at this moment. */
  ask(kind) {
    const items = this.chosen();
    if (!items.length || this.dialog.open) return;
    const approvals = items.length > 1 ? items.filter(isApproval).length : 0;
    const isRefused = approvals > 0 && (kind === "approve" || kind === "modify");
    const title = `${VERBS[kind]} ${items.length} ${items.length === 1 ? "item" : "items"}`;
    this.dialog.replaceChildren(
      h("h2", { id: "bulk-title" }, title),
      isRefused ? refusal(approvals) : this.form(kind, items, title),
      h("ol", { class: "chosen-items", tabindex: "0" }, items.map((item) => h("li", {},
        foreign("span", item.title), " ", foreign("small", item.session_id)))),
      isRefused ? button("Back", () => this.dialog.close()) : "",
    );
    this.dialog.showModal();
  }

  form(kind, items, title) {
    const label = kind === "modify" ? "Your answer to all of them" : "A note, if you like";
    const box = h("textarea", { rows: "3", "aria-label": label, placeholder: label, dir: "auto" });
    const error = h("p", { class: "trouble", role: "alert" });
    const send = h("button", { type: "submit", class: "primary" }, title);
    const form = h("form", {
      onsubmit: async (event) => {
        event.preventDefault();
        const text = box.value.trim() ? box.value : null;
        if (kind === "modify" && !text) return box.focus();
        send.disabled = true;
        const words = kind === "modify" ? { value: text } : text ? { note: text } : {};
        const problem = await this.decide(items, { kind, ...words });
        send.disabled = false;
        error.textContent = problem ?? "";
        if (!problem) this.dialog.close();
        return undefined;
      },
    }, kind !== "defer" && box, error,
    h("div", { class: "buttons" }, send, button("Back", () => this.dialog.close(), { class: "quiet" })));
    return form;
  }
}

const refusal = (count) => h("p", { class: "notice" },
  count === 1 ? "One of them is a permission or an approval. " : `${count} of them are permissions or approvals. `,
  "Such a one is decided by itself, after a look at what it allows. Take it out of your choice.");
