"""The resolver: at most one skill leads, and it is never guessed which."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gemba_core.skills.mentions.expand import Expansion, expand_with
from gemba_core.skills.mentions.resolve import Resolution, resolve
from gemba_core.skills.mentions.scan import scan
from gemba_core.skills.registry import Registry, discover
from gemba_core.skills.skill import LIFECYCLES, Skill
from tests.skills.mentions.library import Shelf, skill, write
from tests.skills.shelf import put_plugin, put_standard

SPEC = Path(__file__).parent / "fixtures" / "skill_invocation.md"
# Where the specification names its own client's commands.
COMMANDS = {"/skill list": "gemba skills list", "/skill enable": "gemba skills enable"}

BOTH = (skill("systematic-debugging"), skill("test-driven-development", aliases=["tdd"]))
DEBUGGING = (
    skill("systematic-debugging"),
    skill("root-cause-debugging"),
    skill("superpowers:systematic-debugging"),
)


def resolved(text: str, registry: Registry) -> Resolution:
    """What the text comes to."""
    return resolve(scan(text), registry)


def leading(text: str, registry: Registry) -> str | None:
    """The id of the skill that leads."""
    activation = resolved(text, registry).activation
    return activation.skill.id if activation else None


def messages(text: str, registry: Registry) -> list[str]:
    """What the person is told instead."""
    return [one.message for one in resolved(text, registry).diagnoses]


def expanded(text: str, *names: str) -> Expansion:
    """The text, with skills of these names whose body is a file."""
    path = str(SPEC)
    return expand_with(text, scan(text), Shelf(*(skill(name, path=path) for name in names)))


def outcome(row: str) -> str:
    """What the specification's table says of that input, in our commands' words."""
    [found] = re.findall(rf"^\| `{re.escape(row)}.*?\| (.*) \|$", SPEC.read_text(), re.MULTILINE)
    for theirs, ours in COMMANDS.items():
        found = found.replace(theirs, ours)
    return str(found)


def test_an_exact_name_leads() -> None:
    """Its body is there, and the rest of the line is the task."""
    row = "$systematic-debugging fix the auth bug"
    found = expanded(row, "systematic-debugging", "debugging")
    assert f'`{found.said[0]}`, body loaded, task = "{found.task}"' in outcome(row)
    assert found.body.startswith("# Skill Invocation Design")
    assert found.guidance().startswith("Using skill: systematic-debugging\n\n# Skill Invocation")


def test_a_namespaced_name_leads() -> None:
    """Under its whole id."""
    row = "$github:gh-fix-ci inspect failing checks"
    found = expanded(row, "github:gh-fix-ci", "gh-fix-ci")
    assert f"`{found.said[0]}`, body loaded" in outcome(row)


@pytest.mark.parametrize(
    ("row", "text", "registry"),
    [
        ("$nope do a thing", "$nope do a thing", Shelf(*BOTH)),
        ("$debugging ...", "$debugging now", Shelf(*DEBUGGING)),
        ("$systematic-debug ...", "$systematic-debug now", Shelf(*BOTH)),
        ("$aleph ...", "$aleph now", Shelf(skill("aleph"), off=["aleph"])),
        ("$tdd $systematic-debugging ...", "$tdd $systematic-debugging now", Shelf(*BOTH)),
    ],
)
def test_a_mention_that_leads_nowhere_is_explained_word_for_word(
    row: str, text: str, registry: Registry
) -> None:
    """As the specification's table has it; nothing leads."""
    found = resolved(text, registry)
    assert found.activation is None
    [diagnosis] = found.diagnoses
    assert f'"{diagnosis.message}"' in outcome(row)


@pytest.mark.parametrize("text", ["`echo $tdd`", "```\necho $tdd\n```", '"echo $tdd"'])
def test_a_mention_in_code_is_none(text: str) -> None:
    """Though there is such a skill."""
    assert resolved(text, Shelf(*BOTH)) == Resolution(None, ())


def test_a_name_that_is_not_exact_never_leads() -> None:
    """However near it is, in the case of its letters too."""
    assert messages("$Systematic-Debugging", Shelf(*BOTH)) == [
        "No exact skill 'Systematic-Debugging'. Did you mean $systematic-debugging?"
    ]
    assert leading("$Systematic-Debugging", Shelf(*BOTH)) is None


def test_an_exact_name_wins_over_all_that_resemble_it() -> None:
    """Unconditionally."""
    assert leading("$systematic-debugging", Shelf(*DEBUGGING)) == "systematic-debugging"


def test_a_name_is_looked_up_as_it_stands_first() -> None:
    """And then without what ends a sentence."""
    registry = Shelf(skill("tdd"), skill("tdd."))
    assert leading("Use $tdd.", registry) == "tdd."
    assert leading("Use ($tdd).", registry) == "tdd"
    assert messages("Use ($nope!)", registry)[0].startswith("No skill named 'nope'.")


def test_a_doubtful_name_leads_only_if_it_is_exact() -> None:
    """Else it is not worth a word."""
    assert resolved("$PATH and $user->name", Shelf(skill("path"))) == Resolution(None, ())
    assert leading("look at $PATH", Shelf(skill("PATH"))) == "PATH"


def test_an_alias_leads_and_says_so() -> None:
    """In the words of the skill's own id."""
    found = resolved("$tdd now", Shelf(*BOTH))
    assert found.activation is not None
    assert found.activation.skill.id == "test-driven-development"
    assert found.activation.remarks == ("$tdd is an alias of test-driven-development.",)


@pytest.mark.parametrize("text", ["$tdd $tdd", "$tdd and $test-driven-development."])
def test_the_same_skill_twice_is_one(text: str) -> None:
    """Under whichever of its names."""
    assert leading(text, Shelf(*BOTH)) == "test-driven-development"


def test_of_three_skills_one_is_to_be_chosen() -> None:
    """In the order of their mentions."""
    registry = Shelf(skill("a"), skill("b"), skill("n:c"))
    assert messages("$n:c $b $a $b", registry) == [
        "Choose one skill to lead this turn: $n:c, $b or $a."
    ]


def test_one_skill_leads_beside_names_that_are_none() -> None:
    """They are explained all the same."""
    found = resolved("$tdd for $nope", Shelf(*BOTH))
    assert found.activation is not None
    assert [one.code for one in found.diagnoses] == ["unknown"]


@pytest.mark.parametrize(
    ("lifecycle", "replaced_by", "leads", "said"),
    [
        ("active", None, True, []),
        ("deferred", None, True, []),
        ("hidden", None, True, []),
        ("deprecated", None, True, ["Skill 'old' is deprecated."]),
        ("deprecated", "new", True, ["Skill 'old' is deprecated; use $new instead."]),
        ("removed", None, False, ["Skill 'old' was removed."]),
        ("removed", "new", False, ["Skill 'old' was removed; use $new instead."]),
    ],
)
def test_a_skill_s_life_decides_whether_it_leads(
    lifecycle: str, replaced_by: str | None, leads: bool, said: list[str]
) -> None:
    """Old names go on working until they are removed, and say what replaces them."""
    old = skill("old", lifecycle=lifecycle, replaced_by=replaced_by)
    found = resolved("$old", Shelf(old))
    assert (found.activation is not None) == leads
    remarks = found.activation.remarks if found.activation else ()
    assert [*remarks, *(one.message for one in found.diagnoses)] == said


def test_candidates_are_told_in_the_order_in_which_they_are_found(tmp_path: Path) -> None:
    """The workspace's own before the person's, plugins last: so in the specification's table."""
    write(tmp_path, "systematic-debugging")
    put_standard(Path.home() / ".claude/skills", "root-cause-debugging")
    put_standard(put_plugin(Path.home(), "superpowers"), "systematic-debugging")
    said = messages("$debugging now", discover(str(tmp_path)))
    assert f'"{said[0]}"' in outcome("$debugging ...")


def test_only_what_can_lead_is_suggested() -> None:
    """Neither what is hidden or removed, nor what is switched off."""
    registry = Shelf(
        skill("plan-a", lifecycle="hidden"),
        skill("plan-b", lifecycle="removed"),
        skill("plan-c"),
        skill("plan-d"),
        off=["plan-d"],
    )
    assert messages("$plan", registry) == ["No exact skill 'plan'. Did you mean $plan-c?"]


def test_a_broken_skill_is_named_with_its_fault() -> None:
    """Instead of being unknown; by its name, or below its namespace."""
    registry = Shelf(skill("team:tdd", problem="line 3: no mapping", path="/s/tdd.md"))
    for name in ("tdd", "team:tdd"):
        assert messages(f"${name}", registry) == [
            f"Skill '{name}' is broken: line 3: no mapping. See /s/tdd.md."
        ]


def test_what_is_suggested_can_be_written() -> None:
    """A name of several words by its alias: a mention ends at the first blank."""
    test = skill("Security Tests", aliases=["security-tests"])
    plan = skill("Security Plan", aliases=["security-plan"])
    registry = Shelf(test, plan)
    assert messages("$security-t", registry) == [
        "No exact skill 'security-t'. Did you mean $security-tests?"
    ]
    assert messages("$security", registry)[0].endswith("use $security-tests or $security-plan.")
    assert messages("$security-tests $security-plan", registry) == [
        "Choose one skill to lead this turn: $security-tests or $security-plan."
    ]


def test_many_candidates_are_counted() -> None:
    """And the first ones named; without a namespace among them, any of them will do."""
    [said] = messages("$plan", Shelf(*(skill(f"plan-{number:02}") for number in range(30))))
    assert said.startswith("$plan matched 30 skills: plan-00, plan-01, ")
    assert "plan-09 and 20 more — use $plan-00, " in said
    assert said.endswith("or $plan-09.")


def test_many_unknown_names_are_counted() -> None:
    """A program that was pasted without a fence does not bury what is said."""
    said = messages(" ".join(f"$var{number}" for number in range(50)), Shelf(*BOTH))
    assert len(said) == 4
    assert said[-1] == "47 more names lead to no skill either."


def test_what_is_wrong_with_the_settings_is_said() -> None:
    """The skills stay available."""
    registry = Shelf(*BOTH, problems=["disabled.toml: not read"])
    assert leading("$tdd", registry) == "test-driven-development"
    assert messages("$tdd", registry) == ["disabled.toml: not read"]


_NAME = st.sampled_from(["a", "ab", "abc", "n:a", "n:ab", "PATH", "a.", "A"])
_SKILL = st.builds(
    skill,
    _NAME,
    aliases=st.lists(_NAME, max_size=2),
    lifecycle=st.sampled_from(LIFECYCLES),
    replaced_by=st.none() | _NAME,
    problem=st.none() | st.just("broken"),
    path=st.sampled_from([str(SPEC), "/nowhere/at.all"]),
)
_TEXT = st.lists(
    st.one_of(st.just(" "), st.just("`"), st.just("\n"), _NAME.map("${}".format), st.text()),
    max_size=12,
).map("".join)


@given(_TEXT, st.lists(_SKILL, max_size=8), st.lists(_NAME, max_size=3), st.integers(0, 200))
def test_any_text_and_any_skills_come_to_one_leader_at_most(
    text: str,
    skills: list[Skill],
    off: list[str],
    limit: int,
) -> None:
    """It was mentioned exactly, is switched on and readable; what is said keeps its limit."""
    registry = Registry(skills, off)
    found = expand_with(text, scan(text), registry)
    if found.skill is not None:
        known = {found.skill.id, f"{found.skill.source}:{found.skill.name}", *found.skill.aliases}
        assert known & {name for one in found.mentions for name in (one.name, one.bare)}
        assert found.skill.id not in off
        assert found.skill.lifecycle != "removed"
        assert found.body == SPEC.read_text()
    assert len(found.guidance(limit)) <= limit
    assert all("\n" not in line for line in found.said)
