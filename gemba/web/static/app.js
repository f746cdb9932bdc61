// The page: what comes from the server, which view is shown, and what a person is told.

import { get } from "./api.js";
import { Attention } from "./attention.js";
import { commands } from "./commands.js";
import { Decisions } from "./decision.js";
import { Detail } from "./detail.js";
import { h } from "./dom.js";
import { History } from "./history.js";
import { Inbox } from "./inbox.js";
import { Item } from "./item.js";
import { Keys } from "./keys.js";
import { Plane } from "./plane.js";
import { refreshMoments } from "./moment.js";
import { go, href, route } from "./route.js";
import { SessionPage, Sessions } from "./sessions.js";
import { Stats } from "./stats.js";
import { Store } from "./store.js";
import { Stream } from "./stream.js";
import { plain } from "./text.js";
import { deliveryOf, stateOf } from "./words.js";

const BANNERS = {
  lost: "The connection to the server is lost. What you see may be old. Nothing is sent, and nothing is "
    + "kept to be sent later; what you type stays. Trying again…",
  refused: "The server was started anew and does not know this page: open the link that gemba serve "
    + "printed. What you have typed stays here until you leave.",
};
// Milliseconds.
const AGAIN = 2000;
const TOAST = 8000;
const MOMENTS = 5000;

class App {
  constructor() {
    this.drafts = new Map();
    this.store = new Store(() => this.later());
    this.decisions = new Decisions(this.store);
    this.inbox = new Inbox(this.store, (items, decision) =>
      problemOf(this.decisions.settleAll(items, decision)));
    this.history = new History(this.store);
    this.stats = new Stats();
    this.lists = {
      inbox: this.inbox, history: this.history, sessions: new Sessions(this.store), stats: this.stats,
    };
    this.detail = new Detail();
    this.attention = new Attention((id) => go(href("inbox", id)), (text) => this.say(text));
    this.keys = new Keys(commands(this));
    window.addEventListener("hashchange", () => this.update());
    setInterval(refreshMoments, MOMENTS);
    this.update();
    this.plane = new Plane(this.store, this.decisions);
    this.stream = new Stream({
      escalation: (told) => this.told(told),
      session: (session) => this.store.putSession(session),
      orchestration: (event) => this.happened(event),
      reset: () => this.reload(),
      state: (state) => this.store.setConnection(state),
    });
  }

  /** The page of the escalation that is shown, if one is. */
  get item() {
    return this.detail.page instanceof Item ? this.detail.page : null;
  }

  async reload() {
    this.history.expire();
    this.stats.expire();
    this.plane.reload();
    get("/api/health").then(showOperator, () => {});
    if (await problemOf(this.store.reload())) setTimeout(() => this.reload(), AGAIN);
  }

  /** An event of the orchestration plane. */
  happened({ kind, payload }) {
    this.plane.reload();
    if (kind !== "potential_conflict") return;
    this.say(`Two agents change the same file, ${payload.path}: ${payload.session_ids.join(", ")}`);
  }

  told({ event, escalation }) {
    if (event === "opened" || event === "settled") {
      this.history.expire();
      this.stats.expire();
    }
    if (event === "opened") this.attention.opened(escalation);
    if (event === "opened" || this.item?.item.id === escalation.id) announce(event, escalation);
    this.store.put(escalation);
  }

  // What a person decides: each resolves to whether it was done; if not, they were told.

  settle(item, decision) {
    return this.done(this.decisions.settle(item.id, decision));
  }

  settleAll(items, decision) {
    return this.done(this.decisions.settleAll(items, decision));
  }

  act(item, name, more) {
    return this.done(this.decisions.act(item.id, name, more));
  }

  /** `pause`, `resume` or `end` a session. */
  run(session, name) {
    return this.done(this.plane.run(session, name));
  }

  async done(action) {
    const problem = await problemOf(action);
    if (problem) this.say(problem);
    return !problem;
  }

  /** Tell a person something for a while. */
  say(text) {
    const toast = h("p", { class: "toast", role: "alert" }, plain(text));
    document.body.append(toast);
    setTimeout(() => toast.remove(), TOAST);
  }

  /** Show it soon: many changes that come together are shown once. */
  later() {
    this.timer ??= setTimeout(() => {
      this.timer = null;
      this.update();
    });
  }

  update() {
    const { view, id } = route();
    const list = this.lists[view] ?? this.inbox;
    const master = document.getElementById("master");
    if (master.firstChild !== list.element) master.replaceChildren(list.element);
    document.body.dataset.view = view;
    document.body.classList.toggle("has-detail", Boolean(id));
    for (const link of document.querySelectorAll("nav a")) {
      if (link.dataset.view === view) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    list.update(id);
    if (!id) this.detail.say();
    else if (view === "sessions") this.showSession(id);
    else this.showItem(id);
    this.showState();
  }

  showSession(id) {
    const session = this.store.sessions.get(id);
    if (session) this.detail.show(id, session, (one) => new SessionPage(one, this));
    else this.detail.say(this.store.isLoaded ? "No session has this name." : "Loading…");
  }

  async showItem(id) {
    const item = this.store.escalations.get(id);
    if (item) return this.detail.show(id, item, (one) => new Item(one, this, this.drafts), this.inbox.same(item));
    if (this.asked === id) return undefined;
    this.asked = id;
    this.detail.say("Loading…");
    const problem = await problemOf(this.store.fetch(id));
    this.asked = problem ? id : null;
    if (problem && route().id === id) this.detail.say(problem);
    return undefined;
  }

  showState() {
    const { open, connection } = this.store;
    const blocking = open.filter((item) => item.urgency === "blocking").length;
    const count = document.getElementById("open-count");
    count.textContent = open.length || "";
    count.classList.toggle("blocking", blocking > 0);
    this.attention.count(open.length, blocking);
    const sign = document.getElementById("connection");
    sign.textContent = connection;
    sign.className = `connection ${connection}`;
    const banner = document.getElementById("banner");
    const text = BANNERS[connection] ?? plain(this.store.degraded ?? "");
    if (banner.textContent !== text) banner.textContent = text;
  }
}

/** Whose name is on the record of what is decided here. */
function showOperator({ operator }) {
  document.getElementById("operator").textContent = plain(operator);
}

/** What went wrong with it, in words; null where nothing did. */
const problemOf = (action) => action.then(() => null, (problem) => problem.message);

/** For those who hear the page: what is new, and what becomes of what they look at. */
function announce(event, item) {
  const words = {
    opened: `New, ${item.urgency}: ${plain(item.title)}`,
    settled: `It is ${stateOf(item)}${item.resolution ? ` by ${plain(item.resolution.resolved_by)}` : ""}.`,
    delivery: `The answer ${deliveryOf(item.delivery?.status)}.`,
  }[event];
  if (words) document.getElementById("status").textContent = words;
}

new App();
