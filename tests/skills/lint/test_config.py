"""Which rules a workspace runs, and what is said of a configuration that is wrong."""

from pathlib import Path

import pytest

from gemba_core.errors import UsageError
from gemba_core.skills.lint import RULES, chosen, named
from gemba_core.skills.lint.config import Config, load


def test_without_a_configuration_all_rules_run(tmp_path: Path) -> None:
    """And nothing is left out."""
    assert load(str(tmp_path)) == Config()
    assert chosen((), ()) == RULES


def test_beginnings_ids_and_names_choose() -> None:
    """What is ignored wins over what is selected."""
    ids = [rule.id for rule in chosen(["GS00", "gs105", "no-ask"], ["yaml-tag", "GS003"])]
    assert "GS105" in ids
    assert "GS107" in ids
    assert "GS001" in ids
    assert not {"GS003", "GS004", "GS101"} & set(ids)


def test_a_rule_that_does_not_exist_is_a_usage_error() -> None:
    """With the nearest one."""
    with pytest.raises(UsageError, match=r"'coach-block'.*coach-blocks"):
        named("coach-block")
    with pytest.raises(UsageError, match="''"):
        named("")


@pytest.mark.parametrize(
    ("name", "head"), [(".gemba/lint.toml", ""), ("pyproject.toml", "[tool.gemba.lint]\n")]
)
def test_the_nearest_configuration_counts(tmp_path: Path, name: str, head: str) -> None:
    """From any folder below it."""
    write(tmp_path / name, f'{head}select = ["GS1"]\nexclude = ["drafts"]\n')
    write(tmp_path / "below" / "pyproject.toml", "[tool.other]\nx = 1\n")
    config = load(str(tmp_path / "below"))
    assert (config.select, config.exclude) == (("GS1",), ("drafts",))


def test_of_two_in_one_folder_lint_toml_counts(tmp_path: Path) -> None:
    """It is Gemba's own."""
    write(tmp_path / ".gemba" / "lint.toml", 'ignore = ["GS2"]\n')
    write(tmp_path / "pyproject.toml", '[tool.gemba.lint]\nselect = ["GS1"]\n')
    assert load(str(tmp_path)) == Config(ignore=("GS2",))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('selct = ["GS1"]', "unknown key selct; did you mean select?"),
        ("colour = 1", "unknown key colour; there is select, ignore, paths, exclude"),
        ('select = "GS1"', r"select: 'GS1'; write a list of texts"),
        ('ignore = ["GS1", "nope"]', "no rule is named 'nope'"),
        ("ignore = [1]", "ignore: 1; write a list of texts"),
        ("select = [", "cannot be read"),
    ],
)
def test_a_wrong_configuration_says_what_to_do(tmp_path: Path, text: str, said: str) -> None:
    """With the file's path."""
    write(tmp_path / ".gemba" / "lint.toml", text)
    with pytest.raises(UsageError, match=said) as raised:
        load(str(tmp_path))
    assert "lint.toml" in str(raised.value)


def test_all_that_is_wrong_is_told_at_once(tmp_path: Path) -> None:
    """A line for each."""
    write(tmp_path / ".gemba" / "lint.toml", 'selct = []\nignore = "GS2"\n')
    with pytest.raises(UsageError) as raised:
        load(str(tmp_path))
    assert len(str(raised.value).splitlines()) == 2


def write(path: Path, text: str) -> None:
    """The file, with the folders around it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
