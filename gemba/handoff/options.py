"""The options of the commands that decide about a round."""

from collections.abc import Callable, Container, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from typing import Any

import click

from gemba.handoff.context import in_context
from gemba.handoff.message import message_in, returned_in
from gemba_core.errors import UsageError
from gemba_core.handoff import history as kept
from gemba_core.handoff.counting import Round
from gemba_core.handoff.decision import Decision
from gemba_core.handoff.history import History
from gemba_core.handoff.validate import Context


@dataclass(frozen=True, slots=True)
class Given:
    """The agents' messages by their files, and what is known beside them."""

    files: tuple[str, ...]
    history: str | None
    in_flight: int
    context: Context

    @contextmanager
    def decided(self, *, unanswered: Container[str] | None = None) -> Iterator["Decided"]:
        """Decide, and let nobody else count in the history meanwhile.

        Each message counts; with `unanswered`, the keys of those questions, only messages that
        have not been counted. Raises GembaError, OSError.
        """
        if self.context.agent_id and len(self.files) > 1:
            raise UsageError("--agent goes with one FILE")
        messages = [message_in(file) for file in self.files or ("-",)]
        found = [returned_in(message) for message in messages]
        one = Round(messages, found, self.in_flight, self.context)
        if self.history is None:
            yield Decided(one.decided(History()), None)
            return
        with kept.locked(self.history):
            history = kept.load(self.history)
            if unanswered is None:
                yield Decided(one.decided(history), self.history)
            else:
                yield Decided(one.taken_up(history, unanswered), self.history)


@dataclass(frozen=True, slots=True)
class Decided:
    """The decision, and the file that the counts after it go to, if there is one."""

    decision: Decision
    path: str | None

    def keep(self) -> None:
        """Put the counts into their file, once the decision has taken effect. Raises GembaError."""
        if self.path is not None and self.decision.turn != "hold":
            kept.save(self.path, self.decision.history)


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
        command(given=Given(files, history, in_flight, context), **options)

    return with_round
