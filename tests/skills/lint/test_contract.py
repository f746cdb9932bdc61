"""The rest of the authoring contract."""

from pathlib import Path

import pytest

from tests.skills.lint.written import BODY, STANDARD, coach, findings, found, manager, rules

QUESTION = 'gemba-ask --kind question --role coach --text "…"'
BLOCKER = 'gemba-ask --kind blocker --role manager --text "…"'


def block(*lines: str) -> str:
    """A block of shell code."""
    return "\n".join(["```sh", *lines, "```", ""])


@pytest.mark.parametrize(
    ("path", "bound"),
    [
        ("skills/tidy.md", True),
        ("skills/team/tidy.md", True),
        (".gemba/skills/tidy.md", True),
        (".gemba/skills/tidy/SKILL.md", True),
        ("docs/tidy.md", False),
        ("skills/tidy/SKILL.md", False),
        (".claude/skills/tidy.md", False),
        (".claude/skills/tidy/SKILL.md", False),
        ("skills/team/deep/down/tidy.md", False),
    ],
)
def test_the_contract_binds_gembas_folders(path: str, bound: bool) -> None:
    """And not those of other clients, nor a standard skill that says nothing of a variety."""
    text = "---\nname: tidy\ndescription: d\n---\nBody\n"
    assert ("GS101" in rules(text, path)) == bound


@pytest.mark.parametrize("path", ["docs/tidy.md", STANDARD, ".claude/skills/tidy.md"])
def test_the_contract_binds_any_file_with_a_variety(path: str) -> None:
    """Wherever it lies."""
    text = "---\nname: tidy\nskill_id: tidy\nvariety: coach\ndescription: d\n---\nBody\n"
    assert rules(text, path) == {"GS107"}


@pytest.mark.parametrize("skills", ["skills", ".gemba/skills"])
def test_the_contract_binds_no_file_beside_a_skill_md(tmp_path: Path, skills: str) -> None:
    """It is a part of that skill, also where somebody names it."""
    folder = tmp_path / skills / "tidy"
    folder.mkdir(parents=True)
    path = str(folder / "more.md")
    assert "GS101" in rules("More of it.\n", path)
    (folder / "SKILL.md").touch()
    assert rules("More of it.\n", path) == set()


@pytest.mark.parametrize(
    "field",
    ["lifecycle: retired", "tools: 12", "narrow-tools: perhaps", "narrow-tools: true"],
)
def test_what_makes_a_skill_a_broken_one_is_found(field: str) -> None:
    """At its line, where the list of skills has it as broken."""
    text = coach("gemba-ask\n").replace("---\ngemba", f"{field}\n---\ngemba")
    assert found(text) == [("GS010", 5)]


def test_missing_keys_are_told_once_each_at_the_top() -> None:
    """Nothing is written where they should be."""
    text = "---\nlicense: MIT\n---\ngemba-ask\n"
    assert found(text) == [("GS101", 1), ("GS103", 1), ("GS104", 1)]


def test_empty_keys_are_told_where_they_are() -> None:
    """The key is there, its value is not."""
    text = '---\nskill_id: ""\nvariety:\ndescription: "  "\n---\ngemba-ask\n'
    assert found(text) == [("GS103", 2), ("GS101", 3), ("GS104", 4)]


def test_nothing_is_missing_in_front_matter_that_cannot_be_read() -> None:
    """The fault is told, and not what follows from it."""
    assert found("---\nskill_id: [\n---\ngemba-ask\n") == [("GS001", 3)]


@pytest.mark.parametrize(
    "body",
    [
        f"{block(BLOCKER)}\nThen call `gemba-state prompting` and wait.\n",
        block(BLOCKER, "gemba-state prompting"),
        f"After any blocker call `gemba-state prompting`.\n\n{block(BLOCKER)}",
        f"Call `{BLOCKER}` and then `gemba-state prompting --note waiting` before you wait.\n",
        f"Call {BLOCKER} and then gemba-state prompting before waiting.\n",
        f"Never call `{BLOCKER}`.\n",
        block(QUESTION.replace("coach", "manager")),
    ],
)
def test_a_manager_that_tells_of_prompting_is_fine(body: str) -> None:
    """Behind the blocker, or as a rule for all of them; and without one there is no need."""
    assert found(manager(body)) == []


@pytest.mark.parametrize(
    "body",
    [
        block(BLOCKER),
        block("gemba-state prompting", BLOCKER),
        f"{block(BLOCKER)}\nThen call `gemba-state working`.\n",
        f"{block(BLOCKER)}\nNever call `gemba-state prompting`.\n",
    ],
)
def test_a_blocker_without_prompting_is_found(body: str) -> None:
    """None at all, one before it, another state, or a forbidden one."""
    assert {rule for rule, _ in found(manager(body))} == {"GS108"}


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ('gemba-ask --kind idea --role coach --text "…"', "--kind is question or blocker"),
        ('gemba-ask --kind question --role boss --text "…"', "--role is coach or manager"),
        ('gemba-ask --type question --role coach --text "…"', "no option --type"),
        ("gemba-ask --kind question --role coach", "--text missing"),
        ('gemba-ask --role coach --text "…"', "--kind missing"),
        ('gemba-ask --kind question --text "…"', "--role missing"),
        ("gemba-ask", "--kind and --role and --text missing"),
        ("gemba-ask --kind question --role coach --text", "--text without a value"),
        ('gemba-ask --kind question --role coach --text ""', "--text is empty"),
        ("gemba-ask --kind question --role coach --text Use it?", "takes no word 'it?'"),
        (f"{QUESTION} --text-file f", "give one of them"),
        (f"{QUESTION} --timeout 5m", "--timeout goes with --wait"),
        (f"{QUESTION} --wait --timeout soon", "is no time"),
        (f"{QUESTION} --on-expiry cancel", "--on-expiry goes with --deadline"),
        (f"{QUESTION} --deadline soon", "is no time"),
        (f"{QUESTION} --deadline 1h --on-expiry approve", "wait, cancel or default=VALUE"),
        (f"{QUESTION} --deadline 1h --on-expiry default=", "wait, cancel or default=VALUE"),
        ("gemba-ask --resume 3f9c", "--resume goes with --wait"),
        ("gemba-ask --resume 3f9c --wait --kind question", "does not go with --kind"),
    ],
)
def test_a_call_that_gemba_ask_would_refuse_is_found(call: str, said: str) -> None:
    """With the reason, in its line."""
    found_ = [one for one in findings(coach(block(call))) if one.rule == "GS109"]
    assert [one.fault.at.line for one in found_] == [BODY + 1] * len(found_)
    assert any(said in one.fault.message for one in found_), found_


@pytest.mark.parametrize(
    "call",
    [
        QUESTION,
        "gemba-ask --kind <kind> --role <role> --text <your question>",
        'gemba-ask --kind question --role coach --text "$QUESTION" --bead $BEAD',
        'gemba-ask --kind question --role coach --text "$(cat need.md)"',
        "gemba-ask --kind question --role coach --text-file need.md [--bead ID]",
        "cat need.md | gemba-ask --kind question --role coach --text -",
        "gemba-ask --kind question --role coach --text-file - <<'EOF'\nWhich?\nEOF",
        "gemba-ask --kind question --role coach --text x --option blue=Blue --option green --wait",
        "gemba-ask --resume <id> --wait --timeout 10m --json",
        "gemba-ask --kind question --role coach --text …",
        "gemba-ask --kind question --role coach --text ...",
        f"{QUESTION} --deadline 2h --on-expiry default=no",
        "gemba-ask --help",
    ],
)
def test_a_call_that_gemba_ask_would_take_is_fine(call: str) -> None:
    """Placeholders stand for any value."""
    assert found(coach(block(call))) == []


def test_one_slip_in_an_option_is_one_finding() -> None:
    """The call is read as it was meant: nothing is missing, and no word is left over."""
    body = block('gemba-ask --kind question --role coach --txt "…"')
    assert found(coach(body)) == [("GS109", BODY + 1)]


def test_a_mention_within_a_sentence_need_not_be_complete() -> None:
    """But what is written of it must be right."""
    assert found(coach("Ask with `gemba-ask --kind question`.\n")) == []
    assert found(coach("Ask with `gemba-ask --kind quesion`.\n")) == [("GS109", BODY)]


@pytest.mark.parametrize(
    "body",
    [
        f"In dangerous mode call `{QUESTION}`.\n",
        f"In `dangerous` mode, too: `{QUESTION}`\n",
        f"## In dangerous mode\n\n{block(QUESTION)}",
        f"When the mode is dangerous:\n\n{block(QUESTION)}",
        f"## Dangerous\n\n{block(QUESTION)}",
        f"Under `dangerous`, call `{QUESTION}`.\n",
        block(f"GEMBA_INTERACTION_MODE=dangerous {QUESTION}"),
    ],
)
def test_asking_in_dangerous_mode_is_found(body: str) -> None:
    """It is refused there."""
    assert "GS110" in rules(coach(body))


@pytest.mark.parametrize(
    "body",
    [
        f"Do not call `{QUESTION}` in dangerous mode.\n",
        "In dangerous mode `gemba-ask` is refused: record your assumption and proceed.\n",
        f"Call `{QUESTION}`; in dangerous mode record an assumption.\n",
        f"Call `{QUESTION}`. In dangerous mode it is refused.\n",
        f"Unless you are in dangerous mode, call `{QUESTION}`.\n",
        f"In dangerous mode gemba-ask refuses. Else call `{QUESTION}`.\n",
    ],
)
def test_saying_that_dangerous_mode_refuses_is_fine(body: str) -> None:
    """The agent may know why."""
    assert "GS110" not in rules(coach(body))


@pytest.mark.parametrize(
    "body",
    [
        f"If the migration is dangerous, call `{QUESTION}`.\n",
        f"In dangerous places of the code call `{QUESTION}`.\n",
        f"## Dangerous commands\n\n{block(QUESTION)}",
    ],
)
def test_what_is_dangerous_is_not_the_mode(body: str) -> None:
    """The word has a sense of its own."""
    assert rules(coach(body)) == set()


@pytest.mark.parametrize(
    "body",
    [
        block("""echo '{"hook": "GembaAsk"}' >> log"""),
        block('printf "%s" "$line" >> ~/.gemba/sessions/s.jsonl'),
        block("tee -a $GEMBA_HOME/sessions/$ID.jsonl < frame"),
        '```json\n{"ts": "…", "hook": "GembaAsk", "payload": {}}\n```\n',
        "Append a GembaAsk frame to the session log.\n",
        "Then write it into the session's log.\n",
    ],
)
def test_a_log_that_is_written_by_hand_is_found(body: str) -> None:
    """In whatever language."""
    assert rules(coach(f"gemba-ask\n\n{body}")) == {"GS111"}


@pytest.mark.parametrize(
    "body",
    [
        "Never append a GembaAsk frame to the session log.\n",
        "`gemba-ask` writes a GembaAsk frame to the session log.\n",
        "Read the session log with `less ~/.gemba/sessions/s.jsonl`.\n",
        "Add the session log's path to the report.\n",
    ],
)
def test_speaking_of_the_log_is_fine(body: str) -> None:
    """It is there to be read."""
    assert rules(coach(f"gemba-ask\n\n{body}")) == set()


@pytest.mark.parametrize(
    "body",
    [
        block("echo 'Which key?' >> QUESTIONS.md"),
        block('read -p "Which key? " key'),
        block("read -rp 'Which key?' key"),
        block("notify-send 'I need you'"),
        block('curl -d \'{"text": "Which key?"}\' https://hooks.slack.com/services/x'),
        block("curl -X POST localhost:4000/api/escalations -d @ask.json"),
        "Ask with AskUserQuestion.\n",
        "Use the `request_user_input` tool.\n",
        "Append your questions to questions.md.\n",
        "Post the question to Slack.\n",
        block("osascript -e 'display notification \"Which key?\"'"),
    ],
)
def test_another_way_of_asking_is_found(body: str) -> None:
    """A file, a chat, a prompt of the shell, a client's own tool."""
    assert rules(coach(f"gemba-ask\n\n{body}")) == {"GS112"}


@pytest.mark.parametrize(
    "body",
    [
        "Do not write your questions to a file such as questions.md.\n",
        "Never use AskUserQuestion.\n",
        "Use `gemba-ask` instead of `AskUserQuestion`.\n",
        "## Questions\n\n- Which key? (also added the question to notes.md)\n",
        block("read -r line < todo.txt", "curl https://example.com/api | tee out.txt"),
        "Add a test to tests.md for each question.\n",
        "Run `python scripts/ask_question.py`, and read ask_question.py.\n",
        "Skip `AskUserQuestion` where the operator has said what to do.\n",
        block("osascript -e 'quit app \"Safari\"'"),
        block('# mail -s "CPU" admin@example.com', "date"),
    ],
)
def test_what_is_no_other_way_of_asking_is_fine(body: str) -> None:
    """Forbidding it, the echo, and commands that ask nobody."""
    assert rules(coach(f"gemba-ask\n\n{body}")) == set()


@pytest.mark.parametrize(
    "body",
    [
        "When a guardrail is violated call `gemba-ask --kind question --role manager`.\n",
        f"If a change would break a guardrail:\n\n{block(QUESTION.replace('coach', 'manager'))}",
        block('gemba-ask --kind question --role manager --text "Guardrail violation: <which>"'),
    ],
)
def test_a_guardrail_violation_as_a_question_is_found(body: str) -> None:
    """It has to stop the work."""
    assert rules(manager(body)) == {"GS113"}


def test_a_question_about_anything_else_is_fine() -> None:
    """Also in the sentence that speaks of the violation."""
    question = f"`{QUESTION.replace('coach', 'manager')}`"
    body = f"For guardrails that are violated use a blocker, for anything else {question}.\n"
    assert found(manager(body)) == []


def test_a_question_beside_a_guardrail_is_fine() -> None:
    """Where the violation itself is a blocker."""
    body = (
        f"When a guardrail is violated:\n\n{block(BLOCKER)}\nThen `gemba-state prompting`.\n\n"
        f"For anything else:\n\n{block(QUESTION.replace('coach', 'manager'))}"
    )
    assert found(manager(body)) == []


@pytest.mark.parametrize(
    "body",
    [
        f"In cautious mode, call `{QUESTION}`.\n",
        "In balanced mode ask only what you must. `gemba-ask`\n",
        "Ask with `gemba-ask` only in `cautious` mode.\n",
        "If the mode is cautious, raise a question with `gemba-ask`.\n",
        block('if [ "$GEMBA_INTERACTION_MODE" = cautious ]; then', f"  {QUESTION}", "fi"),
        block("case ${GEMBA_INTERACTION_MODE} in cautious) gemba-ask --help;; esac"),
        f"Only where `GEMBA_INTERACTION_MODE` is `cautious`, call `{QUESTION}`.\n",
        f"## In cautious mode\n\n{block(QUESTION)}",
    ],
)
def test_a_branch_on_the_mode_is_found(body: str) -> None:
    """Whether to ask is not the mode's business."""
    assert "GS114" in rules(coach(body))


@pytest.mark.parametrize(
    "body",
    [
        f"Call `{QUESTION}`. In balanced mode keep working with your best guess; in cautious mode "
        "the command halts you: wait for the reply.\n",
        "`gemba-ask`: what you ask is advisory in balanced mode, and blocking in cautious mode.\n",
        "`gemba-ask`\n\nIn balanced mode: `gemba-state prompting` only around blockers.\n",
        "Do not ask less in balanced mode. `gemba-ask`\n",
        f"Give a balanced view, and be cautious: `{QUESTION}`\n",
        f"## What cautious mode means\n\n{block(QUESTION)}",
    ],
)
def test_saying_what_a_mode_does_is_fine(body: str) -> None:
    """The contract's own words do it."""
    assert found(coach(body)) == []


def test_another_role_is_found_at_its_word() -> None:
    """The role is the variety."""
    assert found(coach(block(QUESTION.replace("coach", "manager")))) == [("GS115", BODY + 1)]
    body = block(QUESTION)
    assert found(manager(body)) == [("GS115", BODY + 1)]
