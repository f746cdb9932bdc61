"""The real client for a test, and gone after it."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.clients import codex as clients
from tests.clients.codex import Codex
from tests.clients.model import Model


@pytest.fixture
def program() -> str:
    """The installed Codex CLI."""
    found = clients.find()
    if found is None:
        pytest.skip("the Codex CLI is not installed: `make clients`, or name it: GEMBA_TEST_CODEX")
    return found


@pytest.fixture
def model() -> Iterator[Model]:
    """A scripted model without a script."""
    model = Model()
    try:
        yield model
    finally:
        model.close()


@pytest.fixture
def codex(program: str, model: Model, tmp_path: Path) -> Iterator[Codex]:
    """The client with Gemba's hooks installed."""
    with closing(Codex(program, tmp_path / "project", model)) as codex:
        yield codex
