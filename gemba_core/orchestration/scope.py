"""A session's scope: it begins with the block and is gone with it.

Source: spec 003, "Scope-first session lifecycle".
"""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from gemba_core.home import safe_id
from gemba_core.orchestration.adaptor import OrchestrationPlaneAdaptor
from gemba_core.orchestration.session import (
    ConfirmNonce,
    Session,
    SessionEndMode,
    SessionPrompt,
)
from gemba_core.orchestration.step import has_ended_well, whole

_LONGEST_NAME = 40


@asynccontextmanager
async def run_session(
    adaptor: OrchestrationPlaneAdaptor, assignment_id: str, prompt: SessionPrompt | None = None
) -> AsyncIterator[Session]:
    """Start the session of that assignment, and end it with the block, whatever happens.

    It ends as completed, as canceled where the task was cancelled, and as failed
    where the block raised. When the block is left, everything that belonged to
    the session is released, and then its terminal event is to be seen. Raises
    AdaptorError, and what the block raises.
    """
    starting = asyncio.ensure_future(
        adaptor.start_session(assignment_id, prompt or SessionPrompt())
    )
    mode = SessionEndMode.FAILED
    try:
        yield await whole(starting)
        mode = SessionEndMode.COMPLETED
    except (asyncio.CancelledError, GeneratorExit):
        mode = SessionEndMode.CANCELED
        raise
    finally:
        if has_ended_well(starting):
            # Shielded: a second cancellation must not leave an agent behind.
            id = starting.result().id
            await asyncio.shield(adaptor.end_session(id, mode, new_nonce()))


def new_assignment_id(agent_id: str) -> str:
    """An id that nobody else has, and that tells a person whose it is."""
    return f"{safe_id(agent_id)[:_LONGEST_NAME]}-{os.urandom(4).hex()}"


def new_nonce() -> ConfirmNonce:
    """A nonce that nobody else has."""
    return ConfirmNonce(os.urandom(8).hex())
