"""Whatever is in a file, the linter says something sensible of it."""

from hypothesis import given
from hypothesis import strategies as st

from gemba_core.skills.lint import RULES, fixed, lint
from tests.skills.lint.written import COACH, STANDARD, coach

PIECES = st.sampled_from(
    [
        *("---\n", "\ufeff", "\r\n", "\n", " ", "\t", "`", "```\n", "~~~", "> ", "- ", "1. ", "# "),
        *("|", "---|---\n", "\\\n", "\\", "'", '"', "$(", ")", "<", ">", "<<EOF\n", "…", "\0"),
        *("{", "[", "](", "<!-- gemba: ignore[GS106] why -->", "# gemba: ignore[GS001]"),
        *("variety: coach\n", "skill_id: no\n", "description: &a [*a]\n", "é", "\U0001f600"),
        *("gemba-ask ", "--kind blocker ", "--role=coach ", "--text", "gemba-state prompting"),
        *(
            "never ",
            "do not ",
            "if ",
            ", call ",
            ": ",
            ". ",
            "dangerous mode",
            "guardrail violated",
        ),
        *("GEMBA_INTERACTION_MODE", "$KIND", "sh -c ", "KIND=blocker; "),
    ]
)
TEXTS = st.lists(PIECES, max_size=40).map("".join)
PATHS = st.sampled_from([COACH, STANDARD, "docs/x.md", ".gemba/skills/x/SKILL.md"])
FILES = (
    st.binary(max_size=200) | TEXTS.map(str.encode) | TEXTS.map(lambda text: coach(text).encode())
)


@given(PATHS, FILES)
def test_any_bytes_are_linted(path: str, data: bytes) -> None:
    """Without a crash, and every finding lies within the file, its end behind its beginning."""
    lines = (
        data.decode("utf-8-sig", "replace").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    )
    for finding in lint(path, data):
        at, end = finding.fault.at, finding.fault.end
        assert 1 <= at.line <= end.line <= len(lines)
        assert 1 <= at.column <= len(lines[at.line - 1]) + 1
        assert (at.line, at.column) <= (end.line, end.column)
        assert finding.fault.message.strip()


@given(PATHS, FILES)
def test_mending_is_idempotent(path: str, data: bytes) -> None:
    """And leaves nothing that would mend itself."""
    mended = fixed(path, data)
    assert fixed(path, mended) == mended
    assert not any(finding.fault.fix for finding in lint(path, mended))


@given(FILES)
def test_rules_are_independent(data: bytes) -> None:
    """All together find what each finds alone; ignores apart, which look at the others."""
    if b"gemba:" in data:
        return
    together = {(one.rule, one.fault) for one in lint(COACH, data)}
    assert together == {
        (one.rule, one.fault) for rule in RULES for one in lint(COACH, data, [rule])
    }
