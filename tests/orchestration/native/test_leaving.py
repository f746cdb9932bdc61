"""What is left at work when the native adaptor is left: nothing."""

import asyncio
import threading
from pathlib import Path

import pytest

from gemba_core.inbox.held import Held
from gemba_core.orchestration.escalation import EscalationResolution, EscalationResolutionKind
from gemba_core.orchestration.native.opening import open_native
from gemba_core.orchestration.scope import new_nonce
from tests.orchestration.native.scene import ask, eventually, started


def test_a_delivery_under_way_is_waited_for(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It would write to a log, or type into a pane, of which nobody thinks any more."""
    begun, over = threading.Event(), threading.Event()

    def slow(*_: object) -> None:
        begun.set()
        # Longer than leaving takes by itself.
        threading.Event().wait(1.0)
        over.set()

    async def left() -> bool:
        async with open_native(str(root)) as adaptor:
            session = await started(adaptor)
            escalation_id = await asyncio.to_thread(ask, session.id)
            answer = EscalationResolution(
                kind=EscalationResolutionKind.MODIFY, resolved_by="anna", value="blue"
            )
            await adaptor.resolve_escalation(escalation_id, answer, new_nonce())
            await eventually(begun.is_set, what="the delivery")
        # Here, and not after the loop, which itself waits for all threads.
        return over.is_set()

    monkeypatch.setattr(Held, "deliver", slow)
    assert asyncio.run(left())
