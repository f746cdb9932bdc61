// The agents: what each is doing, and a look into its pane.

import { button, h, keyed } from "./dom.js";
import { moment } from "./moment.js";
import { Peek } from "./peek.js";
import { href } from "./route.js";
import { foreign, shown } from "./text.js";

const newestFirst = (a, b) => ((a.status_at ?? "") < (b.status_at ?? "") ? 1 : -1);
const isOver = (session) => ["completed", "failed"].includes(session.status);

export class Sessions {
  constructor(store) {
    this.store = store;
    this.rows = h("ol", { class: "rows", "aria-label": "Sessions" });
    this.empty = h("p", { class: "empty" }, "No session has reported yet.");
    this.element = h("div", { class: "list" }, this.empty, this.rows);
  }

  update(current) {
    const sessions = [...this.store.sessions.values()]
      .sort((a, b) => isOver(a) - isOver(b) || b.blocking - a.blocking || newestFirst(a, b));
    keyed(this.rows, sessions.map((one) => [one.session_id, () => h("li", { class: "row" }, h("a"))]));
    [...this.rows.children].forEach((row, place) => refresh(row, sessions[place], current));
    this.empty.hidden = sessions.length > 0;
  }
}

function refresh(row, session, current) {
  const link = row.querySelector("a");
  link.href = href("sessions", session.session_id);
  if (session.session_id === current) link.setAttribute("aria-current", "true");
  else link.removeAttribute("aria-current");
  if (row.session === session) return;
  row.session = session;
  link.replaceChildren(
    h("span", { class: "top" }, foreign("span", session.session_id, { class: "title" }), moment(session.status_at)),
    h("span", { class: "meta" }, status(session), session.agent_type && foreign("bdi", session.agent_type),
      session.open > 0 && h("span", { class: session.blocking ? "kind blocking" : "kind" }, openOf(session)),
      session.work_item_id && foreign("bdi", session.work_item_id, { class: "work" })),
    session.note ? foreign("span", session.note, { class: "meta" }) : "",
  );
}

const openOf = ({ open, blocking }) => `${open} open${blocking ? `, ${blocking} blocking` : ""}`;

const status = (session) => h("span", { class: `status ${session.status}` }, session.status,
  session.close_reason && [" (", shown(session.close_reason), ")"]);

/** What has its work, once it has ended. */
function workOf({ kind, path, branches, kept }) {
  if (kind !== "worktree" || path) return null;
  const rest = kept && `${branches.length ? "the rest" : "on no branch, but"} in ${kept}`;
  return [branches.length ? `on ${branches.join(", ")}` : null, rest].filter(Boolean).join("; ")
    || "nothing: it changed no file";
}

/** One session. */
export class SessionPage {
  constructor(session, app) {
    this.app = app;
    this.facts = h("div");
    this.peek = new Peek(session.session_id, { open: true });
    this.element = h("article", { "aria-labelledby": "item-title" }, this.facts, this.peek.element);
  }

  update(session) {
    if (session === this.session) return;
    this.session = session;
    const query = new URLSearchParams({ session: session.session_id });
    const place = session.workspace;
    const facts = [
      ["status", [status(session), ", ", moment(session.status_at)]],
      ["agent", session.agent_type && shown(session.agent_type)],
      ["note", session.note && shown(session.note)],
      ["work item", session.work_item_id && shown(session.work_item_id)],
      ["workspace", place?.path && shown(`${place.kind} ${place.path}`)],
      ["branch", place?.path && place.branch && shown(place.branch)],
      ["repository", place?.repository && shown(place.repository)],
      ["work", place && workOf(place) && shown(workOf(place))],
      ["skill", session.lead && shown(session.lead.skill)],
      ["first seen", moment(session.created_at)],
      ["log", h("code", {}, shown(session.log))],
    ];
    this.facts.replaceChildren(
      foreign("h2", session.session_id, { id: "item-title", tabindex: "-1" }),
      h("dl", { class: "facts" }, facts.flatMap(([name, value]) =>
        (value ? [h("dt", {}, name), h("dd", { dir: "auto" }, value)] : []))),
      h("p", { class: "links" },
        h("a", { href: href("inbox", null, query) }, session.open ? openOf(session) : "Nothing is open"),
        h("a", { href: href("history", null, query) }, "All that it asked")),
      session.kept ? this.controls(session) : "",
    );
  }

  /** What the orchestration plane can do with a session that it runs. */
  controls(session) {
    const is = session.status === "suspended" ? "resume" : "pause";
    const act = (name) => () => this.app.run(session.session_id, name);
    this.ending = h("div", { class: "buttons" }, this.endButton(session));
    return h("div", { class: "buttons" }, button(is === "pause" ? "Pause" : "Resume", act(is)), this.ending);
  }

  endButton(session) {
    return button("End", () => this.askFirst(session), { class: "danger" });
  }

  /** So that no agent ends by a slip of the hand: a double click or key leaves it running. */
  askFirst(session) {
    const stay = button("Leave it running", () => {
      const end = this.endButton(session);
      this.ending.replaceChildren(end);
      end.focus();
    });
    const sure = button("End it: its agent is stopped", () => this.app.run(session.session_id, "end"),
      { class: "danger" });
    this.ending.replaceChildren(stay, sure);
    stay.focus();
  }

  close() {
    this.peek.close();
  }
}
