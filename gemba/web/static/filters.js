// The search field and the filters above a list. What is chosen stands in the address.

import { h } from "./dom.js";
import { go, href, route } from "./route.js";
import { plain } from "./text.js";

const CHOICES = {
  urgency: ["urgency", ["blocking", "advisory"]],
  kind: ["kind", [
    "question", "blocker", "permission_prompt", "mcp_elicitation", "a2a_input_required",
    "hitl_approval", "orchestrator_pause",
  ]],
  role: ["role", ["coach", "manager"]],
  state: ["state", ["resolved", "denied", "deferred", "canceled", "expired"]],
};
// Milliseconds after the last letter.
const PAUSE = 150;

/** The filters of that view; `names` are those that it has, besides the search. */
export class Filters {
  constructor(view, names, sessions) {
    this.view = view;
    this.names = names;
    this.sessions = sessions;
    this.search = h("input", {
      type: "search", placeholder: "Search", "aria-label": "Search title and text", title: "Key: /",
      oninput: () => this.later(), onsearch: () => this.later(),
    });
    this.selects = Object.fromEntries(names.map((name) => [name, this.select(name)]));
    this.element = h("div", { class: "filters", role: "search" }, this.search,
      h("div", { class: "choices" }, Object.values(this.selects)));
  }

  /** What the address says. */
  get chosen() {
    const { query } = route();
    const names = ["search", ...this.names];
    return Object.fromEntries(names.map((name) => [name, query.get(name) ?? ""]));
  }

  /** Whether that escalation passes, as the server would say. */
  passes(item) {
    const { search, urgency, kind, role, session } = this.chosen;
    return (!urgency || item.urgency === urgency) && (!kind || item.source === kind)
      && (!role || item.role === role) && (!session || item.session_id === session)
      && (!search || `${item.title}\n${item.prompt}`.toLowerCase().includes(search.toLowerCase()));
  }

  /** Show what the address says. */
  update() {
    const { chosen } = this;
    if (this.selects.session) this.fill(this.selects.session, "session", this.sessions());
    for (const [name, select] of Object.entries(this.selects)) {
      if (![...select.options].some((one) => one.value === chosen[name])) {
        select.append(h("option", { value: chosen[name] }, plain(chosen[name])));
      }
      if (select.value !== chosen[name]) select.value = chosen[name];
      select.classList.toggle("chosen", Boolean(chosen[name]));
    }
    if (document.activeElement !== this.search) this.search.value = chosen.search;
  }

  select(name) {
    const select = h("select", { "aria-label": name, onchange: () => this.apply() });
    const [any, values] = CHOICES[name] ?? ["session", []];
    this.fill(select, any, values);
    return select;
  }

  fill(select, any, values) {
    const wanted = ["", ...values];
    if ([...select.options].map((one) => one.value).join("\n") === wanted.join("\n")) return;
    const { value } = select;
    select.replaceChildren(...wanted.map((one) => h("option", { value: one }, one ? plain(one).replaceAll("_", " ") : any)));
    select.value = value;
  }

  later() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.apply(), PAUSE);
  }

  apply() {
    const { query } = route();
    const fields = { search: this.search, ...this.selects };
    for (const [name, field] of Object.entries(fields)) {
      if (field.value) query.set(name, field.value);
      else query.delete(name);
    }
    go(href(this.view, route().id, query), { instead: true });
  }
}
