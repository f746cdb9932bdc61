"""Logs that were replaced, cut, removed, or are none: translated anew, or said."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from gemba_core.index import Filter, Index
from tests.builders import ask, hook, id_of, resolve
from tests.index.world import World, snapshot


def asked(index: Index) -> list[str]:
    """The ids of all that was asked."""
    return [item.id for item in index.escalations(Filter(states=()))]


def replaced(path: Path, data: bytes) -> None:
    """Another file of that name."""
    other = path.with_suffix(".new")
    other.write_bytes(data)
    other.replace(path)


def rewritten(path: Path, data: bytes) -> None:
    """The same file with other content."""
    with path.open("r+b") as file:
        file.truncate(0)
        file.write(data)


@pytest.mark.parametrize("change", [replaced, rewritten])
@pytest.mark.parametrize(
    "lines", [[ask(3)], [ask(3), ask(4)], [ask(3), ask(4), ask(5)], []], ids=len
)
def test_another_content_is_translated_anew(
    world: World, change: Callable[[Path, bytes], None], lines: list[bytes]
) -> None:
    """Shorter, as long or longer: nothing of the former remains, neither rows nor counts."""
    world.append(b"bad\n" + ask(1) + resolve(1) + resolve(9))
    with world.index() as index:
        index.catch_up()
        change(world.log(), b"".join(lines))
        index.catch_up()
        assert asked(index) == [id_of(3 + number) for number in range(len(lines))]
        assert snapshot(index) == world.rebuilt()


def test_a_vanished_log_takes_its_rows_along(world: World) -> None:
    """And no others; it may come back."""
    world.append(ask(1), "s")
    world.append(ask(2, session="t"), "t")
    with world.index() as index:
        index.catch_up()
        world.log("s").unlink()
        index.catch_up()
        assert asked(index) == [id_of(2)]
        assert snapshot(index) == world.rebuilt()
        world.append(ask(3), "s")
        index.catch_up()
        assert asked(index) == [id_of(2), id_of(3)]


def test_an_untouched_log_is_not_opened(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every log is stat'ed, and only the one that changed is read."""
    world.append(ask(1), "s")
    world.append(ask(2, session="t"), "t")
    read: list[str] = []
    translate = Index._translate

    def noted(
        self: Index, name: str, fd: int, budget: int | None, revision: int
    ) -> tuple[bool, int]:
        read.append(name)
        return translate(self, name, fd, budget, revision)

    with world.index() as index:
        index.catch_up()
        monkeypatch.setattr(Index, "_translate", noted)
        index.catch_up()
        assert read == []
        world.append(hook("Stop"), "s")
        index.catch_up()
        assert read == ["s"]


def test_a_state_that_cannot_be_read_is_made_anew(world: World) -> None:
    """From the log, which holds all of it."""
    world.append(ask(1))
    with world.index() as index:
        index.catch_up()
        index.connection.execute("UPDATE sessions SET state = x'c1'")
        world.append(resolve(1))
        index.catch_up()
        assert snapshot(index) == world.rebuilt()


@pytest.mark.parametrize("kind", ["folder", "symlink", "fifo"])
def test_what_is_no_log_is_said_and_the_others_are_read(world: World, kind: str) -> None:
    """The message names it."""
    world.append(ask(1))
    odd = world.log("odd")
    if kind == "folder":
        odd.mkdir()
    elif kind == "fifo":
        os.mkfifo(odd)
    else:
        odd.symlink_to(world.log())
    with world.index() as index:
        index.catch_up()
        assert asked(index) == [id_of(1)]
        (problem,) = index.problems
        assert str(odd) in problem


def test_a_file_whose_name_is_no_safe_id_is_no_log(world: World) -> None:
    """No session has it; also where the name is not even text."""
    world.append(ask(1))
    Path(os.fsdecode(os.fsencode(world.logs) + b"/\xff.jsonl")).write_bytes(ask(2))
    with world.index() as index:
        index.catch_up()
        assert asked(index) == [id_of(1)]


def test_bad_lines_are_counted_all_and_kept_up_to_a_hundred(world: World) -> None:
    """Their places are for a person, who has enough of them then."""
    world.append(b"bad\n" * 250)
    with world.index() as index:
        index.catch_up()
        world.append(b"bad\n" * 50)
        index.catch_up()
        assert [log.bad_lines for log in index.logs()] == [300]
        kept = index.connection.execute("SELECT offset FROM bad_lines").fetchall()
        assert kept == [(4 * number,) for number in range(100)]


def test_two_ids_may_share_a_file(world: World) -> None:
    """Each frame carries its own."""
    world.append(ask(1, session="a/b") + ask(1, "Other?", session="a_b"), "a_b")
    with world.index() as index:
        index.catch_up()
        assert {session.session_id for session in index.sessions()} == {"a/b", "a_b"}
        assert asked(index) == [id_of(1), id_of(1)]
