// How the inbox is served, as small plots beside their figures.

import { get } from "./api.js";
import { h, svg } from "./dom.js";
import { span } from "./moment.js";
import { foreign } from "./text.js";

// Sessions that are shown, those that asked most first.
const MOST = 15;
const HEIGHT = 48;

export class Stats {
  constructor() {
    this.element = h("div", { class: "stats", tabindex: "0" }, h("p", { class: "empty" }, "Loading…"));
  }

  async update() {
    if (this.isFresh || this.isLoading) return;
    this.isFresh = this.isLoading = true;
    const [stats, problem] = await get("/api/stats").then((one) => [one], (error) => [null, error]);
    this.isLoading = false;
    this.element.replaceChildren(...(stats ? page(stats) : [h("p", { class: "empty" }, problem.message)]));
    // What happened while it was on its way may not be in it.
    if (!this.isFresh) this.update();
  }

  /** What is shown is old: fetch it anew when it is looked at next. */
  expire() {
    this.isFresh = false;
  }
}

function page(stats) {
  const { open, days, total, sessions, roles, surfaces } = stats;
  const openCount = open.reduce((sum, age) => sum + age.blocking + age.advisory, 0);
  return [
    h("div", { class: "figures" },
      figure("open", openCount), figure("asked", total.asked), figure("answered by people", total.answered),
      figure("median to the answer", duration(total.median)), figure("9 of 10 within", duration(total.p90))),
    h("p", { class: "since" }, `From ${day(stats.since)} to ${day(stats.until)}; what is open counts however old.`),
    h("div", { class: "plots" },
      panel("Open, by age", ages(open)),
      panel("Answers, by surface", bars(surfaces.map((one) => [one.via, one.answers]))),
      panel("Asked, by day", columns(days, (one) => one.asked, String)),
      panel("Median to the answer, by day", columns(days, (one) => one.median, duration))),
    panel("By role", paces(roles)),
    panel("By session", paces(sessions.slice(0, MOST)),
      sessions.length > MOST && h("p", { class: "since" }, `${sessions.length - MOST} more are not shown.`)),
  ];
}

const figure = (name, value) => h("div", {}, h("b", {}, value), h("span", {}, name));

const panel = (title, ...content) => h("section", {}, h("h2", {}, title), content);

const day = (text) => new Date(text).toLocaleDateString();

/** Seconds, or null where nobody answered. */
function duration(seconds) {
  if (seconds === null) return "–";
  return seconds < 1 ? "under 1s" : span(seconds);
}

function bar(parts, most) {
  const drawing = svg("svg", {
    viewBox: "0 0 100 10", preserveAspectRatio: "none", class: "bar", "aria-hidden": "true",
  });
  let x = 0;
  for (const [name, value] of parts) {
    const width = most ? (100 * value) / most : 0;
    drawing.append(svg("rect", { x, width, y: 0, height: 10, class: name }));
    x += width;
  }
  return drawing;
}

function ages(open) {
  const most = Math.max(...open.map((age) => age.blocking + age.advisory));
  return table(["age", "blocking", "advisory", ""], open.map((age) => [
    age.up_to === "older" ? "older" : `≤ ${age.up_to}`, age.blocking, age.advisory,
    bar([["blocking", age.blocking], ["advisory", age.advisory]], most)]));
}

function bars(rows) {
  if (!rows.length) return h("p", { class: "since" }, "No answers yet.");
  const most = Math.max(...rows.map(([, value]) => value));
  return table(["surface", "answers", ""], rows.map(([name, value]) => [name, value, bar([["some", value]], most)]));
}

function paces(rows) {
  return table(["", "asked", "answered", "median", "9 of 10"], rows.map((one) => [
    foreign("span", one.name), one.asked, one.answered, duration(one.median), duration(one.p90)]));
}

/** A column for each day. `of` gives its value or null, `words` says one. */
function columns(days, of, words) {
  const most = Math.max(...days.map((one) => of(one) ?? 0));
  const label = `${days.map((one) => `${one.name}: ${words(of(one))}`).join(", ")}.`;
  const drawing = svg("svg", {
    viewBox: `0 0 ${days.length * 10} ${HEIGHT}`, preserveAspectRatio: "none", class: "columns",
    role: "img", "aria-label": label,
  });
  days.forEach((one, place) => {
    const height = most ? Math.max((HEIGHT * (of(one) ?? 0)) / most, of(one) === null ? 0 : 1) : 1;
    const title = svg("title", {}, `${one.name}: ${words(of(one))}`);
    drawing.append(svg("rect", { x: place * 10 + 1, y: HEIGHT - height, width: 8, height, class: "some" }, title));
  });
  return h("figure", {}, drawing, h("figcaption", {},
    h("span", {}, days.at(0)?.name ?? ""), h("span", {}, `highest: ${words(most)}`), h("span", {}, days.at(-1)?.name ?? "")));
}

function table(names, rows) {
  const head = names.map((name) => h(name ? "th" : "td", { scope: name && "col" }, name));
  return h("table", {}, h("thead", {}, h("tr", {}, head)),
    h("tbody", {}, rows.map(([first, ...rest]) => h("tr", {}, h("th", { scope: "row" }, first),
      rest.map((value) => h("td", {}, value))))));
}
