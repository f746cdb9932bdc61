// A look into the pane of a session, again and again while it is open.

import { at, get } from "./api.js";
import { h } from "./dom.js";
import { shown } from "./text.js";

// Milliseconds between two looks.
const PAUSE = 3000;

export class Peek {
  constructor(session, { open = false } = {}) {
    this.session = session;
    this.screen = h("pre", { class: "screen", tabindex: "0", "aria-label": "The pane" });
    this.element = h("details", { class: "peek", open, ontoggle: () => this.look() },
      h("summary", {}, "Look into the pane ", h("kbd", { "aria-hidden": "true" }, "p")), this.screen);
  }

  toggle() {
    this.element.open = !this.element.open;
  }

  /** No more looks. */
  close() {
    clearTimeout(this.timer);
    this.isClosed = true;
  }

  async look() {
    clearTimeout(this.timer);
    if (this.isClosed || !this.element.open) return;
    if (!document.hidden) this.show(await get(at("sessions", this.session, "peek")).catch(nothing));
    clearTimeout(this.timer);
    if (!this.isClosed) this.timer = setTimeout(() => this.look(), PAUSE);
  }

  show(seen) {
    const text = seen.text ?? `Nothing to see: ${seen.why}`;
    if (text === this.text) return;
    this.text = text;
    const { scrollHeight, scrollTop, clientHeight } = this.screen;
    this.screen.replaceChildren(...shown(text));
    // The newest lines are the last ones: there, unless a person has scrolled away from them.
    if (scrollHeight - scrollTop - clientHeight < 2) this.screen.scrollTop = this.screen.scrollHeight;
  }
}

const nothing = (problem) => ({ text: null, why: problem.message });
