"""A step that is taken whole: a cancellation is seen only after its end."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import AsyncExitStack
from typing import Any, TypeVar

T = TypeVar("T")


async def whole(step: asyncio.Future[T]) -> T:
    """What the step gives, or raises. Cancelled meanwhile, wait for it, then be cancelled."""
    is_cancelled = False
    while not step.done():
        try:
            await asyncio.wait([step])
        except asyncio.CancelledError:
            is_cancelled = True
    if is_cancelled:
        has_ended_well(step)
        raise asyncio.CancelledError
    return step.result()


def has_ended_well(step: asyncio.Future[T]) -> bool:
    """Whether there is a result. An error has been looked at then, which asyncio insists on."""
    return step.done() and not step.cancelled() and step.exception() is None


async def taken(
    step: Coroutine[Any, Any, T], undo: AsyncExitStack, back: Callable[[T], Awaitable[None]]
) -> T:
    """Take the step, whole; `back` undoes it, also where we are cancelled while it is taken."""
    running = asyncio.ensure_future(step)

    async def taken_back() -> None:
        if has_ended_well(running):
            await back(running.result())

    undo.push_async_callback(taken_back)
    return await whole(running)
