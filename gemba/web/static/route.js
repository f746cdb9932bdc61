// Where in the page we are. It stands in the address, so that a reload comes back to it.

/** `{view, id, query}` of `#/inbox/3f9c?urgency=blocking`. */
export function route() {
  const [path, query = ""] = location.hash.slice(1).split("?");
  const [, view, id] = path.split("/");
  return { view: view || "inbox", id: id ? decoded(id) : null, query: new URLSearchParams(query) };
}

/** The address of that place, with the filter that is in force. */
export function href(view, id = null, query = route().query) {
  const text = query.toString();
  return `#/${view}${id ? `/${encodeURIComponent(id)}` : ""}${text ? `?${text}` : ""}`;
}

/**
 * Go there at once: the next key must not find what was shown before. With `instead` the way back
 * does not lead through where we are.
 */
export function go(address, { instead = false } = {}) {
  if (instead) history.replaceState(null, "", address);
  else history.pushState(null, "", address);
  window.dispatchEvent(new HashChangeEvent("hashchange"));
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
