"""Any message can be read, decided about and shown; what we write is read as it was."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from gemba_core.handoff.contract import Contract
from gemba_core.handoff.decide import decide
from gemba_core.handoff.history import History
from gemba_core.handoff.parse import Malformed, Missing, Returned, parse, read
from gemba_core.handoff.question import questions
from gemba_core.handoff.render import render
from gemba_core.handoff.validate import validate
from gemba_core.handoff.write import write
from tests.handoff.contracts import NEEDS, TAG, message, sound
from tests.strategies import PLAIN_JSON, TEXT

FENCES = st.sampled_from(["```", "````", "~~~", "  ```", "> ```", "`` `", "\n", "\r\n"])
TAGS = st.sampled_from([TAG, "json", "python", f"{TAG} json", ""])
STATUSES = st.sampled_from(list(NEEDS))
SOUND = STATUSES.map(sound)

_KEYS = sorted(Contract.model_fields)
_SECTION_KEYS = st.sampled_from(
    ["plan_status", "agent_state", "OPEN_GAPS", "open_gaps", "verification", "rollback", "result"]
)
_SECTIONS = st.dictionaries(_SECTION_KEYS | TEXT, PLAIN_JSON, max_size=4)


@st.composite
def _fields(draw: st.DrawFn) -> dict[str, Any]:
    """A contract whose parts are sound, strange, or not there."""
    base = draw(SOUND)
    strange = draw(st.dictionaries(st.sampled_from(_KEYS) | TEXT, PLAIN_JSON | _SECTIONS))
    gone = draw(st.sets(st.sampled_from(list(base))))
    return {key: one for key, one in (base | strange).items() if key not in gone}


FIELDS = _fields()
MESSAGES = st.lists(
    st.one_of(
        FENCES,
        st.tuples(FENCES, TAGS).map("".join),
        FIELDS.map(message),
        FIELDS.map(lambda one: message(one, tag="json")),
        TEXT,
    ),
    max_size=8,
).map("\n".join)
BROKEN = (Missing(), Malformed("no JSON", 1), read(sound("COMPLETE") | {"evidence_report": 1}))
TALK = ("Let me look.", "`a`", "```python\nprint()\n```", "```\n")


def anew(contract: Contract) -> Contract:
    """The same without what was noticed while it was read."""
    return contract.noting(())


@given(MESSAGES)
def test_any_message_is_read_decided_about_and_shown(text: str) -> None:
    """Whatever stands in it, and however many fences."""
    returned = parse(text)
    findings = validate(returned)
    render(returned, findings)
    decision = decide([returned], History())
    assert len(decision.steps) == 1
    for question in questions(decision):
        assert question.prompt.strip()
        assert question.title.strip()
        assert all(value.strip() for value, _ in question.options)


@settings(max_examples=100)
@given(FIELDS, st.sampled_from(TALK), st.sampled_from(TALK[:3]))
def test_what_is_written_parses_to_itself(given: dict[str, Any], before: str, after: str) -> None:
    """Whatever strings it holds, and whatever talk is around it."""
    contract = anew(read(given))
    again = parse(f"{before}\n{write(contract)}{after}")
    assert isinstance(again, Contract)
    assert anew(again) == contract


@given(st.lists(st.sampled_from(BROKEN), max_size=10))
def test_no_agent_is_sent_back_for_repair_a_third_time_in_a_row(rounds: list[Returned]) -> None:
    """However it is broken, and whether or not it tells its id."""
    history, actions = History(), []
    for returned in rounds:
        decision = decide([returned], history)
        history = decision.history
        actions.append(decision.steps[0].action)
    assert actions == (["repair", "repair", "pause"] * 4)[: len(rounds)]


@given(st.lists(st.text(alphabet='`~\n a{}"\\', max_size=30), min_size=1, max_size=4))
def test_no_string_ends_the_block(texts: list[str]) -> None:
    """Backticks and line breaks in any mixture."""
    contract = read(sound("COMPLETE", memory_suggestions=texts))
    assert parse(write(contract)) == contract
