"""The words of the wire, and the one matrix that turns (mode, kind) into an urgency.

Source: spec 000, "Skill authoring contract (Coach / Manager)", sections
"Role authority" and "Blocking policy".
"""

KINDS = ("question", "blocker")
ROLES = ("coach", "manager")
MODES = ("dangerous", "balanced", "cautious")
DEFAULT_MODE = "balanced"

STATES = ("initializing", "ready", "working", "prompting", "stalled")
ENDED = ("completed", "failed")

SOURCES = (
    "mcp_elicitation",
    "a2a_input_required",
    "permission_prompt",
    "hitl_approval",
    "orchestrator_pause",
    "question",
    "blocker",
)
# Each allows an act of its own: a yes to several of them at once would be a yes unseen.
APPROVALS = ("permission_prompt", "hitl_approval")
URGENCIES = ("blocking", "advisory")
ESCALATION_STATES = ("open", "resolved", "canceled", "expired")
RESOLUTION_KINDS = ("approve", "deny", "modify", "defer")
# What a person calls an escalation that was resolved so.
RESOLVED_AS = {
    "modify": "answered",
    "approve": "approved",
    "deny": "denied",
    "defer": "deferred",
}
# What an ask declares for its deadline: stay open, close as expired, or take `default=VALUE`.
EXPIRY_WAIT, EXPIRY_CANCEL, EXPIRY_DEFAULT = "wait", "cancel", "default="

# Rising within an attempt; `acknowledged` and `collected` absorb everything.
DELIVERY_STATUSES = (
    "queued",
    "held",
    "claimed",
    "typed",
    "submitted",
    "uncertain",
    "failed",
    "acknowledged",
    "collected",
)
# Nobody has them in hand yet; somebody has, and may die with them.
DUE = ("queued", "held")
IN_HAND = ("claimed", "typed")
IN_FLIGHT = (*IN_HAND, "submitted")
DELIVERED = ("acknowledged", "collected")

_URGENCY = {
    ("balanced", "question"): "advisory",
    ("balanced", "blocker"): "blocking",
    ("cautious", "question"): "blocking",
    ("cautious", "blocker"): "blocking",
}


def urgency(mode: str, kind: str) -> str | None:
    """`advisory` or `blocking`; None where the mode drops the ask (dangerous)."""
    return _URGENCY.get((mode, kind))


def may_ask(role: str, kind: str) -> bool:
    """Coaches never block."""
    return not (role == "coach" and kind == "blocker")
