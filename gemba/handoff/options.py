"""The options of the commands that decide about a round."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any

import click

from gemba.handoff.context import in_context
from gemba.handoff.message import message_in, returned_in
from gemba_core.errors import UsageError
from gemba_core.handoff import history as kept
from gemba_core.handoff.decide import decide
from gemba_core.handoff.decision import Decision
from gemba_core.handoff.history import History
from gemba_core.handoff.validate import Context


@dataclass(frozen=True, slots=True)
class Round:
    """The agents' messages, and what is known beside them."""

    files: tuple[str, ...]
    history: str | None
    in_flight: int
    context: Context

    def decided(self, *, anew: bool) -> "Decided":
        """Decide; not `anew`: what was decided last is not counted twice.

        Raises GembaError, OSError.
        """
        if self.context.agent_id and len(self.files) > 1:
            raise UsageError("--agent goes with one FILE")
        messages = [message_in(file) for file in self.files or ("-",)]
        found = [returned_in(message) for message in messages]
        if self.history is None:
            decision = decide(found, in_flight=self.in_flight, context=self.context)
            return Decided(decision, None, decision.history)
        digest = hashlib.sha256(repr(messages).encode()).hexdigest()
        history = kept.load(self.history)
        before = history if anew else history.uncounted(digest)
        decision = decide(found, before, in_flight=self.in_flight, context=self.context)
        after = decision.history
        return Decided(decision, self.history, after.counting(digest, before) if anew else after)


@dataclass(frozen=True, slots=True)
class Decided:
    """The decision, and the counts after it with the file that they go to, if there is one."""

    decision: Decision
    path: str | None
    history: History

    def keep(self) -> None:
        """Put the counts into their file, once the decision has taken effect. Raises GembaError."""
        if self.path is not None and self.decision.turn != "hold":
            kept.save(self.path, self.history)


def of_a_round(command: Callable[..., None]) -> Callable[..., None]:
    """FILEs, `--history`, `--in-flight` and the context, given to the command as `given`."""

    @click.argument("files", nargs=-1, metavar="[FILE|-]...")
    @click.option("--history", metavar="FILE", help="Keeps how often agents were sent back.")
    @click.option(
        "--in-flight",
        type=click.IntRange(min=1),
        default=1,
        metavar="N",
        help="Hold until so many agents are in.",
    )
    @in_context
    @wraps(command)
    def with_round(
        *,
        files: tuple[str, ...],
        history: str | None,
        in_flight: int,
        context: Context,
        **options: Any,
    ) -> None:
        command(given=Round(files, history, in_flight, context), **options)

    return with_round
