// What happens, as it happens: the server's events, and whether we still hear them.

import { get } from "./api.js";

// Milliseconds. The server says something every 15 s; a machine that slept does not notice by itself.
const SILENCE = 40_000;
const AGAIN = 2_000;
// A refusal ends with a new link, and wrong tokens from one address are counted together.
const AFTER_REFUSAL = 15_000;

/**
 * Calls `on.escalation({event, escalation})`, `on.session(session)`, `on.orchestration(event)`,
 * `on.reset()` where everything is to be fetched anew, and `on.state(state)`: live, lost, or refused (the token is not valid).
 */
export class Stream {
  constructor(on) {
    this.on = on;
    this.open();
  }

  open() {
    clearTimeout(this.timer);
    this.source?.close();
    this.source = new EventSource("/api/events");
    this.source.addEventListener("open", () => this.heard());
    this.source.addEventListener("error", () => this.failed());
    this.source.addEventListener("ping", () => this.heard());
    for (const name of ["escalation", "session", "orchestration", "reset"]) {
      this.source.addEventListener(name, (event) => {
        this.heard();
        this.on[name](JSON.parse(event.data));
      });
    }
  }

  heard() {
    this.isRefused = false;
    this.on.state("live");
    this.wait(SILENCE);
  }

  /** Where the server is gone the browser tries again by itself, except after a refusal. */
  async failed() {
    if (!this.isRefused) this.on.state("lost");
    this.wait(AGAIN);
    this.isRefused = await get("/api/health").then(() => false, (problem) => problem.status === 401);
    if (!this.isRefused) return;
    this.on.state("refused");
    this.wait(AFTER_REFUSAL);
  }

  wait(milliseconds) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.tryAgain(), milliseconds);
  }

  tryAgain() {
    if (!this.isRefused) this.on.state("lost");
    if (this.source.readyState === EventSource.CONNECTING) this.wait(AGAIN);
    else this.open();
  }
}
