"""A receiver for each test that wants one."""

from collections.abc import Iterator

import pytest

from tests.attention.receiver import Receiver, receiving


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    """A webhook receiver, gone with the test."""
    with receiving() as found:
        yield found
