// The right side of the page: one escalation or one session.

import { h } from "./dom.js";
import { href } from "./route.js";

const NOTHING = "Choose one from the list: j and k go through it, ? shows all keys.";

export class Detail {
  constructor() {
    this.element = document.getElementById("detail");
    this.page = null;
  }

  /** Show that thing on the page that `make` makes; the page stays while the id does. */
  show(id, thing, make, ...more) {
    if (id !== this.id) this.close();
    if (!this.page) {
      this.id = id;
      this.page = make(thing);
      const back = h("a", { class: "back", href: href(document.body.dataset.view) }, "‹ Back");
      this.element.replaceChildren(back, this.page.element);
      this.element.scrollTop = 0;
    }
    this.page.update(thing, ...more);
  }

  /** Show nothing but these words. */
  say(text = NOTHING) {
    this.close();
    if (this.element.textContent !== text) this.element.replaceChildren(h("p", { class: "empty" }, text));
  }

  close() {
    this.page?.close();
    this.page = null;
    this.id = null;
  }
}
