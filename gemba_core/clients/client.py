"""What Gemba needs to know of a client's hooks."""

from collections.abc import Callable
from typing import Any, NamedTuple

Answer = dict[str, Any]


class Decision(NamedTuple):
    """What the operator decided about a permission: `kind` is approve, deny or modify.

    `value` is the note of a deny, or the edited command of a modify; `always`
    asks for the client's own suggestion of a lasting rule.
    """

    kind: str
    value: str | None
    always: bool
    request: dict[str, Any]


class Client(NamedTuple):
    """One client's hooks, as far as they answer.

    name                 the agent type
    takes_answers        hooks at which it takes an operator's answer to the agent
    longest_answer       characters that it takes there
    hand_over            (hook, text) to what is printed there
    permission_patience  seconds that its permission hook may wait by default; 0: never
    own_dialogs          tools whose dialogs a permission hook must leave alone
    edits_commands       whether a permission can be given for another command
    decide               a decision to what its permission hook prints
    """

    name: str
    takes_answers: frozenset[str] = frozenset()
    longest_answer: int = 0
    hand_over: Callable[[str, str], Answer] | None = None
    permission_patience: float = 0.0
    own_dialogs: frozenset[str] = frozenset()
    edits_commands: bool = False
    decide: Callable[[Decision], Answer] | None = None


def context_or_block(hook: str, text: str) -> Answer:
    """The text as context after a tool call; at a Stop, as the reason to go on."""
    if hook == "Stop":
        return {"decision": "block", "reason": text}
    return {"hookSpecificOutput": {"hookEventName": hook, "additionalContext": text}}


def permission(decision: Answer) -> Answer:
    """A permission hook's answer around the decision itself."""
    return {"hookSpecificOutput": {"hookEventName": "PermissionRequest", "decision": decision}}


def denied(value: str | None) -> Answer:
    """A refusal that tells the agent why."""
    return permission({"behavior": "deny", "message": value or "The operator denied this."})
