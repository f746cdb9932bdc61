"""The embedded queue itself: private, migrated, the truth for its items."""

import asyncio
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest

from gemba_core.orchestration.error import AdaptorError, ErrorKind
from gemba_core.orchestration.session import ConfirmNonce
from gemba_core.orchestration.work.queue import NewItem, Queue

NONCE = ConfirmNonce("n-1")


def add(queue: Queue, title: str = "Do it") -> str:
    """One more item; its id."""
    return asyncio.run(queue.add(NewItem(title=title))).id


def test_an_item_comes_back_as_it_was_added(queue: Queue) -> None:
    """All that was said of it, byte for byte."""
    new = NewItem(
        title="Do \x1b[31mit 🎌",
        description="one\n\n\ttwo\r\n",
        kind="bug",
        priority=0,
        labels=("a", 'b"c'),
        repository="/r",
        sprint_id="s-1",
    )
    item = asyncio.run(queue.add(new))
    assert item == asyncio.run(queue.read(item.id))
    assert {name: getattr(item, name) for name in NewItem.__slots__} == {
        name: getattr(new, name) for name in NewItem.__slots__
    }


def test_the_database_is_readable_by_its_owner_only(queue: Queue) -> None:
    """0600 in a folder with 0700, with what SQLite puts beside it."""
    path = Path(queue.path)
    id = add(queue)
    with closing(sqlite3.connect(path)) as open_meanwhile:
        open_meanwhile.execute("SELECT * FROM items")
        asyncio.run(queue.claim(id, "ada", NONCE))
        files = {file.name: stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()}
    assert files == dict.fromkeys(("work.db", "work.db-wal", "work.db-shm"), 0o600)
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_ids_are_never_given_twice(queue: Queue) -> None:
    """Not even where the last item was removed by hand: others may still name it."""
    first = add(queue)
    with closing(sqlite3.connect(queue.path)) as connection, connection:
        connection.execute("DELETE FROM items")
    assert (first, add(queue)) == ("w1", "w2")


@pytest.mark.parametrize(
    "id", ["w01", "w1\n", "W1", "1", "w-1", "w" + "9" * 40, "w1; --", "\uff571", "w\u0661"]
)
def test_only_the_very_id_names_an_item(queue: Queue, id: str) -> None:
    """No second spelling of it, and nothing that only looks like it."""
    add(queue)
    with pytest.raises(AdaptorError) as caught:
        asyncio.run(queue.read(id))
    assert caught.value.kind is ErrorKind.SESSION_NOT_FOUND


def test_a_claim_that_was_given_back_is_not_made_again_by_repeating_it(queue: Queue) -> None:
    """The nonce is remembered for good, in the file."""
    id = add(queue)
    asyncio.run(queue.claim(id, "ada", NONCE))
    asyncio.run(queue.release(id, NONCE))
    assert asyncio.run(Queue(queue.path).claim(id, "ada", NONCE)).assignee is None


def test_a_nonce_claims_one_item_only(queue: Queue) -> None:
    """With another item it is a caller's mistake, and nothing is claimed."""
    first, second = add(queue), add(queue)
    asyncio.run(queue.claim(first, "ada", NONCE))
    with pytest.raises(AdaptorError) as caught:
        asyncio.run(queue.claim(second, "ada", NONCE))
    assert caught.value.kind is ErrorKind.VALIDATION
    assert asyncio.run(queue.read(second)).assignee is None


@pytest.mark.parametrize(
    "spoil",
    [
        lambda path: path.write_bytes(b"no database at all, whatever its name may say\n" * 50),
        lambda path: execute(path, "PRAGMA user_version = 99"),
        lambda path: execute(path, "PRAGMA application_id = 1"),
        lambda path: (path.rename(path.with_name("elsewhere")), path.symlink_to("elsewhere")),
    ],
    ids=["garbage", "newer version", "another program's", "symbolic link"],
)
def test_a_queue_that_cannot_be_used_is_left_as_it_is(queue: Queue, spoil: object) -> None:
    """It is not made anew, as the index would be: people's work items are in it."""
    add(queue)
    path = Path(queue.path)
    assert callable(spoil)
    spoil(path)
    before = path.read_bytes()
    with pytest.raises(AdaptorError, match="keep the file") as caught:
        asyncio.run(queue.read("w1"))
    assert caught.value.kind is ErrorKind.ADAPTOR_DEGRADED
    assert path.read_bytes() == before


def execute(path: Path, statement: str) -> None:
    """Run one statement in that database."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(statement)
