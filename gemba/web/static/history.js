// What was asked before, newest first; a page at a time.

import { get } from "./api.js";
import { button, h } from "./dom.js";
import { Filters } from "./filters.js";
import { Rows } from "./rows.js";

const PAGE = 50;

export class History {
  constructor(store) {
    this.store = store;
    this.items = [];
    this.filters = new Filters("history", ["state", "urgency", "kind", "role", "session"],
      () => [...store.sessions.keys()].sort());
    this.rows = new Rows("history", null, null);
    this.note = h("p", { class: "empty" });
    this.more = button("Show more", () => this.load(this.cursor), { class: "more", hidden: true });
    this.element = h("div", { class: "list" }, this.filters.element, this.note, this.rows.element, this.more);
  }

  update(current) {
    this.current = current;
    this.filters.update();
    const asked = JSON.stringify(this.filters.chosen);
    if (asked !== this.asked) this.load();
    this.show();
  }

  /** What is shown may be old: fetch it anew when it is looked at next. */
  expire() {
    this.asked = null;
  }

  async load(cursor = "") {
    const { chosen } = this.filters;
    const asked = (this.asked = JSON.stringify(chosen));
    const query = { ...chosen, state: chosen.state || "all", order: "newest", limit: PAGE, cursor };
    const page = await get("/api/escalations", query).catch((problem) => problem);
    if (asked !== this.asked) return;
    this.problem = page instanceof Error ? page.message : null;
    if (this.problem) return this.show();
    this.store.learn(page.items);
    const ids = page.items.map((item) => item.id);
    this.items = cursor ? [...this.items, ...ids] : ids;
    this.cursor = page.next_cursor;
    this.isLoaded = true;
    this.show();
  }

  show() {
    const items = this.items.map((id) => this.store.escalations.get(id)).filter(Boolean);
    this.rows.update(items, this.current);
    this.more.hidden = !this.cursor;
    this.note.hidden = items.length > 0 && !this.problem;
    this.note.textContent = this.problem ?? (this.isLoaded ? "Nothing matches." : "Loading…");
  }
}
