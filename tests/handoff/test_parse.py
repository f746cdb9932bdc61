"""Which block of a message is the contract, and what is read of it."""

import json

import pytest

from gemba_core.handoff.contract import Contract
from gemba_core.handoff.parse import Malformed, Missing, parse, read
from gemba_core.handoff.write import write
from tests.handoff.contracts import OTHER, PASSED, TAG, fields, message, returned, sound


def contract(text: str) -> Contract:
    """The contract in that message; a test that asks for it expects that there is one."""
    found = parse(text)
    assert isinstance(found, Contract), found
    return found


def codes(found: Contract) -> list[tuple[str, str]]:
    """What was noticed while it was read, with its place."""
    return [(one.code, one.field) for one in found.remarks]


def test_a_tagged_block_is_read() -> None:
    """Every field that it has, typed."""
    found = contract(message(sound("COMPLETE")))
    assert (found.status, found.agent_id) == ("COMPLETE", "a1b2c3")
    assert found.evidence_report.verification is not None
    assert found.evidence_report.verification.details == "12 tests"
    assert found.remarks == ()


@pytest.mark.parametrize("text", ["", "All done.", "```\n{}\n```", "agent_contract_handoff {}"])
def test_without_a_block_it_is_missing(text: str) -> None:
    """No status is made up."""
    assert parse(text) == Missing()


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("{", "not valid JSON"),
        ("{'a': 1}", "not valid JSON"),
        ('{"a": NaN}', "not valid JSON"),
        ('{"a": 1,}', "not valid JSON"),
        ("", "not valid JSON"),
        ("[]", "not a JSON object"),
        ('{"a":' * 300 + "1" + "}" * 300, "deep"),
        ("[" * 100_000, "deep"),
    ],
    ids=["cut", "quotes", "nan", "comma", "empty", "array", "deep", "endless"],
)
def test_a_malformed_block_says_why_and_where(body: str, why: str) -> None:
    """It is sent back with that."""
    found = parse(f"Done.\n```{TAG}\n{body}\n```")
    assert isinstance(found, Malformed)
    assert why in found.why
    assert found.line == 2


def test_a_malformed_block_has_no_substitute() -> None:
    """Neither a json block nor an earlier tagged one is taken in its place."""
    text = message(fields()) + message(fields(), tag="json") + f"```{TAG}\n{{\n```"
    assert isinstance(parse(text), Malformed)


def test_a_block_without_an_end_is_malformed() -> None:
    """The message was cut; what stands in a json block is not it."""
    found = parse(message(fields(), tag="json") + f"```{TAG}\n{json.dumps(fields())}")
    assert isinstance(found, Malformed)
    assert "no end" in found.why


def test_backticks_in_a_string_do_not_end_the_block() -> None:
    """As agents quote code in their outputs."""
    quoted = "```python\nprint()\n```"
    found = contract(message(fields(evidence={"verbatim_outputs": [quoted]})))
    assert found.evidence_report.verbatim_outputs == (quoted,)


@pytest.mark.parametrize("separator", ["\u2028", "\x85", "\r"])
def test_only_a_newline_begins_a_line(separator: str) -> None:
    """What other programs take for one may stand in a string as it is."""
    text = f"```{TAG}\n" + json.dumps(fields(note=f"a{separator}```\u0020b"), ensure_ascii=False)
    assert contract(text + "\n```").model_extra == {"note": f"a{separator}``` b"}


def test_the_last_complete_block_counts_and_the_others_are_told() -> None:
    """The agent's final word, also before one that was cut."""
    text = message(fields()) + message(fields(agent=OTHER)) + f"```{TAG}\n{{"
    found = contract(text)
    assert found.agent_id == OTHER
    [remark] = found.remarks
    assert (remark.code, remark.severity) == ("EARLIER_BLOCK", "advisory")
    line = len(message(fields()).splitlines()) + 3
    assert remark.detail == (
        f"3 blocks have the tag; taken is the last complete one, in line {line}"
    )


@pytest.mark.parametrize(
    "text",
    [
        "```\nunclosed\n" + message(fields()),
        message(fields()).replace("\n", "\r\n"),
        "1. Done\n" + "".join(f"      {line}\n" for line in message(fields()).splitlines()),
        message(fields()).replace("```", "~~~~"),
        "```y``` is code.\n"
        + "````\n"
        + message(fields(agent=OTHER))
        + "````\n"
        + message(fields()),
    ],
    ids=["unclosed fence", "crlf", "in a list", "tildes", "inline code"],
)
def test_careless_messages_are_read(text: str) -> None:
    """As far as there is no doubt of what they mean."""
    assert contract(text).agent_id == "a1b2c3"


def test_an_example_within_a_longer_fence_is_not_the_contract() -> None:
    """Only a longer one can hold it."""
    assert parse("````markdown\n" + message(fields()) + "````\n") == Missing()


@pytest.mark.parametrize("tag", [f"{TAG} json", "Agent_Contract_Handoff", "agent_contract"])
def test_the_tag_is_exact(tag: str) -> None:
    """What looks like it is not it."""
    assert parse(message(fields(), tag=tag)) == Missing()


def test_a_json_block_that_was_cut_is_none() -> None:
    """As a tagged one that was cut is none."""
    assert parse(f"```json\n{json.dumps(fields())}\n") == Missing()


def test_a_json_block_counts_where_no_block_is_tagged() -> None:
    """The last one that says how its agent stands, and it is told."""
    text = message(fields(), tag="json") + message({"agent_status": {}}, tag="json")
    found = contract(text)
    assert found.agent_id == "a1b2c3"
    assert codes(found) == [("UNTAGGED_BLOCK", "")]


@pytest.mark.parametrize("given", ["complete", " Complete. ", "COMPLETE;", "COMPLETE.,;"])
def test_the_status_is_normalised(given: str) -> None:
    """As agents write it."""
    assert contract(message(fields(given))).status == "COMPLETE"


def test_the_newer_name_of_the_status_is_read() -> None:
    """`agent_state`."""
    given = fields()
    given["agent_status"]["agent_state"] = given["agent_status"].pop("plan_status")
    assert contract(message(given)).status == "COMPLETE"


def test_two_names_that_disagree_are_told() -> None:
    """Neither is chosen in silence."""
    given = fields("BLOCKED")
    given["agent_status"]["agent_state"] = "COMPLETE"
    [remark] = contract(message(given)).remarks
    assert (remark.code, remark.severity) == ("PLAN_STATUS", "blocking")


def test_evidence_may_be_in_upper_case() -> None:
    """As older producers write it."""
    given = fields(evidence={"verification": PASSED, "open_gaps": ["one"]})
    given["evidence_report"] = {key.upper(): one for key, one in given["evidence_report"].items()}
    found = contract(message(given)).evidence_report
    assert found.open_gaps == ("one",)
    assert found.verification is not None


def test_unknown_keys_are_kept() -> None:
    """At every depth."""
    given = fields(mood="good", evidence={"tempo": 3})
    assert json.loads(json.dumps(contract(message(given)).plain())) == given


def test_what_has_another_shape_is_left_out_and_told() -> None:
    """The rest is read all the same."""
    given = fields(
        evidence={"open_gaps": "none", "verification": "pass"},
        loop_state={"iteration": "1", "metric": 0.5},
        memory_suggestions=["keep", 4],
        memorialize_suggestions=[{"description": "d", "body": "b", "class": "odd"}, 5],
        approval_request={"rollback": 5, "scope": "s"},
    )
    found = contract(message(given))
    assert set(codes(found)) == {
        ("OPEN_GAPS", "evidence_report.open_gaps"),
        ("VERIFICATION", "evidence_report.verification"),
        ("LOOP_STATE", "loop_state.iteration"),
        ("MEMORY_SUGGESTIONS", "memory_suggestions.1"),
        ("MEMORIALIZE_SUGGESTIONS", "memorialize_suggestions.0.class"),
        ("MEMORIALIZE_SUGGESTIONS", "memorialize_suggestions.1"),
        ("ROLLBACK", "approval_request.rollback"),
    }
    assert found.memory_suggestions == ("keep",)
    assert found.loop_state is not None
    assert found.loop_state.metric == 0.5
    assert found.approval_request is not None
    assert found.approval_request.scope == "s"


def test_what_is_written_is_read_again() -> None:
    """Backticks at the beginnings of a string's lines included."""
    given = sound("COMPLETE", user_facing_summary=f"```\n```{TAG}\n{{}}\n```\n")
    found = read(given)
    assert parse(f"Before.\n{write(found)}After.") == found
    assert returned(given) == found
