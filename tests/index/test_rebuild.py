"""However a log came in, the index holds what a rebuild from the logs would hold."""

import itertools
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gemba_core import tail
from gemba_core.frame.record import decode
from gemba_core.index import Index, store
from tests.builders import AT, ask, hook, resolve
from tests.index.faults import FAULTS, FORGOTTEN, ORDER_FAULTS, STALE_FAULTS, Fault
from tests.index.stories import WORK
from tests.index.world import Snapshot, World, new_world, snapshot
from tests.strategies import LINES, LOGS


def in_two(world: World, data: bytes, split: int) -> Snapshot:
    """The log up to the split, a catch-up, the rest, another one, by another process."""
    world.append(data[:split])
    with world.index() as index:
        index.catch_up()
    world.append(data[split:])
    with world.index() as index:
        index.catch_up()
        return snapshot(index)


def splits_of(lines: list[bytes]) -> Iterator[int]:
    """Every boundary between lines, and a place within each line."""
    ends = [0, *itertools.accumulate(map(len, lines))]
    for number, (start, end) in enumerate(itertools.pairwise(ends)):
        yield start
        yield start + (number * 7) % (end - start)
    yield ends[-1]


def differing_splits(lines: list[bytes]) -> Iterator[int]:
    """The splits at which incremental and rebuilt differ, tried in turn."""
    data = b"".join(lines)
    for split in dict.fromkeys(splits_of(lines)):
        with new_world() as world:
            if in_two(world, data, split) != world.rebuilt():
                yield split


def test_every_split_point_of_a_working_day() -> None:
    """Rows, states, positions and counts are those of a rebuild."""
    assert list(differing_splits(WORK)) == []


def differing_lines(lines: list[bytes]) -> Iterator[int]:
    """The lines after which an index that was caught up at each of them is not as rebuilt."""
    with new_world() as world, world.index() as index:
        for number, line in enumerate(lines):
            world.append(line)
            index.catch_up()
            if snapshot(index) != world.rebuilt():
                yield number


def test_a_catch_up_after_every_line_of_a_working_day() -> None:
    """At no time does the index hold anything else than what the log says up to then."""
    assert list(differing_lines(WORK)) == []


@pytest.mark.parametrize("fault", FAULTS + FORGOTTEN, ids=lambda fault: fault.name)
def test_the_comparison_of_lines_detects(fault: Fault, monkeypatch: pytest.MonkeyPatch) -> None:
    """A test that could not fail would show nothing: with this fault planted it fails."""
    fault.plant(monkeypatch)
    assert next(differing_lines(WORK), None) is not None


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_the_comparison_of_splits_detects(fault: Fault, monkeypatch: pytest.MonkeyPatch) -> None:
    """With this fault planted it fails."""
    fault.plant(monkeypatch)
    assert next(differing_splits(WORK), None) is not None


@settings(max_examples=25)
@given(st.lists(LINES, min_size=1, max_size=8))
def test_every_split_point_of_generated_logs(lines: list[bytes]) -> None:
    """Whatever the frames, and what stands among them."""
    data = b"".join(lines)
    for split in dict.fromkeys(splits_of(lines)):
        with new_world() as world, world.index() as index:
            world.append(data[:split], "a_b")
            index.catch_up()
            world.append(data[split:], "a_b")
            index.catch_up()
            incremental = snapshot(index)
            index.rebuild()
            assert incremental == snapshot(index)


@settings(max_examples=50)
@given(st.lists(LINES | st.binary(max_size=40), max_size=12), st.lists(st.integers(1, 200)))
def test_any_bytes_in_any_pieces(parts: list[bytes], lengths: list[int]) -> None:
    """No crash, and each bad line is counted once."""
    data = b"".join(parts)
    with new_world() as world, world.index() as index:
        world.append(b"", "a_b")
        offset = 0
        for length in [*lengths, len(data)]:
            world.append(data[offset : offset + length], "a_b")
            offset += length
            index.catch_up()
        assert snapshot(index) == world.rebuilt()
        complete = data.split(b"\n")[:-1]
        bad = [line for line in complete if line and decode(line) is None]
        assert [log.bad_lines for log in index.logs()] == [len(bad)]


# Two logs with the same event ids, resolution ids and times: only the log tells them apart.
TWINS = {
    "one": [ask(1, session="one"), resolve(1, session="one"), hook("Stop")],
    "two": [ask(1, "Other?", session="two"), ask(2, session="two"), hook("Stop")],
    "three": [ask(2, session="three"), resolve(2, session="three", value="x", at=AT)],
}


def in_order(world: World, logs: dict[str, list[bytes]], order: tuple[str, ...]) -> Snapshot:
    """The logs half by half, each read in that order."""
    with world.index() as index:
        index.catch_up()
        for half in (slice(None, 1), slice(1, None)):
            for name in order:
                world.append(b"".join(logs[name][half]), name)
            for name in order:
                index.catch_up([name])
        return snapshot(index)


def has_an_order_that_matters(logs: dict[str, list[bytes]]) -> bool:
    """Whether any order of reading gives other rows than a rebuild."""
    for order in itertools.permutations(logs):
        with new_world() as world:
            if in_order(world, logs, order) != world.rebuilt():
                return True
    return False


def test_the_order_of_the_files_never_matters() -> None:
    """Nothing is compared across logs, not even ids that are equal."""
    assert not has_an_order_that_matters(TWINS)


@settings(max_examples=15)
@given(LOGS, LOGS)
def test_the_order_of_generated_files_never_matters(one: list[bytes], two: list[bytes]) -> None:
    """One of them holds frames that belong into the other."""
    assert not has_an_order_that_matters({"a_b": one, "elsewhere": two})


@pytest.mark.parametrize("fault", ORDER_FAULTS, ids=lambda fault: fault.name)
def test_the_comparison_of_orders_detects(fault: Fault, monkeypatch: pytest.MonkeyPatch) -> None:
    """With this fault planted it fails."""
    fault.plant(monkeypatch)
    assert has_an_order_that_matters(TWINS)


@contextmanager
def small_pieces() -> Iterator[None]:
    """Batches of a few lines, and a commit after each of them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tail, "_BLOCK", 600)
        patch.setattr(store, "_COMMIT_BYTES", 1)
        yield


def interleaved(world: World, lines: list[bytes]) -> Snapshot:
    """One process catches up, and another translates a little before each of its steps."""
    with small_pieces(), world.index() as one, world.index() as other:
        other.catch_up()
        _before_each_transaction_of(one, lambda: _translate_a_little(other))
        for number, line in enumerate(lines, 1):
            world.append(line)
            if number % 9 == 0:
                one.catch_up()
        one.catch_up()
        return snapshot(other)


def _translate_a_little(index: Index) -> None:
    with index._transaction() as revision:
        index._advance("s", 1, revision)


def _before_each_transaction_of(index: Index, action: Callable[[], None]) -> None:
    """Thus after it saw which logs have changed, and between any two of its commits."""
    transaction = index._transaction

    def later() -> AbstractContextManager[int]:
        action()
        return transaction()

    vars(index)["_transaction"] = later


def differs_when_interleaved(lines: list[bytes]) -> bool:
    """Whether the two of them make other rows than a rebuild."""
    with new_world() as world:
        return interleaved(world, lines) != world.rebuilt()


def test_two_catch_ups_interleaved() -> None:
    """Each frame counts once, whoever reads it."""
    assert not differs_when_interleaved(WORK)


@settings(max_examples=15)
@given(LOGS)
def test_two_catch_ups_of_generated_logs_interleaved(lines: list[bytes]) -> None:
    """Whatever the log holds."""
    assert not differs_when_interleaved([line.replace(b'"a/b"', b'"s"') for line in lines])


@pytest.mark.parametrize("fault", STALE_FAULTS, ids=lambda fault: fault.name)
def test_the_comparison_of_interleaved_catch_ups_detects(
    fault: Fault, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With this fault planted it fails."""
    fault.plant(monkeypatch)
    assert differs_when_interleaved(WORK)
