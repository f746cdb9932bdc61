// What is open, live.

import { Bulk } from "./bulk.js";
import { h } from "./dom.js";
import { Filters } from "./filters.js";
import { Rows, sameAs } from "./rows.js";

export class Inbox {
  constructor(store, decide) {
    this.store = store;
    this.selection = new Set();
    this.filters = new Filters("inbox", ["urgency", "kind", "role", "session"],
      () => [...new Set(store.open.map((item) => item.session_id))].sort());
    this.rows = new Rows("inbox", this.selection, () => this.update(this.current));
    this.bulk = new Bulk(() => this.chosen(), decide, () => this.clear());
    this.empty = h("p", { class: "empty" });
    this.more = h("p", { class: "notice", hidden: true },
      "There are more than these; only the first thousand are shown.");
    this.element = h("div", { class: "list" }, this.filters.element, this.empty, this.rows.element,
      this.more, this.bulk.bar);
  }

  /** Show what is open, and the current one even if it was settled while it was looked at. */
  update(current) {
    this.current = current;
    this.filters.update();
    const open = this.store.open;
    for (const id of this.selection) {
      if (this.store.escalations.get(id)?.state !== "open") this.selection.delete(id);
    }
    const items = open.filter((item) => this.filters.passes(item));
    const looked = this.store.escalations.get(current);
    const place = this.rows.ids.indexOf(current);
    if (looked && looked.state !== "open" && place >= 0) items.splice(place, 0, looked);
    this.rows.update(items, current);
    this.more.hidden = !this.store.hasMore;
    this.empty.hidden = items.length > 0;
    this.empty.textContent = this.words(open.length);
    this.bulk.update();
  }

  /** The other open ones that ask the same as this one. */
  same(item) {
    const text = sameAs(item);
    return this.store.open.filter((one) => one.id !== item.id && sameAs(one) === text);
  }

  toggle(id) {
    if (!this.selection.delete(id) && this.store.escalations.get(id)?.state === "open") {
      this.selection.add(id);
    }
    this.update(this.current);
  }

  clear() {
    this.selection.clear();
    this.update(this.current);
  }

  chosen() {
    return this.store.open.filter((item) => this.selection.has(item.id));
  }

  words(open) {
    if (!this.store.isLoaded) return "Loading…";
    if (open) return `Nothing matches; ${open} ${open === 1 ? "is" : "are"} open.`;
    return "Nothing is open. Your agents need nothing from you.";
  }
}
