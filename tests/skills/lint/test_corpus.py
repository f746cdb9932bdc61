"""Generated skills: every planted fault is found at its line, and nothing else anywhere."""

from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st

from tests.skills.lint.written import BODY, coach, found, manager

# What good skills hold, each fine beside any other. {role} is the skill's own.
GOOD = (
    "You look over what the team has done, and say what you see.\n",
    "## What to look for\n",
    "- Names that say something else than the code does.\n- Errors that are never told.\n",
    "1. Read the plan.\n2. Do not change it.\n   Never guess: ask.\n",
    "| what | where |\n|---|---|\n| plan | `plan.md` |\n| don't | touch `old/` |\n",
    "```python\nprint('never')  # it is fine\n```\n",
    "```sh\nmake test || echo 'it fails'\ngit log --oneline | head -5 > log.txt\n```\n",
    "> Somebody said: do not stop at the first error.\n",
    "<details>\nMore of it\n</details>\n",
    "Call `gemba-ask --kind question --role {role}` when you are not sure.\n",
    '```sh\ngemba-ask --kind question --role {role} \\\n  --text "<what to ask>"\n```\n',
    "Or so:\n\n    gemba-ask --role {role} --kind=question --text 'Which?' --option a\n",
    "If `gemba-ask` exits with 2, record your assumption and go on.\n",
    "## Questions\n\n- Which key is the right one?\n",
    "In balanced mode keep working; in cautious mode wait for the reply.\n",
    "A guardrail that is violated is the end of it.\n",
    "Never write to the session log yourself.\n",
    "Do not use `AskUserQuestion`.\n",
)
GOOD_MANAGER = (
    '```sh\ngemba-ask --kind blocker --role manager --text "…"\ngemba-state prompting\n```\n',
    'Call `gemba-ask --kind blocker --role manager --text "…"` and then `gemba-state prompting`.\n',
)
GOOD_COACH = (
    "Never call `gemba-ask --role coach --kind blocker`: it is refused.\n",
    "A coach must not raise a blocker.\n",
)


@dataclass(frozen=True)
class Planted:
    """A fault: the rule that finds it, and in which of its lines."""

    rule: str
    line: int
    text: str


BOTH = (
    Planted("GS109", 1, "```sh\ngemba-ask --kind idea --role {role} --text x\n```\n"),
    Planted("GS109", 2, "```sh\ntrue\ngemba-ask --kind question --role {role}\n```\n"),
    Planted("GS109", 0, "Try `gemba-ask --urgent`.\n"),
    Planted("GS110", 0, "In dangerous mode run `gemba-ask --kind question --role {role}`.\n"),
    Planted("GS111", 1, "```\necho '{}' >> ~/.gemba/sessions/a.jsonl\n```\n"),
    Planted("GS111", 1, '```json\n{"hook": "GembaAsk"}\n```\n'),
    Planted("GS112", 1, "```sh\nread -p 'Go on?' answer\n```\n"),
    Planted("GS112", 1, "- one\n- Ask with AskUserQuestion.\n"),
    Planted("GS114", 0, "In cautious mode, ask before each step.\n"),
    Planted("GS114", 1, '```sh\n[ "$GEMBA_INTERACTION_MODE" = balanced ] && make\n```\n'),
)
COACH = (
    *BOTH,
    Planted("GS105", 1, "```sh\ngemba-ask \\\n  --role coach --kind=blocker --text x\n```\n"),
    Planted("GS105", 1, "> Words\n> When stuck, `gemba-ask --kind=blocker`.\n"),
    Planted("GS105", 2, "| a | b |\n|---|---|\n| c | `gemba-ask --kind 'blocker'` |\n"),
    Planted("GS106", 1, "Words, and\nnever `gemba-ask --kind blocker`.\n"),
    Planted("GS115", 0, "    gemba-ask --kind question --role manager --text x\n"),
)
MANAGER = (
    *BOTH,
    Planted("GS113", 2, "Where a guardrail is violated:\n\n    gemba-ask --kind question "
            "--role manager --text x\n"),
    Planted("GS115", 0, "    gemba-ask --kind question --role coach --text x\n"),
)  # fmt: skip


def good(of_variety: tuple[str, ...]) -> st.SearchStrategy[list[str]]:
    """Some good blocks, in any order."""
    return st.lists(st.sampled_from((*GOOD, *of_variety)), max_size=8)


# A title ends what the blocks before it may have begun.
THEN = "## Then\n"


def body(blocks: list[str], role: str) -> str:
    """Blocks behind a sentence that names gemba-ask, an empty line between them."""
    return "\n".join(["Ask with `gemba-ask`.\n", *blocks]).replace("{role}", role)


@given(good(GOOD_COACH))
def test_good_coaches_have_no_finding(blocks: list[str]) -> None:
    """Whatever they hold."""
    assert found(coach(body(blocks, "coach"))) == []


@given(good(GOOD_MANAGER))
def test_good_managers_have_no_finding(blocks: list[str]) -> None:
    """Whatever they hold."""
    assert found(manager(body(blocks, "manager"))) == []


@given(good(GOOD_COACH), st.sampled_from(COACH), good(GOOD_COACH))
def test_a_fault_in_a_coach_is_found_at_its_line(
    before: list[str], planted: Planted, after: list[str]
) -> None:
    """That one alone, wherever it stands."""
    line = BODY + body([*before, THEN], "coach").count("\n") + 1 + planted.line
    assert found(coach(body([*before, THEN, planted.text, *after], "coach"))) == [
        (planted.rule, line)
    ]


@given(good(GOOD_MANAGER), st.sampled_from(MANAGER), good(GOOD_MANAGER))
def test_a_fault_in_a_manager_is_found_at_its_line(
    before: list[str], planted: Planted, after: list[str]
) -> None:
    """That one alone, wherever it stands."""
    line = BODY + body([*before, THEN], "manager").count("\n") + 1 + planted.line
    assert found(manager(body([*before, THEN, planted.text, *after], "manager"))) == [
        (planted.rule, line)
    ]


@given(good(()), good(()))
def test_a_blocker_without_prompting_is_found_at_its_line(
    blocks: list[str], after: list[str]
) -> None:
    """Whatever stands around it."""
    blocker = '```sh\ngemba-ask --kind blocker --role manager --text "…"\n```\n'
    line = BODY + body(blocks, "manager").count("\n") + 2
    assert found(manager(body([*blocks, blocker, *after], "manager"))) == [("GS108", line)]
