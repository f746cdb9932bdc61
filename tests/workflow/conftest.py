"""A project for each test."""

from pathlib import Path

import pytest

from tests.workflow.project import Project


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """One with an agent that prints one line."""
    made = Project(tmp_path / "project")
    made.root.mkdir()
    made.agent()
    return made
