"""Bytes to frames: complete lines only, whatever the file holds and however it was cut."""

import os
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gemba_core import tail
from gemba_core.errors import LogError
from gemba_core.frame.record import decode
from gemba_core.tail import MAX_LINE, Position, lines, open_log, read
from tests.builders import ask, frame, id_of, write_log
from tests.strategies import LINES
from tests.tail.opened import opened, read_all

MIB = 1 << 20


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the log is."""
    return tmp_path / "s.jsonl"


def long_frame(id: int, length: int) -> bytes:
    """A frame whose line, without its newline, has that length."""
    short = frame("Big", {"x": ""}, id=id)
    return frame("Big", {"x": "y" * (length - len(short) + 1)}, id=id)


def test_a_partial_last_line_is_left_for_later(path: Path) -> None:
    """It is read once its newline is there, as one frame."""
    first, second = ask(1), ask(2)
    for cut in range(len(second)):
        write_log(path, first, second[:cut])
        before = read_all(path)
        assert before.ids == [id_of(1)]
        assert not before.bad
        write_log(path, first, second)
        assert read_all(path, before.position).ids == [id_of(2)]


def test_a_bad_line_is_reported_with_its_offset_and_reading_goes_on(path: Path) -> None:
    """The offset is where the line begins, in bytes."""
    first, bad, last = ask(1, "é"), "kein Rahmen é\n".encode(), ask(2)
    write_log(path, first, bad, last, b"{}\n")
    found = read_all(path)
    assert found.ids == [id_of(1), id_of(2)]
    assert [line.offset for line in found.bad] == [len(first), len(first + bad + last)]


def test_empty_lines_mean_nothing(path: Path) -> None:
    """Neither frames nor bad lines."""
    write_log(path, b"\n\n", ask(1), b"\n", ask(2), b"\n")
    found = read_all(path)
    assert found.ids == [id_of(1), id_of(2)]
    assert not found.bad


@given(st.lists(LINES | st.binary(max_size=30).map(lambda data: data + b"\n")), st.binary())
def test_any_bytes_give_every_frame_and_every_bad_line(
    tmp_path_factory: pytest.TempPathFactory, parts: list[bytes], rest: bytes
) -> None:
    """Each complete line that is not empty is the one or the other, with the right offset."""
    data = b"".join(parts) + rest
    path = write_log(tmp_path_factory.getbasetemp() / "any.jsonl", data)
    frames, bad, offset = [], [], 0
    for line in data.split(b"\n")[:-1]:
        one = decode(line)
        if one is not None:
            frames.append(one.event_id)
        elif line:
            bad.append(offset)
        offset += len(line) + 1
    found = read_all(path)
    assert found.ids == frames
    assert [line.offset for line in found.bad] == bad
    assert found.position.offset == offset
    with opened(path) as fd:
        told = list(lines(fd))
    assert [line.offset for line in told if isinstance(line.found, tail.BadLine)] == bad
    assert [line.found.event_id for line in told if not isinstance(line.found, tail.BadLine)] == (
        frames
    )


@given(st.lists(LINES, max_size=6), st.data(), st.integers(1, 200), st.integers(1, 300))
def test_what_is_read_does_not_depend_on_how_it_was_cut(
    tmp_path_factory: pytest.TempPathFactory,
    parts: list[bytes],
    draw: st.DataObject,
    block: int,
    limit: int,
) -> None:
    """Neither the block size nor where a former reader stopped changes it, with any line cap."""
    data = b"".join(parts)
    path = tmp_path_factory.getbasetemp() / "cut.jsonl"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tail, "MAX_LINE", limit)
        whole = read_all(write_log(path, data))
        patch.setattr(tail, "_BLOCK", block)
        assert read_all(path) == whole
        before = read_all(write_log(path, data[: draw.draw(st.integers(0, len(data)))]))
        after = read_all(write_log(path, data), before.position)
    assert before.ids + after.ids == whole.ids
    assert before.bad + after.bad == whole.bad
    assert after.position == whole.position


@pytest.mark.parametrize("length", [6 * MIB, MAX_LINE])
def test_a_long_line_is_a_frame(path: Path, length: int) -> None:
    """Up to the cap, and so are the lines around it."""
    write_log(path, ask(1), long_frame(2, length), ask(3))
    found = read_all(path)
    assert found.ids == [id_of(1), id_of(2), id_of(3)]
    assert not found.bad


@pytest.mark.parametrize("length", [MAX_LINE + 1, MAX_LINE + MIB - 1, 3 * MAX_LINE])
@pytest.mark.parametrize("block", [MIB, 3 * MIB, 64 * MIB])
def test_a_line_over_the_cap_is_one_bad_line(
    path: Path, length: int, block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the chunks in which it is read; the lines around it are frames."""
    monkeypatch.setattr(tail, "_BLOCK", block)
    first = ask(1)
    write_log(path, first, long_frame(2, length), ask(3))
    found = read_all(path)
    assert found.ids == [id_of(1), id_of(3)]
    assert [(bad.offset, bad.why) for bad in found.bad] == [(len(first), "longer than 8 MiB")]
    with opened(path) as fd:
        told = list(lines(fd))
    assert [(line.number, line.offset) for line in told][:2] == [(1, 0), (2, len(first))]
    assert [line.number for line in told] == [1, 2, 3]


@pytest.mark.parametrize("before_its_end", [0, 1, MIB])
def test_a_line_over_the_cap_is_reported_once_across_two_readings(
    path: Path, before_its_end: int
) -> None:
    """The position says that the rest of it is to be skipped."""
    long = long_frame(1, 2 * MAX_LINE)
    write_log(path, long[: len(long) - 1 - before_its_end])
    before = read_all(path)
    assert len(before.bad) == 1
    assert before.position.skipping
    write_log(path, long, ask(2))
    after = read_all(path, before.position)
    assert (after.ids, after.bad, after.position.skipping) == ([id_of(2)], [], False)


@pytest.mark.parametrize("way", [lambda fd: read(fd, Position()), lines], ids=["read", "lines"])
def test_a_file_without_newlines_keeps_memory_flat(
    path: Path, way: Callable[[int], Iterator[object]]
) -> None:
    """A line of 200 MiB costs a few copies of the longest line that is allowed, and no more."""
    with path.open("wb") as file:
        file.truncate(200 * MIB)
    with opened(path) as fd:
        tracemalloc.start()
        try:
            for _ in way(fd):
                pass
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
    assert MAX_LINE < peak < 5 * MAX_LINE


def test_a_log_that_is_not_there_is_none(path: Path) -> None:
    """It may come yet."""
    assert open_log(str(path)) is None


@pytest.mark.parametrize("kind", ["folder", "fifo", "symlink"])
def test_what_is_no_regular_file_is_not_read(path: Path, kind: str) -> None:
    """The message names the path; a FIFO does not hang the reader."""
    if kind == "folder":
        path.mkdir()
    elif kind == "fifo":
        os.mkfifo(path)
    else:
        path.symlink_to(write_log(path.parent / "elsewhere", ask(1)))
    with pytest.raises(LogError, match="not read") as refused:
        open_log(str(path))
    assert str(path) in str(refused.value)
