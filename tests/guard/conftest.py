"""The workspace of each test here."""

from pathlib import Path

import pytest

from tests.guard.calls import Workspace, made


@pytest.fixture
def place(tmp_path: Path) -> Workspace:
    """A workspace with a surface."""
    workspace = made(tmp_path)
    workspace.limit()
    return workspace
