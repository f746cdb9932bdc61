"""Whether a file is still the one that was read."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gemba_core.tail import Position, position_at, still_holds
from tests.builders import ask, write_log
from tests.tail.opened import opened, read_all


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A log of two lines."""
    return write_log(tmp_path / "s.jsonl", ask(1), ask(2))


def holds(path: Path, position: Position) -> bool:
    """Whether the file is as that position left it."""
    with opened(path) as fd:
        return still_holds(fd, position)


def test_a_file_that_grew_is_still_the_one(path: Path) -> None:
    """Appending is what logs are for."""
    position = read_all(path).position
    assert holds(path, position)
    with path.open("ab") as file:
        file.write(ask(3))
    assert holds(path, position)


def test_a_replaced_file_is_another_one(path: Path) -> None:
    """Even with the same bytes: what was done to it is not known."""
    position = read_all(path).position
    other = write_log(path.with_name("other"), path.read_bytes())
    other.replace(path)
    assert not holds(path, position)


def test_a_shrunken_file_is_another_one(path: Path) -> None:
    """By a line, or by all."""
    position = read_all(path).position
    for content in (ask(1), b""):
        write_log(path, content)
        assert not holds(path, position)


def test_a_file_rewritten_in_place_is_another_one(path: Path) -> None:
    """Of the same length, and longer: the last bytes before the offset differ."""
    position = read_all(path).position
    write_log(path, ask(1), ask(4))
    assert not holds(path, position)
    write_log(path, ask(1), ask(4), ask(5))
    assert not holds(path, position)


@given(st.binary(min_size=1, max_size=600), st.data())
def test_any_change_of_the_last_bytes_is_seen(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, draw: st.DataObject
) -> None:
    """Any one byte among the 256 before the offset."""
    path = write_log(tmp_path_factory.getbasetemp() / "position.jsonl", data)
    offset = draw.draw(st.integers(1, len(data)))
    with opened(path) as fd:
        position = position_at(fd, offset)
    changed = bytearray(data)
    changed[draw.draw(st.integers(max(0, offset - 256), offset - 1))] ^= 1
    assert holds(path, position)
    write_log(path, bytes(changed))
    assert not holds(path, position)
