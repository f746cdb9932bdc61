"""The database itself: private, migrated, and set aside where it cannot be used."""

import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest

from gemba_core.errors import IndexUnusable, LogError
from gemba_core.index import Filter, Index, connection, migrations, store
from gemba_core.index.connection import IndexCorrupt, connect, set_aside
from gemba_core.index.migrations import MIGRATIONS, migrate
from tests.builders import ask, id_of
from tests.commands import run_cli
from tests.index.world import World, snapshot


@pytest.fixture
def path(world: World) -> Path:
    """Where the index is, over one log with one ask."""
    world.append(ask(1))
    return world.folder / "index.db"


def use(path: Path) -> list[str]:
    """The ids of what is open, as every command asks for it."""
    return Index.use(
        str(path),
        str(path.parent / "sessions"),
        lambda index: [item.id for item in index.escalations(Filter())],
    )


def test_the_database_is_readable_by_its_owner_only(world: World, path: Path) -> None:
    """It holds what the logs hold: 0600, with what SQLite puts beside it."""
    with world.index() as index:
        index.catch_up()
        files = [file for file in world.folder.iterdir() if file.is_file()]
        assert {file.name for file in files} == {
            *("index.db", "index.db-wal", "index.db-shm", "index.db.lock")
        }
        assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}


def test_a_database_that_was_deleted_under_a_reader_is_made_anew(path: Path, world: World) -> None:
    """What is left of its -wal and -shm is not taken for the new one's."""
    with world.index() as reader:
        reader.catch_up()
        path.unlink()
        assert use(path) == [id_of(1)]
        assert [item.id for item in reader.escalations(Filter())] == [id_of(1)]
    assert use(path) == [id_of(1)]


def test_a_second_connection_keeps_the_first_ones_write_ahead_log(world: World, path: Path) -> None:
    """Another process that comes and goes meanwhile does not take it for nobody's and remove it."""
    with world.index() as first:
        first.catch_up()
        with world.index():
            pass
        home = {"GEMBA_HOME": str(world.folder)}
        assert run_cli("gemba", "index", "status", env=home).returncode == 0
        assert path.with_name("index.db-wal").exists()


@pytest.mark.parametrize(
    "break_it",
    [
        lambda path: path.write_bytes(b"no database at all, whatever its name may say\n" * 50),
        lambda path: path.write_bytes(path.read_bytes()[:100] + b"\xff" * 50_000),
        lambda path: execute(path, "PRAGMA user_version = 99"),
        lambda path: execute(path, "PRAGMA application_id = 1"),
    ],
    ids=["garbage", "broken pages", "newer version", "another program's"],
)
def test_an_index_that_cannot_be_used_is_set_aside_and_rebuilt(
    path: Path, break_it: object, capsys: pytest.CaptureFixture[str]
) -> None:
    """Kept, said on standard error, and made anew from the logs."""
    assert use(path) == [id_of(1)]
    assert callable(break_it)
    break_it(path)
    broken = path.read_bytes()
    assert use(path) == [id_of(1)]
    (kept,) = path.parent.glob("index.db.set-aside-*")
    assert kept.read_bytes() == broken
    said = capsys.readouterr().err
    assert str(path) in said
    assert str(kept) in said
    assert use(path) == [id_of(1)]
    assert capsys.readouterr().err == ""


def execute(path: Path, statement: str) -> None:
    """Do that to the database."""
    with closing(sqlite3.connect(path)) as opened:
        opened.execute(statement)
        opened.commit()


def test_it_is_set_aside_with_its_wal_and_shm(path: Path) -> None:
    """A log of writes left behind would be read into the next database of that name."""
    suffixes = ("", "-wal", "-shm")
    for suffix in suffixes:
        Path(f"{path}{suffix}").write_text(f"this was {suffix or 'it'}")
    set_aside(str(path), "broken")
    kept = {
        file.name.partition("set-aside-")[2].lstrip("0123456789"): file.read_text()
        for file in path.parent.glob("*.set-aside-*")
    }
    assert kept == {suffix: f"this was {suffix or 'it'}" for suffix in suffixes}
    assert not any(Path(f"{path}{suffix}").exists() for suffix in suffixes)


def test_it_is_not_moved_away_under_others(
    path: Path, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While another command has it open; the message says which to end."""
    monkeypatch.setattr(connection, "_LOCK_WAIT", 0.05)
    with world.index(), pytest.raises(IndexUnusable, match="have it open: end `gemba"):
        set_aside(str(path), "broken")
    assert path.exists()


def test_an_index_of_another_fold_is_refilled(
    path: Path, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In place, with the next generation; nothing is set aside."""
    with world.index() as index:
        index.catch_up()
        before = index.generation()
        index.connection.execute("UPDATE escalations SET opened = 'as an older fold had it'")
        monkeypatch.setattr(store, "FOLD", migrations.FOLD + 1)
        index.catch_up()
        assert index.generation() == before + 1
        assert [item.title for item in index.escalations(Filter())] == ["Which?"]
        index.catch_up()
        assert index.generation() == before + 1
    assert not list(path.parent.glob("*.set-aside-*"))


def test_a_rebuild_gives_the_same_again(path: Path, world: World) -> None:
    """It empties and refills in one go: generation + 1, and a failure leaves all as it was."""
    with world.index() as index:
        index.catch_up()
        before, generation = snapshot(index), index.generation()
        index.rebuild()
        assert snapshot(index) == before
        assert index.generation() == generation + 1


def test_a_rebuild_that_fails_changes_nothing(
    path: Path, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One transaction: whoever reads meanwhile or afterwards sees the former rows."""

    def fails(*_: object, **__: object) -> None:
        raise OSError("planted")

    with world.index() as index:
        index.catch_up()
        before = snapshot(index)
        monkeypatch.setattr(store, "position_at", fails)
        with pytest.raises(OSError, match="planted"):
            index.rebuild()
        assert snapshot(index) == before


def tables(opened: sqlite3.Connection) -> set[str]:
    """The names of the tables."""
    return {name for (name,) in opened.execute("SELECT name FROM sqlite_master")}


def test_each_migration_is_atomic_with_its_own_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that fails half-way leaves the version, and the tables, of the last that did not."""
    second, third = "CREATE TABLE b (x);\n", "CREATE TABLE c (x);\nCREATE TABLE b (x);\n"
    with closing(sqlite3.connect(tmp_path / "x.db", isolation_level=None)) as opened:
        migrate(opened)
        before = tables(opened)
        monkeypatch.setattr(migrations, "MIGRATIONS", (*MIGRATIONS, second, third))
        with pytest.raises(sqlite3.OperationalError):
            migrate(opened)
        assert tables(opened) == before | {"b"}
        assert opened.execute("PRAGMA user_version").fetchone() == (len(MIGRATIONS) + 1,)
        assert not opened.in_transaction


def test_a_migrated_index_keeps_its_rows(
    path: Path, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An older version is brought up, not thrown away."""
    with world.index() as index:
        index.catch_up()
        before = index.generation()
    added = "ALTER TABLE escalations ADD COLUMN extra TEXT;\n"
    monkeypatch.setattr(migrations, "MIGRATIONS", (*MIGRATIONS, added))
    with world.index() as index:
        index.catch_up()
        assert index.generation() == before
        assert [item.id for item in index.escalations(Filter())] == [id_of(1)]
    assert not list(path.parent.glob("*.set-aside-*"))


def test_an_older_gemba_does_not_touch_a_newer_index(path: Path) -> None:
    """It is told apart before anything is written to it."""
    assert use(path)
    execute(path, "PRAGMA user_version = 99")
    before = path.read_bytes()
    with pytest.raises(IndexCorrupt, match="another version"):
        connect(str(path))
    assert path.read_bytes() == before


@pytest.mark.parametrize("kind", ["folder", "symlink"])
def test_an_index_that_is_no_file_is_refused(path: Path, kind: str) -> None:
    """The message says that nothing is lost, and where to look."""
    if kind == "folder":
        path.mkdir()
    else:
        path.symlink_to(path.parent / "elsewhere")
    with pytest.raises(IndexUnusable, match="the logs are untouched") as refused:
        use(path)
    assert str(path) in str(refused.value)
    assert not (path.parent / "elsewhere").exists()


def test_a_home_that_is_a_file_is_refused(tmp_path: Path) -> None:
    """The same message."""
    (tmp_path / "file").write_text("")
    with pytest.raises(IndexUnusable, match="the logs are untouched"):
        use(tmp_path / "file" / "index.db")


def test_a_sessions_folder_that_is_a_file_is_said(path: Path, world: World) -> None:
    """Nothing can be read, and the message names it."""
    world.log().unlink()
    world.logs.rmdir()
    world.logs.write_text("")
    with world.index() as index, pytest.raises(LogError, match=str(world.logs)):
        index.catch_up()


def test_closing_twice_is_harmless(world: World) -> None:
    """As its contract says."""
    with world.index() as index:
        index.close()
        index.close()
