"""A world of logs and indexes."""

from pathlib import Path

import pytest

from tests.index.world import World


@pytest.fixture
def world(tmp_path: Path) -> World:
    """One without logs."""
    return World(tmp_path / "world")
