"""Which workspace an assignment has, as its log says."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gemba_core.log import frame_line
from gemba_core.orchestration.error import AdaptorError, ErrorKind
from gemba_core.orchestration.native import ledger
from gemba_core.orchestration.native.adaptor import NativeAdaptor
from gemba_core.orchestration.workspace import WorkspaceKind, WorkspaceRequest
from tests.orchestration.native.scene import started, within


@pytest.mark.parametrize(
    ("kind", "other"),
    [
        (WorkspaceKind.WORKTREE, {"branch": "two"}),
        (WorkspaceKind.WORKTREE, {"repository": "/"}),
        (WorkspaceKind.SUBPROCESS, {"repository": "/"}),
        (WorkspaceKind.SUBPROCESS, {"preferred_kind": WorkspaceKind.WORKTREE}),
    ],
)
def test_another_workspace_is_refused_while_there_is_one(
    root: Path, bwrap: None, kind: WorkspaceKind, other: dict[str, Any]
) -> None:
    """Whoever asks for the same gets it again; another one is not silently this one."""

    async def asked(adaptor: NativeAdaptor) -> ErrorKind:
        id = (await adaptor.assign("idle")).id
        request = WorkspaceRequest(
            assignment_id=id, repository=str(root), branch="one", preferred_kind=kind
        )
        first = await adaptor.acquire_workspace(request)
        assert await adaptor.acquire_workspace(request) == first
        with pytest.raises(AdaptorError) as refused:
            await adaptor.acquire_workspace(replace(request, **other))
        return refused.value.kind

    assert within(root, asked) is ErrorKind.VALIDATION


def test_a_workspace_that_the_log_invents_is_not_there(root: Path) -> None:
    """An agent can write into its own log what it likes."""

    async def looked(adaptor: NativeAdaptor) -> ErrorKind:
        session = await started(adaptor)
        told: dict[str, object] = {"op": "acquired", "workspace": {"id": "other"}}
        line = frame_line(session.id, "GembaWorkspace", told)
        ledger.append_if(session.id, lambda *_: line)
        with pytest.raises(AdaptorError) as refused:
            await adaptor.inspect_workspace(session.id)
        return refused.value.kind

    assert within(root, looked) is ErrorKind.SESSION_NOT_FOUND
