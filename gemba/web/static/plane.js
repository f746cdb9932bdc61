// The orchestration plane: how it is, and what it is asked to do with the sessions that it runs.

import { get } from "./api.js";

export class Plane {
  constructor(store, decisions) {
    this.store = store;
    this.decisions = decisions;
  }

  /** How it is now; a plane that does not answer changes nothing. */
  async reload() {
    const told = await get("/api/orchestration").catch(() => null);
    if (told) this.store.setDegraded(told.degraded);
  }

  /** `pause`, `resume` or `end` that session. Throws Problem. */
  async run(session, name) {
    const more = name === "end" ? { mode: "canceled" } : {};
    try {
      await this.decisions.send(`/api/orchestration/${name}_session`, { session_id: session, ...more });
    } finally {
      this.reload();
    }
  }
}
