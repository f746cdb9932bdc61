"""The orchestration adaptor, for commands that look at what runs or change it."""

import asyncio
import signal
from collections.abc import Awaitable, Callable, Coroutine
from functools import partial
from typing import Any, TypeVar

import click

from gemba_core.errors import GembaError, NotFound, UsageError
from gemba_core.orchestration.adaptor import OrchestrationPlaneAdaptor
from gemba_core.orchestration.adaptors import Open, find
from gemba_core.orchestration.agent import AgentFilter, AgentKind, AgentRef

T = TypeVar("T")

adaptor_option = click.option(
    "--adaptor",
    default="native",
    show_default=True,
    metavar="NAME",
    help="Which adaptor runs the agents (gemba adaptor list).",
)


def on_plane(name: str, action: Callable[[OrchestrationPlaneAdaptor], Awaitable[T]]) -> T:
    """Open that adaptor, do it, and close the adaptor again. Raises AdaptorError, NotFound."""

    async def run() -> T:
        async with _passing(name)() as adaptor:
            return await action(adaptor)

    return asyncio.run(run())


def _passing(name: str) -> Open:
    """The adaptor for one call: who is gone at once adopts nobody's sessions."""
    if name != "native":
        return find(name)
    # Imported here: it needs what the others do not.
    from gemba_core.orchestration.native.opening import open_native

    return partial(open_native, mend=False)


def interruptible(work: Coroutine[Any, Any, None], told: str) -> None:
    """Run it; a signal cancels it, so that it undoes what it did, and a second one kills us.

    Raises GembaError with `told` where it was cancelled so, and what it raises.
    """

    async def run() -> None:
        running = asyncio.ensure_future(work)
        loop = asyncio.get_running_loop()

        def cancel(number: int) -> None:
            loop.remove_signal_handler(number)
            running.cancel()

        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, cancel, number)
        try:
            await running
        except asyncio.CancelledError:
            raise GembaError(told) from None

    asyncio.run(run())


async def agent_named(plane: OrchestrationPlaneAdaptor, name: str | None) -> AgentRef:
    """The agent of that name or id, or the only one. Raises NotFound, UsageError, AdaptorError."""
    agents = await plane.list_agents(AgentFilter(agent_kind=AgentKind.AGENT))
    chosen = [one for one in agents if name in (None, one.name, one.id)]
    known = ", ".join(one.name for one in agents)
    adaptor = plane.describe().adaptor_id
    if not agents:
        raise NotFound(f"{adaptor} has no agent; gemba init makes a file to declare them in")
    if not chosen:
        raise NotFound(f"{adaptor} has no agent named {name!r}; it has: {known}")
    if name is None and len(chosen) > 1:
        raise UsageError(f"which agent? give --agent with one of {known}")
    return chosen[0]
