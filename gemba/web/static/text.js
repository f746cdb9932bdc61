// Text from agents, shown so that nothing in it hides or moves anything.

import { h } from "./dom.js";

// Controls, format characters (bidi controls and tags among them), odd line ends and lone
// surrogates; not newline and tab, nor the joiners that scripts and emoji need.
const HIDDEN = /(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]/gu;

const named = (character) =>
  `U+${character.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}`;

/** As one string, with every hidden character named. For attributes and titles. */
export function plain(text) {
  return unified(text).replace(HIDDEN, (character) => `‹${named(character)}›`);
}

/** As nodes, with every hidden character named in a mark of its own. */
export function shown(text) {
  const nodes = [];
  let end = 0;
  const given = unified(text);
  for (const found of given.matchAll(HIDDEN)) {
    nodes.push(given.slice(end, found.index), hidden(found[0]));
    end = found.index + found[0].length;
  }
  return [...nodes, given.slice(end)];
}

/** The first line that says something, at most `limit` characters. */
export function firstLine(text, limit = 200) {
  const line = unified(text).split("\n").find((one) => one.trim()) ?? "";
  return line.length > limit ? `${line.slice(0, limit - 1)}…` : line;
}

/** An element with a text of somebody else's in it, which orders its own letters only. */
export function foreign(tag, text, attributes = {}) {
  return h(tag, { dir: "auto", ...attributes }, shown(text ?? ""));
}

const unified = (text) => String(text).replace(/\r\n?/g, "\n");

function hidden(character) {
  return h("span", { class: "hidden-character", title: "a character that is not shown as it stands" },
    named(character));
}
