"""Which skills are switched off: one small file, whole at any moment."""

import re
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from gemba_core import home
from gemba_core.skills.enabled import EnabledUnknown, disabled, switch
from gemba_core.skills.registry import discover
from tests.commands import run_cli
from tests.skills.shelf import put


def switched_off() -> Path:
    """The file of the names."""
    return Path(home.disabled_skills_path())


def test_all_skills_are_enabled_where_nothing_was_switched(tmp_path: Path) -> None:
    """There is no file then."""
    assert disabled() == (frozenset(), None)
    assert discover(str(tmp_path)).is_enabled("gemba-walk")
    assert not switched_off().exists()


def test_names_are_kept_sorted_and_private() -> None:
    """One file that a person can read, and nobody else."""
    switch(["b", "a:c"], on=False)
    switch(["a"], on=False)
    assert tomllib.loads(switched_off().read_text()) == {"disabled": ["a", "a:c", "b"]}
    assert switched_off().stat().st_mode & 0o777 == 0o600


def test_switching_says_what_changed() -> None:
    """What was so already is no change."""
    assert switch(["a", "b"], on=False) == {"a", "b"}
    assert switch(["b", "c"], on=False) == {"c"}
    assert switch(["a", "d"], on=True) == {"a"}
    assert disabled() == (frozenset({"b", "c"}), None)


def test_an_alias_is_as_enabled_as_its_skill(tmp_path: Path) -> None:
    """The name of the skill is what is switched."""
    put(tmp_path / ".gemba/skills", "test-driven-development", aliases="tdd")
    switch(["test-driven-development"], on=False)
    registry = discover(str(tmp_path))
    assert not registry.is_enabled("tdd")
    assert not registry.is_enabled("test-driven-development")


@pytest.mark.parametrize("text", ["disabled = 3", 'disabled = ["a", 1]', "disabled = [", "\0"])
def test_a_malformed_file_keeps_skills_available_and_says_so(tmp_path: Path, text: str) -> None:
    """It is not written over either."""
    switched_off().parent.mkdir(parents=True)
    switched_off().write_text(text)
    registry = discover(str(tmp_path))
    (problem,) = registry.problems
    assert str(switched_off()) in problem
    assert registry.is_enabled("a")
    with pytest.raises(EnabledUnknown, match=re.escape(str(switched_off()))):
        switch(["b"], on=False)
    assert switched_off().read_text() == text


def test_many_at_once_lose_nothing(tmp_path: Path) -> None:
    """Each process adds its own name under the lock."""
    names = [f"skill-{number}" for number in range(8)]
    for name in names:
        put(tmp_path / ".gemba/skills", name)
    with ThreadPoolExecutor(4) as pool:
        done = pool.map(
            lambda name: run_cli("gemba", "skills", "disable", name, cwd=tmp_path), names
        )
    assert [one.returncode for one in done] == [0] * len(names)
    assert disabled() == (frozenset(names), None)
