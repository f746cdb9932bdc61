"""The reference adaptor: all of the contract, in memory, without an agent. To be copied from."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from gemba_core.orchestration.noop.adaptor import Noop
from gemba_core.orchestration.noop.item import ReadyItem

__all__ = ["Noop", "ReadyItem", "open_noop"]


@asynccontextmanager
async def open_noop(make: Callable[[], Noop] = Noop) -> AsyncIterator[Noop]:
    """The adaptor that `make` gives, by default one with a little work; all ends with the block."""
    adaptor = make()
    try:
        yield adaptor
    finally:
        adaptor.close()
