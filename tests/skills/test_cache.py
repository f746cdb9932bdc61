"""What was read before is not read again; a cache that is no cache costs nothing but time."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from gemba_core import home
from gemba_core.skills.registry import Registry, discover
from tests.commands import environment
from tests.skills.shelf import put

SKILLS = ".gemba/skills"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A workspace's folder with one skill, found before."""
    put(tmp_path / SKILLS, "one", description="As it was.")
    found(tmp_path)
    return tmp_path / SKILLS


def found(workspace: Path) -> Registry:
    """The skills of that workspace."""
    return discover(str(workspace))


def description(folder: Path) -> str:
    """What the skill is said to be for."""
    one = found(folder.parent.parent).get("one")
    assert one is not None
    return one.description


def cached(folder: Path) -> Path:
    """The cache of that folder."""
    return Path(home.skill_cache_path(str(folder)))


def loaded_modules(workspace: Path) -> set[str]:
    """The modules of a new process that has found the skills of that workspace."""
    code = (
        "import sys; from gemba_core.skills.registry import discover;"
        f"assert discover({str(workspace)!r}).get('one'); print(*sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment(), capture_output=True, text=True, check=True
    )
    return set(done.stdout.split())


def test_a_file_that_is_as_it_was_is_not_read_again(folder: Path) -> None:
    """Same size, same time of change: the words of before are believed."""
    path = folder / "one.md"
    before = path.stat()
    path.write_text(path.read_text().replace("As it was.", "AS IT WAS."))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert description(folder) == "As it was."


@pytest.mark.parametrize("what", ["time", "size"])
def test_a_file_that_changed_is_read_again(folder: Path, what: str) -> None:
    """Either of the two is enough."""
    path = folder / "one.md"
    before = path.stat()
    new = "AS IT WAS." if what == "time" else "As it is, by now."
    path.write_text(path.read_text().replace("As it was.", new))
    later = 1_000_000_000 if what == "time" else 0
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns + later))
    assert description(folder) == new


def test_yaml_is_not_even_imported_for_what_was_read_before(folder: Path) -> None:
    """An agent's prompt hook waits for this."""
    workspace = folder.parent.parent
    assert "yaml" not in loaded_modules(workspace)
    put(folder, "two")
    assert "yaml" in loaded_modules(workspace)


def test_a_skill_that_is_gone_leaves_the_cache(folder: Path) -> None:
    """It does not grow with every name that ever was."""
    put(folder, "two")
    found(folder.parent.parent)
    assert len(json.loads(cached(folder).read_bytes())["files"]) == 2
    (folder / "two.md").unlink()
    found(folder.parent.parent)
    assert list(json.loads(cached(folder).read_bytes())["files"]) == [str(folder / "one.md")]


def test_the_cache_is_private(folder: Path) -> None:
    """Descriptions may say what nobody else should read."""
    assert cached(folder).stat().st_mode & 0o777 == 0o600
    assert cached(folder).parent.stat().st_mode & 0o777 == 0o700


def test_an_unchanged_folder_writes_nothing(folder: Path) -> None:
    """The cache stays the very file that it was."""
    before = cached(folder).stat()
    found(folder.parent.parent)
    assert cached(folder).stat().st_ino == before.st_ino


def _row(folder: Path, **changed: object) -> bytes:
    """The cache, with values of the skill's row changed by their number."""
    whole = json.loads(cached(folder).read_bytes())
    (row,) = whole["files"].values()
    for number, value in changed.items():
        row[int(number[1:])] = value
    return json.dumps(whole).encode()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\0\xff",
        b"{",
        b"[" * 100_000,
        b"3",
        b'{"format": 1}',
        b'{"format": 0, "files": {}}',
        b'{"format": 1, "files": {"a": 1}}',
    ],
    ids=repr,
)
def test_a_corrupt_cache_is_ignored_and_mended(folder: Path, data: bytes) -> None:
    """The files are read again."""
    before = cached(folder).read_bytes()
    cached(folder).write_bytes(data)
    assert description(folder) == "As it was."
    assert cached(folder).read_bytes() == before


@pytest.mark.parametrize(
    "changed", [{"_2": 3}, {"_4": None}, {"_7": "ab"}, {"_8": [1]}, {"_9": 0}], ids=repr
)
def test_a_row_of_the_wrong_types_is_ignored(folder: Path, changed: dict[str, object]) -> None:
    """Nothing of it reaches a skill."""
    before = cached(folder).read_bytes()
    cached(folder).write_bytes(_row(folder, **changed))
    assert description(folder) == "As it was."
    assert cached(folder).read_bytes() == before


def test_a_home_that_cannot_be_written_costs_the_cache_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in an agent's sandbox."""
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("GEMBA_HOME", str(tmp_path / "file" / "home"))
    put(tmp_path / SKILLS, "one")
    assert found(tmp_path).get("one") is not None
