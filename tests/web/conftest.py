"""A server for each test that asks for one."""

from collections.abc import Iterator

import pytest

from tests.web.served import Served, served


@pytest.fixture
def server(isolated_environment: None) -> Iterator[Served]:
    """It serves this test's home, and whoever acts there is anna."""
    with served() as running:
        yield running
