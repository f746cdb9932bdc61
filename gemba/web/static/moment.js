// Moments as people say them; each is brought up to date while it stands on the page.

import { h } from "./dom.js";

const UNITS = [["d", 86400], ["h", 3600], ["m", 60]];

/** `3m`, of seconds. */
export function span(seconds) {
  const [unit, size] = UNITS.find(([, one]) => seconds >= one) ?? ["s", 1];
  return `${Math.floor(Math.max(seconds, 0) / size)}${unit}`;
}

/** An element that says how long ago, or in how long, that moment (RFC 3339, or null) is. */
export function moment(text) {
  const element = h("time", { datetime: text ?? null, title: text ? full(text) : null });
  element.textContent = relative(text);
  return element;
}

/** Bring every moment on the page up to date. */
export function refreshMoments() {
  for (const element of document.querySelectorAll("time[datetime]")) {
    const text = relative(element.dateTime);
    if (element.textContent !== text) element.textContent = text;
  }
}

const full = (text) => new Date(text).toLocaleString();

function relative(text) {
  const seconds = (Date.now() - Date.parse(text)) / 1000;
  if (Number.isNaN(seconds)) return "unknown";
  return seconds < -1 ? `in ${span(-seconds)}` : `${span(seconds)} ago`;
}
