"""A coach never raises a blocker, however the call is written; and may say so."""

import pytest

from tests.skills.lint.written import BODY, coach, findings, found, rules

ORDERS = [
    'gemba-ask --kind blocker --role coach --text "Help"',
    'gemba-ask --role coach --text "Help" --kind blocker',
    "gemba-ask --role coach --kind=blocker --text=Help",
    'gemba-ask --role coach --kind "blocker" --text Help',
    "gemba-ask --role coach --kind='blocker' --text Help",
    'gemba-ask --role coach --kind block"er" --text Help',
    "gemba-ask --kind question --kind blocker --role coach --text Help",
    "/usr/local/bin/gemba-ask --role coach --kind blocker --text Help",
    "env X=1 gemba-ask --role coach --kind blocker --text Help",
    "X=1 gemba-ask --role coach --kind blocker --text Help",
    "sudo -E gemba-ask --role coach --kind blocker --text Help",
    "sudo -u agent gemba-ask --role coach --kind blocker --text Help",
    "timeout -s KILL 60 gemba-ask --role coach --kind=blocker --text Help",
    "env -S 'X=1 gemba-ask --role coach --kind blocker' --text Help",
    "trap 'gemba-ask --role coach --kind blocker --text Help' EXIT",
    "true && gemba-ask --role coach --kind blocker --text Help",
    "answer=$(gemba-ask --role coach --kind blocker --text Help --wait)",
    "if ! make; then gemba-ask --role coach --kind blocker --text Help; fi",
    "bash -c 'gemba-ask --role coach --kind blocker --text Help'",
    'eval "gemba-ask --role coach --kind blocker --text Help"',
    "K=blocker; gemba-ask --role coach --kind $K --text Help",
    "gemba-ask --role coach > out.txt --kind blocker --text Help",
    "$ gemba-ask --role coach --kind blocker --text Help",
    "gemba-ask --bead <epic id> --role coach --kind blocker --text Help",
    "cat <<< Help | gemba-ask --role coach --kind blocker --text -",
]
FORBIDDEN = [
    "Never call {}.",
    "Never, under any circumstances, call {}.",
    "Do not call {}",
    "Don't ever use {}.",
    "You must not run {}.",
    "A coach may not emit {}.",
    "Ask with a question instead of {}.",
    "Ask a question rather than calling {}.",
    "Avoid {}.",
    "{} is refused for coaches.",
    "{} must never be called here.",
    "If you are stuck, do not call {}.",
    "Never do this: {}",
    "It is forbidden to call {}.",
    "{} belongs to managers.",
    "There is no {} for a coach.",
    "Skip {} here.",
    "❌ {}",
    "{} refuses that.",
]
INSTRUCTED = [
    "Call {}.",
    "If you do not know, call {}.",
    "When you cannot go on, call {}.",
    "When you cannot go on call {}.",
    "If you do not know the answer call {}",
    "Never guess: call {}",
    "Never guess, call {}.",
    "Never guess. Call {}.",
    "Do not hesitate to call {}.",
    "Do not skip {}.",
    "Call {}. Refuse to go on.",
    "Never forget to call {}.",
    "Do not go on without calling {}.",
    "Do not go on until you have called {}.",
    "Never ask in the pane; use {}",
    "Do not use a file, but call {}.",
    "Run {} if the tests do not pass.",
    "In doubt: {}",
]
CALL = '`gemba-ask --role coach --kind blocker --text "…"`'


@pytest.mark.parametrize("command", ORDERS)
def test_a_blocker_in_a_block_of_code_is_found(command: str) -> None:
    """As a shell would read the words."""
    assert ("GS105", BODY + 1) in found(coach(f"```sh\n{command}\n```\n"))


@pytest.mark.parametrize("fence", ["```", "~~~", "````bash", "``` {.sh}", "> ```", "1. ```"])
def test_a_blocker_is_found_in_any_block_of_code(fence: str) -> None:
    """Fenced by whatever, quoted, or in a list."""
    indent = {">": "> ", "1": "   "}.get(fence[0], "")
    close = indent + fence.strip(">1. ").split("{")[0].removesuffix("bash").strip()
    body = f"{fence}\n{indent}{ORDERS[0]}\n{close}\n"
    assert ("GS105", BODY + 1) in found(coach(body))


def test_a_call_over_several_lines_is_found_at_its_beginning() -> None:
    """With each option on a line of its own."""
    body = 'Call\n\n    gemba-ask \\\n      --role coach \\\n      --kind="blocker" --text x\n'
    assert found(coach(body)) == [("GS105", BODY + 2)]


def test_a_call_that_goes_on_within_an_option_is_found() -> None:
    """A shell joins the lines before it looks at words."""
    body = "```\ngemba-ask --role coach --text x --ki\\\nnd blocker\n```\n"
    assert ("GS105", BODY + 1) in found(coach(body))


def test_an_unclosed_block_of_code_ends_with_the_file() -> None:
    """As every reader of markdown has it."""
    assert ("GS105", BODY + 1) in found(coach(f"```\n{ORDERS[0]}\n"))


def test_a_blocker_in_plain_words_is_found() -> None:
    """An agent reads prose, too."""
    body = 'When stuck, call gemba-ask --role coach --kind blocker --text "…" and wait.\n'
    assert found(coach(body)) == [("GS105", BODY)]


def test_the_column_is_that_of_the_program() -> None:
    """In a list, within words."""
    body = "- one\n- When stuck, `gemba-ask --kind=blocker`\n"
    (finding,) = findings(coach(body))
    at, end = finding.fault.at, finding.fault.end
    assert (at.line, at.column, end.column) == (BODY + 1, 16, 40)


@pytest.mark.parametrize("words", FORBIDDEN)
def test_a_blocker_that_is_forbidden_is_no_finding(words: str) -> None:
    """Prose may name what it forbids."""
    assert "GS105" not in rules(coach(words.format(*[CALL] * 2) + "\n"))


@pytest.mark.parametrize("words", INSTRUCTED)
def test_a_blocker_that_is_told_to_be_raised_is_found(words: str) -> None:
    """A negation in another clause does not forbid it."""
    assert ("GS105", BODY) in found(coach(words.format(CALL) + "\n"))


@pytest.mark.parametrize(
    "lead",
    [
        "Never do this:\n\n",
        "What a coach must not do:\n\n",
        "## What you must not do\n\n",
        "## Forbidden\n\nIn this workspace:\n\n",
        "## Anti-patterns\n\n",
        "- Never run this:\n\n",
    ],
)
def test_a_block_of_code_that_is_led_up_to_by_forbidding_is_no_finding(lead: str) -> None:
    """The words before it, or the title above it, say so."""
    indent = "  " if lead.startswith("-") else ""
    block = "".join(f"{indent}{line}\n" for line in ("```", ORDERS[0], "```"))
    assert "GS105" not in rules(coach(lead + block))


def test_a_title_forbids_only_its_section() -> None:
    """The next title ends it."""
    body = f"## Never do\n\n- {CALL}\n\n## Then\n\n- {CALL}\n"
    assert [line for rule, line in found(coach(body)) if rule == "GS105"] == [BODY + 6]


def test_of_the_titles_above_only_the_nearest_forbids() -> None:
    """What stands further up says nothing of a section that tells what to do."""
    body = f"## Anti-patterns\n\nNot that.\n\n### What to do\n\n- {CALL}\n"
    assert ("GS105", BODY + 6) in found(coach(body))


@pytest.mark.parametrize(
    "lead", ["When you cannot go on:\n\n", "## If you do not know\n\n", "Never guess. Do this:\n\n"]
)
def test_a_lead_that_forbids_nothing_leaves_the_finding(lead: str) -> None:
    """It says when, not what not."""
    assert "GS105" in rules(coach(f"{lead}```\n{ORDERS[0]}\n```\n"))


def test_a_remark_before_the_line_forbids_it() -> None:
    """In a block of code that shows both."""
    body = f"```sh\n# never do this\n{ORDERS[0]}\n\n# this\n{ORDERS[1]}\n```\n"
    assert [line for rule, line in found(coach(body)) if rule == "GS105"] == [BODY + 5]


@pytest.mark.parametrize("language", ["python", "json", "yaml"])
def test_code_that_no_shell_runs_is_no_call(language: str) -> None:
    """What stands in it are texts."""
    assert "GS105" not in rules(coach(f"gemba-ask\n\n```{language}\n{ORDERS[0]}\n```\n"))


def test_a_remark_in_code_is_no_call() -> None:
    """The shell passes over it."""
    assert "GS105" not in rules(coach(f"```sh\n# {ORDERS[1]}\n```\n"))


@pytest.mark.parametrize("block", ["<!--\n{}\n-->\n", "<div><!-- {}\n--></div>\n", "<!-- {}\n"])
def test_a_comment_in_markdown_is_no_call(block: str) -> None:
    """It is not shown."""
    assert "GS105" not in rules(coach(block.format(ORDERS[1])))


@pytest.mark.parametrize("line", [*ORDERS[:5], f"When stuck, {CALL}."])
def test_a_call_in_a_block_of_html_is_found(line: str) -> None:
    """Its words are plain words to an agent."""
    body = f"<details>\n<summary>Stuck?</summary>\n<!-- so: -->\n{line}\n</details>\n"
    assert ("GS105", BODY + 3) in found(coach(body))


def test_a_call_that_a_block_of_html_forbids_is_no_finding() -> None:
    """As in prose."""
    assert "GS105" not in rules(coach(f"<p>\nNever call {CALL}.\n</p>\n"))


def test_the_very_words_are_a_warning_of_their_own() -> None:
    """Forbidden or not, in code or not: the contract's literal rule."""
    body = "Ask.\n\nNever call `gemba-ask --kind blocker`.\n"
    assert found(coach(body)) == [("GS106", BODY + 2)]


def test_a_heading_for_the_echo_is_no_finding() -> None:
    """`## Blockers` repeats for the pane what was asked."""
    body = "Ask with `gemba-ask`.\n\n## Questions\n\n- Which key?\n\n## Blockers\n\n- No key.\n"
    assert found(coach(body)) == []
