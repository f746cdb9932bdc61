// A small part of markdown as elements: paragraphs, headings, lists, quotes, code, emphasis, links.
// Built of nodes with text only; whatever is not understood stands there as it was written.

import { h } from "./dom.js";
import { plain, shown } from "./text.js";

const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/;
const HEADING = /^ {0,3}(#{1,6})\s+(.*)$/;
const ITEM = /^( {0,3})(?:[-*+]|(\d{1,9})[.)])\s+(.*)$/;
const QUOTE = /^ {0,3}>\s?(.*)$/;
const RULE = /^ {0,3}([-*_])(?:\s*\1){2,}\s*$/;
// Bounded repeats: a long line of half an emphasis must not take long.
const INLINE = new RegExp(
  [
    /(?<ticks>`{1,3})([^`]{1,2000})\k<ticks>/,
    /\[([^[\]\n]{1,500})\]\(([^()\s]{1,2000})\)/,
    /(https?:\/\/[^\s<>"'`)\]]{1,2000}[^\s<>"'`)\].,;:!?])/,
    /\*\*([^*\n]{1,2000})\*\*/,
    /(?<![\p{L}\p{N}*])\*([^*\s][^*\n]{0,2000})\*(?![\p{L}\p{N}*])/u,
    /(?<![\p{L}\p{N}_])_([^_\s][^_\n]{0,2000})_(?![\p{L}\p{N}_])/u,
  ].map((one) => one.source).join("|"),
  "gu",
);

/** The text as a list of elements. */
export function markdown(text) {
  const lines = text.replace(/\r\n?/g, "\n").split("\n");
  const blocks = [];
  let at = 0;
  while (at < lines.length) {
    const [block, next] = blockAt(lines, at);
    if (block) blocks.push(block);
    at = next;
  }
  return blocks;
}

function blockAt(lines, at) {
  const line = lines[at];
  if (!line.trim()) return [null, at + 1];
  const fence = FENCE.exec(line);
  if (fence) return fenced(lines, at, fence[1]);
  const heading = HEADING.exec(line);
  if (heading) return [h("p", { class: "heading" }, inline(heading[2])), at + 1];
  if (RULE.test(line)) return [h("hr"), at + 1];
  if (ITEM.test(line)) return list(lines, at);
  if (QUOTE.test(line)) {
    const [inner, next] = taken(lines, at, (one) => QUOTE.exec(one)?.[1]);
    return [h("blockquote", {}, paragraph(inner)), next];
  }
  const [inner, next] = taken(lines, at, (one, first) => (first || !begins(one) ? one : undefined));
  return [paragraph(inner), next];
}

const begins = (line) => !line.trim() || [FENCE, HEADING, ITEM, QUOTE].some((one) => one.test(line));

/** The lines from there on for which `part` gives something, and where they end. */
function taken(lines, at, part) {
  const found = [];
  for (let one; at < lines.length && (one = part(lines[at], !found.length)) !== undefined; at += 1) {
    found.push(one);
  }
  return [found, at];
}

function fenced(lines, at, fence) {
  const closes = (line) => {
    const bare = line.trim();
    return bare.length >= fence.length && [...bare].every((one) => one === fence[0]);
  };
  const [inner, next] = taken(lines, at + 1, (line) => (closes(line) ? undefined : line));
  return [h("pre", { tabindex: "0" }, h("code", {}, shown(inner.join("\n")))), next + 1];
}

function list(lines, at) {
  const first = ITEM.exec(lines[at]);
  const items = [];
  for (; at < lines.length && lines[at].trim(); at += 1) {
    const item = ITEM.exec(lines[at]);
    if (item) items.push([item[3]]);
    else if (begins(lines[at]) && !/^\s/.test(lines[at])) break;
    else items.at(-1).push(lines[at].trim());
  }
  const children = items.map((inner) => h("li", {}, withBreaks(inner)));
  return [first[2] ? h("ol", { start: first[2] }, children) : h("ul", {}, children), at];
}

const paragraph = (lines) => h("p", { dir: "auto" }, withBreaks(lines));

/** A line's end is one here: agents write for terminals. */
const withBreaks = (lines) =>
  lines.flatMap((line, place) => (place ? [h("br"), ...inline(line)] : inline(line)));

function inline(text) {
  const nodes = [];
  let end = 0;
  for (const found of text.matchAll(INLINE)) {
    nodes.push(...shown(text.slice(end, found.index)), ...marked(found));
    end = found.index + found[0].length;
  }
  return [...nodes, ...shown(text.slice(end))];
}

function marked([whole, ticks, code, label, address, bare, strong, star, underscore]) {
  if (ticks) return [h("code", {}, shown(code))];
  if (label) return link(whole, label, address);
  if (bare) return [anchor(bare)];
  if (strong) return [h("strong", {}, shown(strong))];
  return [h("em", {}, shown(star ?? underscore))];
}

/** The words and, always to be seen, where they lead; only the web can be clicked. */
function link(whole, label, address) {
  if (!/^https?:\/\//i.test(address)) return shown(whole);
  return [...shown(label), " (", anchor(address), ")"];
}

function anchor(address) {
  if (!URL.canParse(address)) return h("span", {}, shown(address));
  // As the browser understands it: a host in look-alike letters stands as `xn--…`.
  const { href } = new URL(address);
  return h("a", { href, target: "_blank", rel: "noopener noreferrer" }, plain(href));
}
