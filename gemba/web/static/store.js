// What is known of escalations and sessions. Tells its listeners after every change.

import { at, get } from "./api.js";

const PAGE = 200;
// More than that is not for a person; the page says that there is more.
const MOST = 1000;

export class Store {
  constructor(changed) {
    this.changed = changed;
    this.escalations = new Map();
    this.sessions = new Map();
    this.connection = "connecting";
    this.degraded = null;
    this.hasMore = false;
    this.isLoaded = false;
  }

  /** Fetch everything anew. What events tell meanwhile is newer than what is fetched. */
  async reload() {
    const late = (this.late = { escalations: new Map(), sessions: new Map() });
    const [open, sessions] = await Promise.all([openOnes(), get("/api/sessions")]);
    if (this.late !== late) return;
    this.late = null;
    this.hasMore = open.hasMore;
    this.escalations = byId([...open.items, ...late.escalations.values()], "id");
    const all = [...sessions, ...late.sessions.values()];
    this.sessions = byId(all, "session_id");
    this.isLoaded = true;
    this.changed();
  }

  /** This escalation is so now. */
  put(escalation) {
    this.escalations.set(escalation.id, escalation);
    this.late?.escalations.set(escalation.id, escalation);
    this.changed();
  }

  /** These were so when they were fetched; what is known of them already is newer. */
  learn(escalations) {
    for (const one of escalations) {
      if (!this.escalations.has(one.id)) this.escalations.set(one.id, one);
    }
  }

  /** This session is so now. */
  putSession(session) {
    this.sessions.set(session.session_id, session);
    this.late?.sessions.set(session.session_id, session);
    this.changed();
  }

  /** The connection is live, lost or refused. */
  setConnection(state) {
    if (state === this.connection) return;
    this.connection = state;
    this.changed();
  }

  /** What the orchestration adaptor says is wrong with it; null where nothing is. */
  setDegraded(words) {
    if (words === this.degraded) return;
    this.degraded = words;
    this.changed();
  }

  /** Let the escalation of that id be known. Throws Problem. */
  async fetch(id) {
    if (!this.escalations.has(id)) {
      this.learn([await get(at("escalations", id))]);
      this.changed();
    }
  }

  /** The open ones: blocking first, then the oldest first. */
  get open() {
    const found = [...this.escalations.values()].filter((item) => item.state === "open");
    return found.sort((a, b) => rank(a) - rank(b) || order(a.created_at, b.created_at));
  }
}

const rank = (item) => (item.urgency === "blocking" ? 0 : 1);
const order = (a, b) => ((a ?? "") < (b ?? "") ? -1 : Number((a ?? "") > (b ?? "")));
const byId = (items, key) => new Map(items.map((item) => [item[key], item]));

async function openOnes() {
  const items = [];
  let cursor = "";
  do {
    const page = await get("/api/escalations", { state: "open", limit: PAGE, cursor });
    items.push(...page.items);
    cursor = page.next_cursor;
  } while (cursor && items.length < MOST);
  return { items, hasMore: Boolean(cursor) };
}
