// What a permission is about: the exact command, the change as a diff, or the whole input.

import { h } from "./dom.js";
import { shown } from "./text.js";

// Pairs of lines that are compared; beyond them all of the old stands before all of the new.
const MOST_PAIRS = 1_000_000;

/** Elements that show the tool's input, which is JSON in the escalation's text. */
export function permissionContext(prompt) {
  const input = parsed(prompt);
  if (input === null) return [block(prompt)];
  const { known, rest } = split(input);
  return Object.keys(rest).length ? [...known, ...facts(rest)] : known;
}

function parsed(prompt) {
  try {
    const value = JSON.parse(prompt);
    return value && typeof value === "object" && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

/** The parts that have a form of their own, and all that has none: nothing is left out. */
function split(input) {
  const { command, file_path: path, old_string: before, new_string: after, content, ...rest } = input;
  const known = [];
  const isText = (value) => typeof value === "string";
  if (isText(path)) known.push(h("p", { class: "path" }, shown(path)));
  else if (path !== undefined) rest.file_path = path;
  if (isText(command)) known.push(isPatch(command) ? patch(command) : block(command, "command"));
  else if (command !== undefined) rest.command = command;
  if (isText(before) && isText(after)) known.push(diff(before, after));
  else Object.assign(rest, defined({ old_string: before, new_string: after }));
  if (isText(content)) known.push(diff("", content));
  else if (content !== undefined) rest.content = content;
  if (Array.isArray(rest.edits) && rest.edits.every((one) => isText(one?.old_string) && isText(one?.new_string))) {
    for (const one of rest.edits) {
      const { old_string: from, new_string: to, ...more } = one;
      known.push(diff(from, to), ...facts(more));
    }
    delete rest.edits;
  }
  return { known, rest };
}

const defined = (values) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));

const block = (text, name = "") => h("pre", { class: name, tabindex: "0" }, h("code", {}, shown(text)));

function facts(rest) {
  const rows = Object.entries(rest).flatMap(([key, value]) => [
    h("dt", {}, shown(key)),
    h("dd", {}, shown(typeof value === "string" ? value : JSON.stringify(value, null, 1))),
  ]);
  return rows.length ? [h("dl", { class: "facts" }, rows)] : [];
}

const isPatch = (text) => text.startsWith("*** Begin Patch");

const patch = (text) => h("pre", { class: "diff", tabindex: "0" }, text.split("\n").map((line) => {
  const sign = { "+": "added", "-": "removed" }[line[0]] ?? "same";
  return row(sign, line);
}));

/** Both texts line by line. */
function diff(before, after) {
  const [old, young] = [lines(before), lines(after)];
  let head = 0;
  while (head < old.length && head < young.length && old[head] === young[head]) head += 1;
  let tail = 0;
  const most = Math.min(old.length, young.length) - head;
  while (tail < most && old.at(-1 - tail) === young.at(-1 - tail)) tail += 1;
  const same = (line) => row("same", `  ${line}`);
  const middle = changes(old.slice(head, old.length - tail), young.slice(head, young.length - tail));
  return h("pre", { class: "diff", tabindex: "0" },
    old.slice(0, head).map(same), middle, old.slice(old.length - tail).map(same));
}

/** The rows between two lists of lines, with as many kept as can be. */
function changes(old, young) {
  const removed = (line) => row("removed", `- ${line}`);
  const added = (line) => row("added", `+ ${line}`);
  if (old.length * young.length > MOST_PAIRS) return [...old.map(removed), ...young.map(added)];
  const kept = keptCounts(old, young);
  const rows = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < young.length) {
    if (old[i] === young[j]) {
      rows.push(row("same", `  ${old[i]}`));
      i += 1;
      j += 1;
    }
    else if (j === young.length || (i < old.length && kept[i + 1][j] >= kept[i][j + 1])) rows.push(removed(old[i++]));
    else rows.push(added(young[j++]));
  }
  return rows;
}

/** `[i][j]`: how many lines can be kept of what is behind i in the one and j in the other. */
function keptCounts(old, young) {
  const kept = Array.from({ length: old.length + 1 }, () => new Uint32Array(young.length + 1));
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = young.length - 1; j >= 0; j -= 1) {
      kept[i][j] = old[i] === young[j] ? kept[i + 1][j + 1] + 1 : Math.max(kept[i + 1][j], kept[i][j + 1]);
    }
  }
  return kept;
}

const lines = (text) => (text === "" ? [] : text.replace(/\n$/, "").split("\n"));

const row = (name, text) => h("span", { class: `line ${name}` }, shown(text), "\n");
