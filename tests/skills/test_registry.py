"""What is found where, which of two counts, and what a broken file costs."""

import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gemba_core import home
from gemba_core.skills.cache import checked
from gemba_core.skills.document import parse
from gemba_core.skills.folders import USUAL
from gemba_core.skills.registry import Registry, discover
from gemba_core.skills.skill import LIFECYCLES, Skill, said
from tests.skills.shelf import put, put_plugin, put_standard

OWN = ".gemba/skills"


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """An empty folder to work in."""
    folder = tmp_path / "workspace"
    folder.mkdir()
    return folder


@pytest.fixture
def user() -> Path:
    """The person's home folder."""
    return Path.home()


def found(workspace: Path) -> Registry:
    """The skills of that workspace."""
    return discover(str(workspace))


def ids(registry: Registry) -> list[str]:
    """What is listed, without what comes with Gemba."""
    return [skill.id for skill in registry.list() if skill.source != "bundled"]


def skill(registry: Registry, name: str) -> Skill:
    """The skill of that name, which there is."""
    one = registry.get(name)
    assert one is not None
    return one


def written(text: str, form: str = "gemba") -> Skill:
    """The skill that a file of this text is."""
    path = "/w/folder/SKILL.md" if form == "standard" else "/w/file.md"
    return Skill(*said(parse(path, text.encode()), form), path, form, "/w", "gemba")


@pytest.mark.parametrize("folder", USUAL)
def test_skills_are_found_where_people_have_them(workspace: Path, user: Path, folder: str) -> None:
    """In the workspace and below the home folder, in both forms."""
    put(workspace / folder, "one")
    put_standard(workspace / folder, "two")
    if folder == OWN:
        folder = os.path.relpath(os.path.join(home.home(), "skills"), user)
    put_standard(user / folder, "three")
    assert ids(found(workspace)) == ["one", "three", "two"]
    assert skill(found(workspace), "one").form == "gemba"
    assert skill(found(workspace), "two").form == "standard"


def test_the_nearest_folder_upwards_counts_for_each_kind(workspace: Path) -> None:
    """As it is for agents.toml."""
    inner = workspace / "packages" / "a"
    inner.mkdir(parents=True)
    put(workspace / OWN, "outer")
    put(inner / ".claude/skills", "inner")
    put(workspace / ".claude/skills", "hidden-by-the-nearer")
    assert ids(found(inner)) == ["inner", "outer"]


def test_first_found_wins_and_the_others_are_reported(workspace: Path, user: Path) -> None:
    """Gemba's own folder before a client's, the workspace before the home folder."""
    first = put(workspace / OWN, "one")
    second = put_standard(workspace / ".claude/skills", "one")
    third = put_standard(user / ".agents/skills", "one")
    registry = found(workspace)
    assert skill(registry, "one").path == str(first)
    assert [shadowed.skill.path for shadowed in registry.shadowed] == [str(second), str(third)]
    assert {shadowed.by.path for shadowed in registry.shadowed} == {str(first)}


def test_a_shadowed_skill_is_reached_by_its_source(workspace: Path) -> None:
    """`claude:one` is the one of .claude/skills."""
    put(workspace / OWN, "one")
    second = put_standard(workspace / ".claude/skills", "one")
    assert skill(found(workspace), "claude:one").path == str(second)


def test_bundled_skills_are_found_last(workspace: Path) -> None:
    """A copy in the workspace takes the place of one."""
    assert skill(found(workspace), "gemba-walk").source == "bundled"
    copy = put(workspace / OWN, "gemba-walk")
    assert skill(found(workspace), "gemba-walk").path == str(copy)
    assert skill(found(workspace), "bundled:gemba-walk").source == "bundled"


def test_what_several_links_lead_to_is_there_once(workspace: Path) -> None:
    """A client's folder that is a link to another one shadows nothing; nor does a linked skill."""
    put_standard(workspace / ".agents/skills", "one")
    (workspace / ".claude").mkdir()
    (workspace / ".claude/skills").symlink_to("../.agents/skills")
    (workspace / ".codex/skills").mkdir(parents=True)
    (workspace / ".codex/skills/one").symlink_to("../../.agents/skills/one")
    registry = found(workspace)
    assert ids(registry) == ["one"]
    assert registry.shadowed == ()


def test_a_folder_without_a_skill_is_a_namespace(workspace: Path) -> None:
    """Its skills, its `skills/` too, have its name in front, and no bare name."""
    put_standard(workspace / OWN / "github", "gh-fix-ci")
    put(workspace / OWN / "github" / "skills", "gh-review")
    put_standard(workspace / OWN / "github" / "deeper", "no-skill")
    registry = found(workspace)
    assert ids(registry) == ["github:gh-fix-ci", "github:gh-review"]
    assert registry.get("gh-fix-ci") is None
    assert skill(registry, "github:gh-fix-ci").namespace == "github"


def test_skills_of_claude_plugins_have_the_plugins_name(workspace: Path, user: Path) -> None:
    """As Claude Code calls them."""
    put_standard(put_plugin(user, "superpowers"), "systematic-debugging")
    assert ids(found(workspace)) == ["superpowers:systematic-debugging"]


def test_a_plugin_that_is_switched_off_has_no_skills(workspace: Path, user: Path) -> None:
    """Its files are still there."""
    put_standard(put_plugin(user, "superpowers", enabled=False), "systematic-debugging")
    assert ids(found(workspace)) == []


@pytest.mark.parametrize("text", ["", "[1", '{"plugins": 3}', '{"plugins": {"a@b": [3]}}'])
def test_a_strange_list_of_plugins_costs_only_itself(
    workspace: Path, user: Path, text: str
) -> None:
    """It is another program's file."""
    put(workspace / OWN, "one")
    put_plugin(user, "p")
    (user / ".claude/plugins/installed_plugins.json").write_text(text)
    assert ids(found(workspace)) == ["one"]


def test_the_folders_are_configurable(workspace: Path, user: Path) -> None:
    """Relative ones as the usual ones are looked for, others as they stand."""
    put(workspace / OWN, "not-asked-for")
    put(workspace / "prompts", "one")
    put(user / "prompts", "two")
    put(user / "team", "three")
    put(workspace / "elsewhere", "four")
    listed = f'["prompts", "~/team", "{workspace}/elsewhere"]'
    configure(f"[skills]\nfolders = {listed}\n")
    registry = found(workspace)
    assert ids(registry) == ["four", "one", "three", "two"]
    assert skill(registry, "team:three").source == "team"


@pytest.mark.parametrize("text", ["[skills]\nfolders = 3\n", '[skills]\nfolders = [""]\n', "[skil"])
def test_a_wrong_configuration_means_the_usual_folders(workspace: Path, text: str) -> None:
    """And says so."""
    put(workspace / OWN, "one")
    configure(text)
    registry = found(workspace)
    assert ids(registry) == ["one"]
    (problem,) = registry.problems
    assert home.config_path() in problem


def configure(text: str) -> None:
    """Write the operator's configuration."""
    path = Path(home.config_path())
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


BROKEN = {
    "binary.md": b"\0\1\2\xff" * 100,
    "large.md": b"# Large\n" + b"x" * (10 << 20),
    "yaml.md": b"---\nskill_id: [\n---\n",
    "nameless.md": b"some text\n",
    "empty.md": b"",
    "unclosed.md": b"---\nskill_id: a\n",
    "lifecycle.md": b"---\nskill_id: l\nlifecycle: asleep\n---\n",
    "tools.md": b"---\nskill_id: t\ntools: no\n---\n",
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_file_costs_only_itself(workspace: Path, name: str) -> None:
    """It is listed with its path and what is wrong, and is never found by a name."""
    put(workspace / OWN, "one")
    (workspace / OWN / name).write_bytes(BROKEN[name])
    registry = found(workspace)
    assert ids(registry) == ["one"]
    (broken,) = registry.broken
    assert broken.path == str(workspace / OWN / name)
    assert broken.problem
    assert registry.get(broken.id) is None


def test_links_that_loop_cost_only_themselves(workspace: Path) -> None:
    """A file, a folder, and a folder that holds itself."""
    folder = workspace / OWN
    put(folder, "one")
    (folder / "loop.md").symlink_to("loop.md")
    (folder / "round").symlink_to("round")
    (folder / "self").symlink_to(".")
    (folder / "gone.md").symlink_to("nowhere.md")
    (folder / "half").mkdir()
    (folder / "half" / "SKILL.md").symlink_to("SKILL.md")
    registry = found(workspace)
    assert ids(registry) == ["one"]
    assert {broken.name for broken in registry.broken} == {"loop", "round", "gone", "half"}


def test_a_fifo_and_a_folder_in_a_files_place_cost_only_themselves(workspace: Path) -> None:
    """Nothing waits for a writer."""
    put(workspace / OWN, "one")
    os.mkfifo(workspace / OWN / "pipe.md")
    (workspace / OWN / "folder.md").mkdir()
    registry = found(workspace)
    assert ids(registry) == ["one"]
    assert [broken.name for broken in registry.broken] == ["pipe"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads every folder")
def test_an_unreadable_folder_costs_only_itself(workspace: Path) -> None:
    """It is listed as what cannot be read."""
    put(workspace / OWN, "one")
    shut = put(workspace / OWN / "shut", "two").parent
    shut.chmod(0)
    registry = found(workspace)
    shut.chmod(0o700)
    assert ids(registry) == ["one"]
    assert [broken.name for broken in registry.broken] == ["shut"]


def test_readmes_and_hidden_files_are_no_skills(workspace: Path) -> None:
    """They explain the folder, or belong to a program."""
    put(workspace / OWN, "readme", file="README")
    put(workspace / OWN, "draft", file=".draft")
    put(workspace / OWN / ".git", "config")
    assert ids(found(workspace)) == []


def test_a_folder_that_is_gone_still_has_the_others_skills(workspace: Path) -> None:
    """No workspace is no error."""
    assert found(workspace / "nowhere").get("gemba-walk") is not None


def test_a_name_is_skill_id_else_name_else_the_heading() -> None:
    """A folder's skill has the folder's name where it says none."""
    assert written("---\nskill_id: a\nname: b\n---\n# C\n").name == "a"
    assert written("---\nname: b\n---\n# C\n").name == "b"
    assert written("Before.\n# C d #\n").name == "C d"
    assert written("---\ndescription: x\n---\n# C\n", "standard").name == "folder"


def test_a_heading_of_several_words_has_an_alias_of_one() -> None:
    """Else no mention could hold it."""
    assert written("# Systematic Debugging!\n").aliases == ("systematic-debugging",)


def test_a_name_that_yaml_made_false_is_no_name() -> None:
    """`skill_id: no` is told, and not taken for a skill called `False`."""
    assert written("---\nskill_id: no\n---\n").problem


def test_tools_narrow_and_allowed_tools_do_not() -> None:
    """The standard's key pre-approves; only `narrow-tools: true` makes a limit of it."""
    assert written("---\nname: a\nallowed-tools: Read Grep\n---\n").tools is None
    narrow = "---\nname: a\nallowed-tools: Bash(git add *), Read\nnarrow-tools: true\n---\n"
    assert written(narrow).tools == ("Bash(git add *)", "Read")
    assert written("---\nname: a\ntools: [Read, Grep]\n---\n").tools == ("Read", "Grep")
    assert written("---\nname: a\ntools: []\n---\n").tools == ()


@pytest.mark.parametrize("key", ["tools", "allowed-tools"])
def test_tools_that_are_said_to_be_no_limit_are_none(key: str) -> None:
    """The key may be another program's, with another sense: then whatever it holds is fine."""
    found = written(f"---\nname: a\n{key}: 12\nnarrow-tools: false\n---\n")
    assert (found.tools, found.problem) == (None, None)


@pytest.mark.parametrize(
    ("text", "tools"),
    [
        ("Read", ("Read",)),
        (" Read,Grep ,  Glob ", ("Read", "Grep", "Glob")),
        ("Bash(git commit -m $(date), *) Read", ("Bash(git commit -m $(date), *)", "Read")),
        ("Bash(git add Read", ("Bash(git add Read",)),
        ("x) Read", ("x)", "Read")),
        ("''", ()),
    ],
)
def test_a_tool_keeps_its_argument(text: str, tools: tuple[str, ...]) -> None:
    """Cut off from it, it would allow more than was meant."""
    assert written(f"---\nname: a\ntools: {text}\n---\n").tools == tools


@pytest.mark.parametrize(
    "front",
    ["tools: no", "narrow-tools: true", "narrow-tools: 'true'\nallowed-tools: Read", "tools:"],
)
def test_a_limit_that_cannot_be_read_breaks_the_skill(front: str) -> None:
    """Else it would lead without any."""
    assert written(f"---\nname: a\n{front}\n---\n").problem


def test_hidden_and_removed_skills_are_found_but_not_listed(workspace: Path) -> None:
    """Old names keep working."""
    for lifecycle in LIFECYCLES:
        put(workspace / OWN, lifecycle, lifecycle=lifecycle)
    registry = found(workspace)
    assert ids(registry) == ["active", "deferred", "deprecated"]
    assert all(skill(registry, name).lifecycle == name for name in LIFECYCLES)


def test_an_alias_leads_to_its_skill_and_yields_to_names(workspace: Path) -> None:
    """A skill that is really called so is the one."""
    put(workspace / OWN, "test-driven-development", aliases="[tdd, other]")
    put(workspace / OWN, "other")
    registry = found(workspace)
    assert skill(registry, "tdd").id == "test-driven-development"
    assert skill(registry, "other").id == "other"


def test_names_are_exact(workspace: Path) -> None:
    """Neither beginnings nor other letters' case."""
    put(workspace / OWN, "systematic-debugging")
    registry = found(workspace)
    for near in ("systematic-debug", "Systematic-Debugging", "", "gemba:", ":"):
        assert registry.get(near) is None


def test_the_body_is_what_stands_below_the_front_matter(workspace: Path) -> None:
    """Read anew each time: it is what the agent follows."""
    path = put(workspace / OWN, "one", body="# One\n\nFirst.\n")
    registry = found(workspace)
    assert registry.body(skill(registry, "one")) == "# One\n\nFirst.\n"
    path.write_bytes(b"\xef\xbb\xbf---\r\nskill_id: one\r\n---\r\nSecond.\r\n")
    assert registry.body(skill(registry, "one")) == "Second.\n"


@pytest.mark.parametrize(
    "text", ["# " + "#" * 1_000_000 + "x", f"---\ntools: {'x(' * 30_000}\n---\n"]
)
def test_reading_is_linear(text: str) -> None:
    """No text makes it look again and again at the same place."""
    assert written(text).name


@given(st.binary() | st.binary().map(lambda data: b"---\n" + data + b"\n---\nbody"))
def test_any_bytes_are_a_skill_or_broken(data: bytes) -> None:
    """With a name in both cases, and the cache gives back what was put into it."""
    heard = said(parse("/w/file.md", data), "gemba")
    assert heard[0]
    assert checked(json.loads(json.dumps(heard))) == heard


WORDS = st.sampled_from(["a", "b", "a:b", "b:a", "", "é"])
SKILLS = st.builds(
    Skill,
    name=WORDS,
    variety=st.none(),
    description=st.just(""),
    lifecycle=st.sampled_from(LIFECYCLES),
    replaced_by=st.none(),
    aliases=st.lists(WORDS, max_size=2).map(tuple),
    tools=st.none(),
    problem=st.none() | st.just("broken"),
    path=st.integers().map(str),
    form=st.just("gemba"),
    where=st.just("/w"),
    source=WORDS,
    namespace=st.none() | WORDS,
)


@given(st.lists(SKILLS, max_size=6))
def test_every_skill_is_reached_shadowed_or_broken(skills: list[Skill]) -> None:
    """None is lost, whatever they are called; and each id leads to the first that has it."""
    registry = Registry(skills)
    assert len(registry.all()) + len(registry.shadowed) + len(registry.broken) == len(skills)
    for one in registry.all():
        assert registry.get(one.id) is one
        assert next(first for first in skills if first.id == one.id and not first.problem) is one
    assert set(registry.list()) <= set(registry.all())
