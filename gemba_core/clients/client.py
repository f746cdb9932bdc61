"""What Gemba needs to know of a client's hooks."""

from collections.abc import Callable
from typing import Any, NamedTuple

Answer = dict[str, Any]


class Client(NamedTuple):
    """One client's hooks, as far as they answer.

    name             the agent type
    takes_answers    hooks at which it takes an operator's answer to the agent
    longest_answer   characters that it takes there
    hand_over        (hook, text) to what is printed there
    """

    name: str
    takes_answers: frozenset[str] = frozenset()
    longest_answer: int = 0
    hand_over: Callable[[str, str], Answer] | None = None


def context_or_block(hook: str, text: str) -> Answer:
    """The text as context after a tool call; at a Stop, as the reason to go on."""
    if hook == "Stop":
        return {"decision": "block", "reason": text}
    return {"hookSpecificOutput": {"hookEventName": hook, "additionalContext": text}}
