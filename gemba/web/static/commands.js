// What each key does.

import { go, href, route } from "./route.js";

/** The commands of the page, by name. */
export function commands(app) {
  const item = () => app.item;
  const hasChoice = () => route().view === "inbox" && app.inbox.selection.size > 0;

  function move(step) {
    const { view, id } = route();
    const rows = [...document.querySelectorAll(".row")];
    const place = rows.findIndex((row) => row.dataset.key === id);
    const next = place < 0 ? rows.at(step > 0 ? 0 : -1) : rows[place + step];
    if (!next) return;
    go(href(view, next.dataset.key), { instead: id !== null });
    next.querySelector("a").focus();
  }

  function decide(kind) {
    if (hasChoice()) app.inbox.bulk.ask(kind);
    else item()?.answer?.settle({ kind });
  }

  function enter() {
    const { view, id } = route();
    const row = document.activeElement.closest(".row");
    if (row && row.dataset.key !== id) go(href(view, row.dataset.key));
    else if (item()?.answer) item().answer.box.focus();
    else document.getElementById("item-title")?.focus();
  }

  return {
    enter,
    next: () => move(1),
    previous: () => move(-1),
    answer: () => (hasChoice() ? app.inbox.bulk.ask("modify") : item()?.answer?.box.focus()),
    approve: () => decide("approve"),
    deny: () => decide("deny"),
    option: (number) => item()?.answer?.choose(number),
    choose: () => route().view === "inbox" && app.inbox.toggle(route().id),
    claim: () => item()?.claim(),
    peek: () => app.detail.page?.peek.toggle(),
    reopen: () => item()?.reopen(),
    search: () => document.querySelector("input[type=search]")?.focus(),
    back: () => route().id && go(href(route().view)),
    view: (view) => go(href(view)),
  };
}
