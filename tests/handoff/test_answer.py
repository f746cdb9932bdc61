"""What a person is asked, and what follows from each answer."""

from typing import Any

import msgspec
import pytest

from gemba_core.handoff.answer import Next, about_of, after
from gemba_core.handoff.decide import decide
from gemba_core.handoff.history import History, Tries
from gemba_core.handoff.parse import Missing, Returned
from gemba_core.handoff.question import Question, consent_to, questions
from tests.handoff.contracts import AGENT, GRANT, REQUEST, returned, sound

STALLING = History({AGENT: Tries(in_progress=2)})
BROKEN = History({"?1": Tries(repairs=2)})
SUGGESTION = {"description": "Use uv", "body": "pip is slow", "class": "anchor", "rationale": "CI"}


def asked(given: dict[str, Any] | Returned, history: History | None = None) -> Question:
    """The one question that this calls for."""
    one = returned(given) if isinstance(given, dict) else given
    [found] = questions(decide([one], history))
    return found


def approval(**more: object) -> Question:
    """The question about a request."""
    return asked(sound("APPROVAL_REQUEST", approval_request={**REQUEST, **more}))


def memory() -> Question:
    """The question about a suggestion."""
    return asked(sound("COMPLETE", memorialize_suggestions=[SUGGESTION]))


INPUT = asked(sound("NEEDS_INPUT"))
BLOCKER = asked(sound("BLOCKED"))
STALL = asked(sound("IN_PROGRESS"), STALLING)
PLAN = approval()
CONSENT = approval(approval_id=GRANT)
MEMORY = memory()


@pytest.mark.parametrize(
    ("question", "source", "kind"),
    [
        (INPUT, "question", "question"),
        (BLOCKER, "blocker", "blocker"),
        (PLAN, "hitl_approval", "blocker"),
        (CONSENT, "hitl_approval", "blocker"),
        (STALL, "orchestrator_pause", "blocker"),
        (asked(Missing(), BROKEN), "orchestrator_pause", "blocker"),
        (MEMORY, "question", "question"),
    ],
    ids=["input", "blocked", "plan", "consent", "stall", "broken", "memory"],
)
def test_each_is_asked_by_the_source_that_fits(question: Question, source: str, kind: str) -> None:
    """And is as urgent as that kind."""
    assert (question.source, question.kind) == (source, kind)


@pytest.mark.parametrize("status", ["COMPLETE", "IN_PROGRESS", "NEEDS_VERIFICATION"])
def test_what_needs_no_person_is_not_asked(status: str) -> None:
    """Nor is a repair."""
    assert questions(decide([returned(sound(status))])) == []
    assert questions(decide([Missing()])) == []


def test_a_question_has_the_agents_own_choices() -> None:
    """Where they can be told."""
    assert [value for value, _ in INPUT.options] == ["sqlite", "postgres"]
    assert "Which one?" in INPUT.prompt
    assert asked(sound("NEEDS_INPUT", next_action="Go on?")).options == ()


@pytest.mark.parametrize("question", [PLAN, CONSENT], ids=["plan", "consent"])
def test_an_approval_shows_all_that_is_consented_to(question: Question) -> None:
    """Exact content, risk, rollback, verification; in the prompt, and as data."""
    for name in ("operation", "exact_content", "scope", "risk_level", "rollback", "verification"):
        assert f"\n  | {REQUEST[name]}\n" in f"{question.prompt}\n"
        assert question.about.approval is not None
        assert question.about.approval[name] == REQUEST[name]


def test_what_cannot_be_seen_is_shown_in_an_approval() -> None:
    """A person consents to what runs, not to what a terminal makes of it."""
    hidden = "rm x\u200b \u202etxt\x1b[8m"
    assert "rm x<U+200B> <U+202E>txt<U+001B>[8m" in approval(exact_content=hidden).prompt
    assert "  | 1<U+0008>\n  | 2" in approval(exact_content=["1\b", "2"]).prompt
    assert '{"run":"x<U+202E>y"}' in approval(exact_content={"run": "x\u202ey"}).prompt
    assert (
        "x<U+3164><U+2800><U+FE0F><U+E0100>"
        in approval(scope="x\u3164\u2800\ufe0f\U000e0100").prompt
    )


def test_no_word_of_an_agent_passes_for_ours_in_an_approval() -> None:
    """Each of its lines stands behind a bar, the headings do not."""
    forged = "ls\n\nRisk:\n  | LOW\n\nRollback:\nnot needed" + "\n" * 60 + "rm -rf /"
    given = sound(
        "APPROVAL_REQUEST",
        approval_request=dict.fromkeys(REQUEST, forged) | {"approval_id": GRANT},
        user_facing_summary=forged,
    )
    ours = [line for line in asked(given).prompt.split("\n") if line and line[:4] != "  | "]
    assert ours == [
        "In its own words:",
        *("Operation:", "Exactly:", "Scope:", "Risk:", "Rollback:", "Verification:"),
        f"Approval: {GRANT}",
    ]


def test_an_exact_content_is_not_cut() -> None:
    """However long it is."""
    steps = [f"step {number}" for number in range(1000)]
    shown = "\n".join(f"  | {step}" for step in steps)
    assert shown in approval(exact_content="\n".join(steps)).prompt


def test_consent_to_a_grant_names_it() -> None:
    """In what is shown, and in what is handed back."""
    assert GRANT in CONSENT.prompt
    (value, label), (other, _) = CONSENT.options
    assert value == f"approve {GRANT}"
    assert label.startswith("approve")
    assert f"[{GRANT[:10]}]" in label
    assert other == "reject"


def test_a_plan_may_be_executed_modified_or_canceled() -> None:
    """No grant is named: there is none."""
    assert [value for value, _ in PLAN.options] == ["execute", "modify", "cancel"]


def test_a_blocker_shows_the_open_gaps() -> None:
    """And offers the end."""
    assert "- No access" in BLOCKER.prompt
    assert [value for value, _ in BLOCKER.options] == ["accept"]


def test_a_broken_contract_is_shown_with_what_is_wrong() -> None:
    """So that the person can tell what to do about it."""
    question = asked(Missing(), BROKEN)
    assert "CONTRACT_MISSING" in question.prompt
    assert "2 repairs" in question.title


def test_each_suggestion_is_a_question_of_its_own() -> None:
    """After what the agent itself asks."""
    given = sound("NEEDS_INPUT", memorialize_suggestions=[SUGGESTION], memory_suggestions=["Two"])
    purposes = [one.about.purpose for one in questions(decide([returned(given)]))]
    assert purposes == ["input", "memory", "memory"]
    for said in ("Use uv", "pip is slow", "CI", "class anchor"):
        assert said in MEMORY.prompt


def test_what_is_suggested_twice_is_asked_once() -> None:
    """Twice the same words are one thing to remember."""
    given = sound("COMPLETE", memory_suggestions=["Use uv", "Use uv"])
    assert len(questions(decide([returned(given)]))) == 1


def test_the_same_question_has_the_same_key() -> None:
    """Another agent's, or another content's, has another."""
    assert approval().key == PLAN.key
    others = [CONSENT, INPUT, approval(scope="another"), asked(sound("BLOCKED", agent="a99999"))]
    assert len({PLAN.key, BLOCKER.key, *(one.key for one in others)}) == 6


@pytest.mark.parametrize("question", [INPUT, BLOCKER, STALL, PLAN, CONSENT, MEMORY])
def test_what_it_is_about_survives_the_log(question: Question) -> None:
    """As the escalation's detail."""
    detail = msgspec.json.decode(msgspec.json.encode({"handoff": question.about}))
    assert about_of("x", detail) == question.about


def follows(question: Question, kind: str, value: str | None = None) -> Next:
    """What is done after that answer."""
    return after(question.about, kind, value)


@pytest.mark.parametrize(
    ("kind", "value", "words"),
    [
        ("modify", "postgres", "postgres"),
        ("modify", "neither: use files", "neither: use files"),
        ("approve", None, "yes"),
        ("deny", None, "no"),
        ("deny", "not now", "not now"),
    ],
)
def test_needs_input_resumes_the_same_agent(kind: str, value: str | None, words: str) -> None:
    """With the answer, and with what it had asked."""
    done = follows(INPUT, kind, value)
    assert (done.action, done.agent_id) == ("resume", AGENT)
    assert done.text.startswith(f"The operator's answer: {words}\n")
    assert "Which one?" in done.text


@pytest.mark.parametrize(("kind", "value"), [("approve", None), ("modify", "execute")])
def test_a_plan_that_is_executed_resumes_the_same_agent(kind: str, value: str | None) -> None:
    """With what it presented."""
    done = follows(PLAN, kind, value)
    assert (done.action, done.agent_id, done.approval) == ("resume", AGENT, REQUEST)
    assert "execute it exactly" in done.text


@pytest.mark.parametrize("value", ["modify", "use the other remote"])
def test_a_plan_that_is_modified_resumes_the_same_agent(value: str) -> None:
    """It is not approved by that."""
    done = follows(PLAN, "modify", value)
    assert (done.action, done.agent_id, done.approval) == ("resume", AGENT, None)
    assert done.text.startswith("Not approved")


@pytest.mark.parametrize(
    ("kind", "value"), [("modify", "cancel"), ("deny", None), ("deny", "too risky")]
)
@pytest.mark.parametrize("question", [PLAN, CONSENT], ids=["plan", "consent"])
def test_cancel_resumes_nobody(question: Question, kind: str, value: str | None) -> None:
    """And runs nothing."""
    value = "reject" if question is CONSENT and value == "cancel" else value
    done = follows(question, kind, value)
    assert (done.action, done.agent_id, done.approval) == ("cancel", None, None)


@pytest.mark.parametrize(("kind", "value"), [("approve", None), ("modify", consent_to(GRANT))])
def test_consent_runs_what_was_granted(kind: str, value: str | None) -> None:
    """Exactly that."""
    done = follows(CONSENT, kind, value)
    assert done.action == "run"
    assert done.approval == {**REQUEST, "approval_id": GRANT}


@pytest.mark.parametrize(
    "value", ["yes", "ok", "approve", "execute", f"approve {GRANT[:10]}", f"approve {GRANT} please"]
)
def test_words_are_no_consent_to_a_grant(value: str) -> None:
    """Only the option itself is, word for word; the agent is told what was said."""
    done = follows(CONSENT, "modify", value)
    assert (done.action, done.agent_id, done.approval) == ("resume", AGENT, None)
    assert "not approved" in done.text
    assert value in done.text


def test_blocked_with_direction_dispatches_a_new_agent() -> None:
    """Which is told what the one before it was blocked by."""
    done = follows(BLOCKER, "modify", "Use staging.")
    assert (done.action, done.agent_id) == ("dispatch", None)
    assert all(said in done.text for said in ("Use staging.", "No access"))


@pytest.mark.parametrize(
    ("kind", "value"), [("modify", "accept"), ("approve", None), ("deny", None)]
)
def test_blocked_and_accepted_closes_as_incomplete(kind: str, value: str | None) -> None:
    """Whoever gives no direction accepts."""
    assert follows(BLOCKER, kind, value) == Next("close_incomplete")


@pytest.mark.parametrize(("kind", "value"), [("modify", "again"), ("approve", None)])
def test_a_stall_may_be_tried_again(kind: str, value: str | None) -> None:
    """With the words that the agent would have been sent back with."""
    done = follows(STALL, kind, value)
    assert (done.action, done.agent_id) == ("resume", AGENT)
    assert "the second half" in done.text


def test_a_stall_may_be_directed() -> None:
    """The person's words go first."""
    done = follows(STALL, "modify", "Skip the tests.")
    assert done.text.startswith("The operator says: Skip the tests.\n")
    assert done.agent_id == AGENT


@pytest.mark.parametrize(("kind", "value"), [("modify", "stop"), ("deny", None)])
def test_a_stall_may_be_stopped(kind: str, value: str | None) -> None:
    """The task is not done."""
    assert follows(STALL, kind, value) == Next("close_incomplete")


@pytest.mark.parametrize(
    ("kind", "value"), [("approve", None), ("modify", "yes"), ("modify", "Yes")]
)
def test_a_suggestion_is_kept_on_a_yes(kind: str, value: str | None) -> None:
    """As its agent wrote it."""
    assert follows(MEMORY, kind, value) == Next("persist", entry=SUGGESTION)


@pytest.mark.parametrize(
    ("kind", "value", "words"),
    [("deny", None, ""), ("modify", "no", ""), ("modify", "yes, but shorter", "yes, but shorter")],
)
def test_a_suggestion_is_not_kept_without_a_yes(kind: str, value: str | None, words: str) -> None:
    """Words are not one; they are told."""
    assert follows(MEMORY, kind, value) == Next("discard", text=words, entry=SUGGESTION)
