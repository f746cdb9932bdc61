"""What a command that may die is told, and what is around it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.torture.world import Started, World

SESSION = "torture"


def _nothing(world: World) -> None:
    """Nothing to prepare, or to do again."""


def _no_one(world: World, started: Started) -> None:
    """Nobody does anything meanwhile."""


@dataclass(frozen=True)
class Operation:
    """A command that may die at any of its steps.

    prepare    the world before it
    argv       the command; `in_session` inside the agent's session, else as the operator
    steps      names of steps that it must have, so that none is missed by a slip of the harness
    code       its exit code where nobody kills it
    meanwhile  what somebody else does while it runs
    again      what its caller does when it was killed, and what must be so then
    how        how the run itself is set up (see `crash.Run`)
    """

    name: str
    argv: Callable[[World], tuple[str, ...]]
    prepare: Callable[[World], None] = _nothing
    in_session: bool = False
    steps: frozenset[str] = frozenset()
    code: int = 0
    meanwhile: Callable[[World, Started], None] = _no_one
    again: Callable[[World], None] = _nothing
    how: Mapping[str, Any] = field(default_factory=dict)

    def start(self, world: World, **how: Any) -> Started:
        """Start it in that world."""
        session = SESSION if self.in_session else None
        return world.start(*self.argv(world), session=session, **self.how, **how)
