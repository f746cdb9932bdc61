"""A log's compare-and-set: written only if the log, read to its end under its lock, allows it."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from gemba_core import home
from gemba_core.errors import LogError
from gemba_core.journal import Choose, Journal, append_all
from gemba_core.lifelock import is_held
from gemba_core.log import Log, append
from gemba_core.translator import SessionState
from tests.builders import SESSION, ask, hook, id_of, resolve, told
from tests.log.locked import held_by_another
from tests.waiting import wait_until


def write(*lines: bytes, session: str = SESSION) -> Path:
    """Somebody else appends to the session's log."""
    path = home.log_path(session)
    for line in lines:
        append(path, line)
    return Path(path)


def if_open(id: int, line: bytes) -> Choose:
    """Append the line if that escalation is open."""

    def choose(state: SessionState) -> bytes | None:
        item = state.find(id_of(id))
        return line if item is not None and item.state == "open" else None

    return choose


@pytest.fixture
def journal() -> Iterator[Journal]:
    """Of a session that has asked."""
    write(ask(1))
    with Journal(SESSION) as opened:
        yield opened


def test_advance_folds_what_is_new(journal: Journal) -> None:
    """And says whether there was anything."""
    assert journal.advance()
    assert not journal.advance()
    write(resolve(1))
    assert journal.advance()
    assert journal.state == told(*lines_of(write())).state
    assert journal.resolutions[id_of(1)].value == "blue"


def lines_of(path: Path) -> list[bytes]:
    """The lines of that log."""
    return path.read_bytes().splitlines(keepends=True)


def test_a_log_that_is_not_there_yet_is_followed_when_it_comes() -> None:
    """A waiter may be first."""
    with Journal(SESSION) as journal:
        assert not journal.advance()
        write(ask(1))
        assert journal.advance()
        assert journal.state.find(id_of(1)) is not None


def test_append_if_appends_and_knows_what_it_appended(journal: Journal) -> None:
    """The state is that after the line."""
    line = resolve(1)
    assert journal.append_if(if_open(1, line))
    assert write().read_bytes().endswith(line)
    found = journal.state.find(id_of(1))
    assert found is not None
    assert found.state == "resolved"


def test_append_if_refuses_when_the_state_moved_on(journal: Journal) -> None:
    """What another process wrote after our last look is read under the lock."""
    journal.advance()
    path = write(resolve(1))
    before = path.read_bytes()
    assert not journal.append_if(if_open(1, resolve(1, resolution="r2")))
    assert path.read_bytes() == before
    assert journal.resolutions[id_of(1)].resolution_id == "r1"


def test_of_many_at_once_one_wins() -> None:
    """The lock is held from the look to the write."""
    path = write(ask(1))
    won: list[bool] = []

    def answer(number: int) -> None:
        with Journal(SESSION) as own:
            won.append(own.append_if(if_open(1, resolve(1, resolution=f"r{number}"))))

    threads = [threading.Thread(target=answer, args=(number,)) for number in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=30)
    assert sorted(won) == [False] * 15 + [True]
    assert len(lines_of(path)) == 2


def test_a_known_state_and_position_spare_the_reading(journal: Journal) -> None:
    """The rest is folded onto it."""
    journal.advance()
    write(resolve(1))
    with Journal(SESSION, state=journal.state, position=journal.position) as later:
        assert later.state == journal.state
        assert later.advance()
        assert later.state == told(*lines_of(write())).state


def test_a_position_in_another_file_is_not_believed(journal: Journal) -> None:
    """The log was replaced since: it is read from its beginning."""
    journal.advance()
    write().unlink()
    write(ask(2), ask(3))
    with Journal(SESSION, state=journal.state, position=journal.position) as later:
        later.advance()
        assert set(later.state.open.keys()) == {id_of(2), id_of(3)}


def test_a_log_that_was_replaced_is_read_anew_before_an_append(journal: Journal) -> None:
    """The choice is made by what the line is appended to."""
    journal.advance()
    write().unlink()
    path = write(ask(2))
    before = path.read_bytes()
    assert not journal.append_if(if_open(1, resolve(1)))
    assert path.read_bytes() == before
    assert journal.append_if(if_open(2, resolve(2)))


OTHER = "t"


@pytest.fixture
def both(journal: Journal) -> Iterator[tuple[Journal, Journal]]:
    """Two sessions that have asked."""
    write(ask(2, session=OTHER), session=OTHER)
    with Journal(OTHER) as other:
        yield journal, other


def contents() -> list[bytes]:
    """Both logs."""
    return [Path(home.log_path(session)).read_bytes() for session in (SESSION, OTHER)]


def test_append_all_writes_to_all(both: tuple[Journal, Journal]) -> None:
    """One line in each log."""
    one, other = both
    lines = resolve(1), resolve(2, session=OTHER)
    before = contents()
    assert append_all([(other, if_open(2, lines[1])), (one, if_open(1, lines[0]))])
    assert contents() == [old + line for old, line in zip(before, lines, strict=True)]


@pytest.mark.parametrize("settled", [0, 1])
def test_append_all_writes_to_none_if_one_refuses(
    both: tuple[Journal, Journal], settled: int
) -> None:
    """Whichever of them it is."""
    line = (resolve(1), resolve(2, session=OTHER))[settled]
    write(line, session=(SESSION, OTHER)[settled])
    before = contents()
    one, other = both
    choices = [(one, if_open(1, resolve(1))), (other, if_open(2, resolve(2, session=OTHER)))]
    assert not append_all(choices)
    assert contents() == before


def test_append_all_writes_to_none_if_one_raises(both: tuple[Journal, Journal]) -> None:
    """And leaves no lock behind."""

    def raises(_: SessionState) -> bytes:
        raise ValueError("planted")

    before = contents()
    one, other = both
    with pytest.raises(ValueError, match="planted"):
        append_all([(one, if_open(1, resolve(1))), (other, raises)])
    assert contents() == before
    assert append_all([(one, if_open(1, resolve(1)))])


def test_append_all_writes_to_none_if_one_is_locked(
    both: tuple[Journal, Journal], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The message names the log; the other's lock is free again."""
    monkeypatch.setattr(Log.lock, "__defaults__", (0.02,))
    before = contents()
    one, other = both
    choices = [(one, if_open(1, resolve(1))), (other, if_open(2, resolve(2, session=OTHER)))]
    with held_by_another(Path(other.path)), pytest.raises(LogError, match="another process"):
        append_all(choices)
    assert contents() == before
    assert append_all(choices)


def test_append_all_takes_nothing_for_those_with_nothing_to_say(
    both: tuple[Journal, Journal],
) -> None:
    """Empty lines mean: agreed, and nothing to write here."""
    one, other = both
    before = contents()
    assert append_all([(one, lambda _: b""), (other, lambda _: hook("Stop"))])
    assert contents()[0] == before[0]
    assert contents()[1] != before[1]


def test_two_sessions_that_share_a_log_are_decided_together() -> None:
    """The one lock is taken once."""
    sessions = "a/b", "a_b"
    for session in sessions:
        write(ask(1, session=session), session=session)
    with Journal(sessions[0]) as one, Journal(sessions[1]) as other:
        lines = [resolve(1, session=session) for session in sessions]
        assert append_all([(one, if_open(1, lines[0])), (other, if_open(1, lines[1]))])
        assert not one.state.open
        assert not other.state.open
    assert lines_of(Path(home.log_path("a_b")))[2:] == lines


def test_locks_are_taken_in_path_order(both: tuple[Journal, Journal]) -> None:
    """Whatever the order of the choices: two bulk answers never wait for each other for good."""
    one, other = both
    choices: list[tuple[Journal, Choose]] = [(other, if_open(2, b"")), (one, if_open(1, b""))]
    with ThreadPoolExecutor(1) as pool:
        with held_by_another(Path(other.path)):
            waiting = pool.submit(append_all, choices)
            wait_until(lambda: is_held(one.path), what="the lock of the first path")
        assert waiting.result(timeout=10)
