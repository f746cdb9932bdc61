// Everything by keyboard. Nothing that is typed into a field is a command.

import { button, h, isTyping } from "./dom.js";

const HELP = [
  ["j k", "next, previous"],
  ["Enter", "open it; in an open one: to the answer"],
  ["r", "write an answer"],
  ["Ctrl Enter", "send the answer"],
  ["1 … 9", "answer with that option"],
  ["a  d", "approve, deny; with a choice of several: ask, then all of them"],
  ["x", "choose it, for several at once"],
  ["c", "claim or release it"],
  ["p", "look into the pane"],
  ["o", "reopen it, once it is settled"],
  ["/", "search"],
  ["Escape", "out of a field; back to the list"],
  ["g i  g h  g s  g t", "inbox, history, sessions, stats"],
  ["?", "this help"],
];
const NAMES = {
  j: "next", k: "previous", Enter: "enter", r: "answer", a: "approve", d: "deny", x: "choose",
  c: "claim", p: "peek", o: "reopen", "/": "search", Escape: "back",
};
const PLACES = { i: "inbox", h: "history", s: "sessions", t: "stats" };

/** Calls `commands`, which are functions by name. */
export class Keys {
  constructor(commands) {
    this.commands = commands;
    this.help = h("dialog", { "aria-labelledby": "help-title" },
      h("h2", { id: "help-title" }, "Keys"),
      h("dl", { class: "keys" }, HELP.flatMap(([keys, what]) => [
        h("dt", {}, keys.split(/\s+/).map((key) => h("kbd", {}, key))), h("dd", {}, what)])),
      button("Close", () => this.help.close(), { class: "primary" }));
    document.body.append(this.help);
    document.addEventListener("keydown", (event) => this.pressed(event));
    document.getElementById("help").addEventListener("click", () => this.help.showModal());
  }

  pressed(event) {
    // A held key repeats: that may move, but must never decide.
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (isTyping(event.target) || document.querySelector("dialog[open]")) {
      if (event.key === "Escape" && event.target.type === "search") event.target.blur();
      return;
    }
    const isButton = event.target.matches?.("button, summary, input");
    if (event.key === "Enter" && (isButton || event.target.matches?.("a:not(.row a)"))) return;
    if (event.repeat && event.key !== "j" && event.key !== "k") return;
    if (this.run(event.key)) event.preventDefault();
  }

  /** Do what the key means; whether it means something. */
  run(key) {
    const { commands } = this;
    const place = this.isGoing && PLACES[key];
    this.isGoing = key === "g";
    if (place) commands.view(place);
    else if (key === "?") this.help.showModal();
    else if (/^[1-9]$/.test(key)) commands.option(Number(key));
    else if (commands[NAMES[key]]) commands[NAMES[key]]();
    else return this.isGoing;
    return true;
  }
}
