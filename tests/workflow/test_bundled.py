"""The script-driven skills that come with Gemba, on an agent that does what it is told."""

import pytest

from tests.workflow.project import Project, answer

_RESEARCHER = """\
case "$out" in
00-scout.md) printf '# Scout\\n\\n### 1. How fast is it?\\n\\n### 2. How safe is it?\\n' ;;
VERIFY.md) printf 'All looked up.\\n\\nVerdict: %s\\n' "$(cat verdict)" ;;
*) echo "result of $out" ;;
esac
"""
_DEVELOPER = """\
case "$out" in
check-*) n=${out#check-}; n=${n%.md}; echo
  if [ "$n" -ge "$(cat verdict)" ]; then echo "Verdict: pass"; else echo "Verdict: fail"; fi ;;
*) echo "result of $out" ;;
esac
"""
ALONE = ("--mode", "dangerous")


def prepared(project: Project, does: str, *, says: str, **begins: str) -> None:
    """The agent; `says`: what its verdict depends on; and what the workspace begins with."""
    project.agent(does)
    (project.root / "verdict").write_text(says)
    (project.root / "ws").mkdir()
    for name, text in begins.items():
        (project.root / "ws" / name.replace("_", ".")).write_text(text)


@pytest.mark.parametrize("name", ["gemba-research", "gemba-change"])
def test_the_check_finds_nothing(project: Project, name: str) -> None:
    """With the samples that lie beside them they reach their end."""
    done = project.gemba("check", name)
    assert done.returncode == 0, done.stdout
    assert "done; problems: 0" in done.stdout


def test_research_goes_from_question_to_verdict(project: Project) -> None:
    """Each sub-question has an agent of its own; each phase reads what it needs."""
    prepared(project, _RESEARCHER, question_txt="How good is it?\n", says="holds")
    done = project.run(*ALONE, skill="gemba-research")
    assert done.returncode == 0, done.stderr
    runs = project.runs()
    assert sorted(runs[1:3]) == ["01-how-fast-is-it.md", "02-how-safe-is-it.md"]
    assert [runs[0], *runs[3:]] == ["00-scout.md", "FINAL.md", "VERIFY.md"]
    actions = project.root / "ws/.workflow/actions"
    assert "> How safe is it?" in (actions / "2.2/prompt.md").read_text()
    assembled = (actions / "3.1/prompt.md").read_text()
    assert "How good is it?" in assembled
    assert "result of 01-how-fast-is-it.md" in assembled
    assert "{{" not in assembled


def test_research_without_a_question_asks_for_it(project: Project) -> None:
    """The person's words are the question."""
    project.agent(_RESEARCHER)
    (project.root / "verdict").write_text("holds")
    with project.running("run", "gemba-research", "ws") as process:
        answer(project.escalation()["id"], "respond", "How good is it?")
        assert process.wait(60) == 0
    assert project.files()["question.txt"] == b"How good is it?\n"


@pytest.mark.parametrize(
    ("does", "verdict", "why"),
    [
        ('echo "no idea"', "", "00-scout.md has 0 sub-questions"),
        (_RESEARCHER, "fails", "claims that do not hold"),
        (_RESEARCHER, "perhaps", "has no line `Verdict: holds`"),
    ],
)
def test_the_gates_of_research_hold(project: Project, does: str, verdict: str, why: str) -> None:
    """A scout without sub-questions, an answer that does not hold, no verdict."""
    prepared(project, does, question_txt="How good is it?\n", says=verdict)
    done = project.run(*ALONE, skill="gemba-research")
    assert done.returncode == 3
    assert why in done.stderr


@pytest.mark.parametrize("empty", ["02-how-safe-is-it.md", "FINAL.md"])
def test_an_empty_answer_does_not_pass_for_one(project: Project, empty: str) -> None:
    """Nothing is built on it; it can be had again."""
    does = f'[ "$out" != {empty} ] || exit 0\n{_RESEARCHER}'
    prepared(project, does, question_txt="How good is it?\n", says="holds")
    done = project.run(*ALONE, skill="gemba-research")
    assert done.returncode == 3
    assert f"{empty} is empty" in done.stderr
    assert "VERIFY.md" not in project.runs()


@pytest.mark.parametrize(
    ("empty", "begins"), [("PLAN.md", {}), ("implemented-1.md", {"approval_txt": "go\n"})]
)
def test_an_empty_plan_or_report_does_not_pass_for_one(
    project: Project, empty: str, begins: dict[str, str]
) -> None:
    """Nobody is asked to approve of nothing, and nothing is checked."""
    does = f'[ "$out" != {empty} ] || exit 0\n{_DEVELOPER}'
    prepared(project, does, task_md="Make it blue.\n", says="1", **begins)
    done = project.run(*ALONE, skill="gemba-change")
    assert done.returncode == 3
    assert f"{empty} is empty" in done.stderr
    assert project.runs()[-1] == empty


@pytest.mark.parametrize(
    ("skill", "judges", "quoted", "last", "why"),
    [
        ("gemba-research", "VERIFY.md", "holds", "fails", "claims that do not hold"),
        ("gemba-change", "check-*", "pass", "fail", "still fails after 3 rounds"),
    ],
)
def test_the_last_verdict_counts(
    project: Project, skill: str, judges: str, quoted: str, last: str, why: str
) -> None:
    """A report may quote others above, in bytes that are no text."""
    does = (
        f'case "$out" in {judges}) printf "\\377\\nVerdict: {quoted}\\n\\nVerdict: {last}\\n" ;;\n'
        "00-scout.md) echo '### 1. How?' ;;\n*) echo result ;; esac"
    )
    begins = {"question_txt": "How?\n", "task_md": "Make it blue.\n", "approval_txt": "go\n"}
    prepared(project, does, says="", **begins)
    done = project.run(*ALONE, skill=skill)
    assert done.returncode == 3
    assert why in done.stderr


def test_no_plan_is_carried_out_where_nobody_may_be_asked(project: Project) -> None:
    """Dangerous mode stops at the plan: nobody has approved of it."""
    prepared(project, _DEVELOPER, task_md="Make it blue.\n", says="1")
    assert project.run(*ALONE, skill="gemba-change").returncode == 3
    assert project.runs() == ["PLAN.md"]


@pytest.mark.parametrize(
    ("passes", "code", "rounds"), [("1", 0, 1), ("2", 0, 2), ("3", 0, 3), ("9", 3, 3)]
)
def test_a_change_is_checked_up_to_three_times(
    project: Project, passes: str, code: int, rounds: int
) -> None:
    """Each round begins with what the last check has found."""
    prepared(project, _DEVELOPER, task_md="Make it blue.\n", approval_txt="go\n", says=passes)
    done = project.run(*ALONE, skill="gemba-change")
    assert done.returncode == code, done.stderr
    expected = [f"{what}-{n + 1}.md" for n in range(rounds) for what in ("implemented", "check")]
    assert project.runs() == ["PLAN.md", *expected]
    if rounds > 1:
        prompt = (project.root / "ws/.workflow/actions/4.1/prompt.md").read_text()
        assert "Verdict: fail" in prompt


def test_nothing_is_touched_before_the_plan_is_approved(project: Project) -> None:
    """The plan is in the question; a no stops the run, and a mended plan is asked about again."""
    prepared(project, _DEVELOPER, task_md="Make it blue.\n", says="1")
    with project.running("run", "gemba-change", "ws") as process:
        found = project.escalation()
        assert found["urgency"] == "blocking"
        assert "result of PLAN.md" in found["prompt"]
        answer(found["id"], "respond", "no")
        gate = project.escalation()
        assert "not approved" in gate["prompt"]
        assert project.runs() == ["PLAN.md"]
        (project.root / "ws" / "approval.txt").unlink()
        answer(gate["id"], "respond", "retry")
        answer(project.escalation()["id"], "respond", "go")
        assert process.wait(60) == 0
    assert project.runs() == ["PLAN.md", "implemented-1.md", "check-1.md"]
