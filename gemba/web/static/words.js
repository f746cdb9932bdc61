// The words of the wire, as people say them.

const KINDS = { modify: "answered", approve: "approved", deny: "denied", defer: "deferred" };

const SOURCES = {
  permission_prompt: "permission",
  mcp_elicitation: "form",
  a2a_input_required: "input",
  hitl_approval: "approval",
  orchestrator_pause: "pause",
};

const DELIVERIES = {
  queued: "is about to be delivered",
  held: "waits to be delivered",
  claimed: "is being delivered",
  typed: "stands in the pane",
  submitted: "was handed over",
  acknowledged: "the agent has it",
  collected: "the agent has fetched it",
  uncertain: "may have arrived or not",
  failed: "did not arrive",
};

const REASONS = { decided_in_pane: "decided in the agent's pane" };

/** How it stands: open, answered, denied, canceled, … */
export const stateOf = (item) => (item.resolution ? KINDS[item.resolution.kind] : item.state);

/** What asked. */
export const sourceOf = (item) => SOURCES[item.source] ?? item.source;

/** What became of the answer. */
export const deliveryOf = (status) => DELIVERIES[status] ?? status;

/** Why it was closed without an answer. */
export const reasonOf = (reason) => REASONS[reason] ?? reason;

/** Whether it is a permission, whose text is what a tool is given. */
export const isPermission = (item) => item.source === "permission_prompt";

/** Whether it allows an act of its own: the server takes no yes to several of these at once. */
export const isApproval = (item) => isPermission(item) || item.source === "hitl_approval";

/** What time will do. */
export function expiryOf(onExpiry) {
  if (onExpiry?.startsWith("default=")) return `then answered “${onExpiry.slice(8)}”`;
  return onExpiry === "cancel" ? "then canceled" : "then it goes on waiting";
}
