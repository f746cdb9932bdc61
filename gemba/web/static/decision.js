// Decisions on their way to the server. Nothing is sent without a connection, nothing is queued.

import { Problem, at, post } from "./api.js";

/** Sends decisions; the same one again, after no answer came, is the same for the server. */
export class Decisions {
  constructor(store) {
    this.store = store;
    this.nonces = new Map();
  }

  /** Settle one escalation. `decision` is {kind, value?, note?, always?}. Throws Problem. */
  async settle(id, decision) {
    const { escalation } = await this.send(at("escalations", id, "respond"), decision);
    this.store.put(escalation);
    return escalation;
  }

  /** Settle all of them, or none. Throws Problem. */
  async settleAll(items, decision) {
    const ids = items.map((item) => item.id);
    const { escalations } = await this.send("/api/escalations/respond", { ids, ...decision });
    escalations.forEach((one) => this.store.put(one));
  }

  /** `reopen`, `redeliver`, `claim` or `release` one. Throws Problem. */
  async act(id, name, more = {}) {
    const { escalation } = await this.send(at("escalations", id, name), more);
    this.store.put(escalation);
  }

  async send(path, body) {
    if (this.store.connection !== "live") {
      throw new Problem(0, { message: "Not sent: there is no connection to the server." });
    }
    const key = path + JSON.stringify(body);
    const nonce = this.nonces.get(key) ?? random();
    this.nonces.set(key, nonce);
    try {
      const done = await post(path, { ...body, nonce });
      this.nonces.delete(key);
      return done;
    } catch (problem) {
      if (problem.status) this.nonces.delete(key);
      if (problem.detail.escalation) this.store.put(problem.detail.escalation);
      throw problem.status ? problem : new Problem(0, {
        message: "No answer from the server: it may have arrived or not. The item will tell; "
          + "sending the same again counts once.",
      });
    }
  }
}

/** 128 random bits. Not randomUUID, which plain HTTP to another machine does not have. */
function random() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
