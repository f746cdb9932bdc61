// Requests to the server. The browser's own cookie says who asks.

/** The server said no, or nothing. `detail` depends on `kind`; `status` is 0 without an answer. */
export class Problem extends Error {
  constructor(status, said = {}) {
    super(said.message ?? "The server did not answer.");
    this.status = status;
    this.kind = said._kind ?? "";
    this.detail = said.detail ?? {};
  }
}

/** The answer to GET, decoded; empty values of `query` are left out. Throws Problem. */
export function get(path, query = {}) {
  const given = Object.entries(query).filter(([, value]) => value);
  const text = new URLSearchParams(given).toString();
  return request(text ? `${path}?${text}` : path, {});
}

/** The answer to POST, decoded. Throws Problem. */
export function post(path, body) {
  const headers = { "Content-Type": "application/json" };
  return request(path, { method: "POST", headers, body: JSON.stringify(body) });
}

/** The path of one thing: ids are opaque, and hold `:` and `%`. */
export const at = (kind, id, ...rest) =>
  ["/api", kind, encodeURIComponent(id), ...rest].join("/");

async function request(path, options) {
  let response;
  try {
    response = await fetch(path, options);
  } catch {
    throw new Problem(0);
  }
  const said = await response.json().catch(() => undefined);
  if (!response.ok || said === undefined) throw new Problem(response.status, said);
  return said;
}
