"""respond, approve, deny, defer, cancel, reopen: what is recorded, and what is refused."""

import json

import pytest

from tests.inbox.scene import (
    answer,
    ask,
    cancel,
    escalate,
    frames,
    hook,
    log_bytes,
    reopen,
    resolution,
    shown,
)
from tests.operator.desk import escalations, told


def test_respond_records_the_answer_and_says_what_became_of_it() -> None:
    """Without a pane and without a wait, the agent has to fetch it."""
    item = ask()
    done = escalations("respond", item, "Use the test key.")
    assert done.returncode == 0
    assert f"answered: {item}" in done.stdout
    assert "held" in done.stdout
    assert "gemba-ask --resume" in done.stdout
    resolution = shown(item).resolution
    assert resolution is not None
    assert (resolution.kind, resolution.value, resolution.via) == (
        "modify",
        "Use the test key.",
        "cli",
    )


def test_the_beginning_of_an_id_and_an_alias_are_enough() -> None:
    """Any unambiguous prefix in either case, also of the id of a repeated ask."""
    item, alias = ask(key="k"), ask(key="k")
    assert escalations("respond", alias[:9].upper(), "x").returncode == 0
    assert shown(item).state == "resolved"


@pytest.mark.parametrize("text", ["from a pipe\nin lines ü", "-x", "  spaces  "])
def test_respond_reads_standard_input(text: str) -> None:
    """`-` takes all of it."""
    item = ask()
    assert escalations("respond", item, "-", input=text).returncode == 0
    assert resolution(item).value == text


def test_respond_takes_a_text_that_begins_with_a_dash_after_two_dashes() -> None:
    """As every command of a shell does."""
    item = ask()
    assert escalations("respond", item, "--", "-x").returncode == 0
    assert resolution(item).value == "-x"


@pytest.mark.parametrize(
    ("args", "input"),
    [
        (("respond", "{id}", ""), ""),
        (("respond", "{id}", " \n\t"), ""),
        (("respond", "{id}", "\x1b"), ""),
        (("respond", "{id}", "-"), ""),
        (("respond", "{id}", "-"), "x" * ((1 << 20) + 1)),
        (("respond", "{id}"), ""),
        (("respond",), ""),
        (("respond", "{id}", "x", "y"), ""),
        (("approve",), ""),
        (("approve", "{id}", "--note", ""), ""),
        (("deny", "{id}", "--note", "  "), ""),
        (("cancel",), ""),
        (("reopen",), ""),
        (("defer", "{id}", "--until", "noon"), ""),
    ],
)
def test_a_wrong_call_is_exit_2_and_settles_nothing(args: tuple[str, ...], input: str) -> None:
    """An empty answer above all is never an answer."""
    item = ask()
    before = log_bytes()
    done = escalations(*(arg.replace("{id}", item) for arg in args), input=input)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr
    assert log_bytes() == before


@pytest.mark.parametrize(
    ("command", "note", "kind", "value"),
    [
        ("approve", (), "approve", None),
        ("approve", ("--note", "go on"), "approve", "go on"),
        ("deny", (), "deny", None),
        ("deny", ("--note", "too dear"), "deny", "too dear"),
        ("defer", (), "defer", None),
        ("defer", ("--note", "next week"), "defer", "next week"),
    ],
)
def test_each_command_records_its_kind(
    command: str, note: tuple[str, ...], kind: str, value: str | None
) -> None:
    """Several ids are settled with one decision."""
    ids = [ask("one"), ask("two", session="s2")]
    assert escalations(command, *ids, *note).returncode == 0
    for item in ids:
        resolution = shown(item).resolution
        assert resolution is not None
        assert (resolution.kind, resolution.value) == (kind, value)


def test_cancel_closes_without_an_answer() -> None:
    """With the note as its reason."""
    ids = [ask("one"), ask("two")]
    assert escalations("cancel", *ids, "--note", "obsolete").returncode == 0
    assert [(shown(one).state, shown(one).reason) for one in ids] == [("canceled", "obsolete")] * 2
    assert shown(ids[0]).resolution is None


def test_reopen_opens_again_and_voids_what_nobody_had_taken() -> None:
    """A new answer counts, and the old one is not delivered any more."""
    item = ask()
    answer(item, value="old")
    assert escalations("reopen", item, "--note", "wrong one").returncode == 0
    found = shown(item)
    assert (found.state, found.resolution, found.delivery) == ("open", None, None)
    assert escalations("respond", item, "new").returncode == 0
    assert resolution(item).value == "new"


def test_a_canceled_one_can_be_reopened() -> None:
    """And what is open cannot."""
    item = ask()
    cancel(item)
    assert escalations("reopen", item).returncode == 0
    done = escalations("reopen", item)
    assert done.returncode == 5
    assert "it is open" in done.stderr


@pytest.mark.parametrize("command", ["respond", "approve", "deny", "defer", "cancel"])
def test_a_settled_one_is_exit_5_with_by_whom_when_and_how(command: str) -> None:
    """And nothing is written."""
    item = ask()
    answer(item, value="green")
    before = log_bytes()
    text = ("blue",) if command == "respond" else ()
    done = escalations(command, item, *text)
    assert (done.returncode, done.stdout) == (5, "")
    for part in (item, "answered", "by anna", "s ago", "via cli", "green"):
        assert part in done.stderr
    assert log_bytes() == before


@pytest.mark.parametrize(("reason", "word"), [("operator", "canceled"), ("expired", "expired")])
def test_a_closed_one_is_exit_5_too(reason: str, word: str) -> None:
    """It says that nobody answered."""
    item = ask()
    cancel(item, reason=reason)
    done = escalations("respond", item, "late")
    assert done.returncode == 5
    assert f"already {word}" in done.stderr


@pytest.mark.parametrize("command", ["approve", "deny", "defer", "cancel"])
@pytest.mark.parametrize("sessions", [("s1", "s1", "s1"), ("a", "b", "c")])
def test_one_settled_among_three_settles_none(command: str, sessions: tuple[str, ...]) -> None:
    """All or nothing, in one log and across several."""
    ids = [ask(str(number), session=session) for number, session in enumerate(sessions)]
    answer(ids[1])
    before = [log_bytes(session) for session in sessions]
    done = escalations(command, *ids)
    assert (done.returncode, done.stdout) == (5, "")
    assert ids[1] in done.stderr
    assert [log_bytes(session) for session in sessions] == before


def test_one_open_among_three_reopens_none() -> None:
    """All or nothing here too."""
    ids = [ask(str(number)) for number in range(3)]
    cancel(ids[0])
    cancel(ids[2])
    before = log_bytes()
    assert escalations("reopen", *ids).returncode == 5
    assert log_bytes() == before


@pytest.mark.parametrize("command", ["approve", "deny", "defer", "cancel", "reopen"])
def test_one_unknown_among_three_settles_none(command: str) -> None:
    """Exit 4, and the unknown one is named."""
    ids = [ask(), "ffffffff", ask()]
    before = log_bytes()
    done = escalations(command, *ids)
    assert done.returncode == 4
    assert "ffffffff" in done.stderr
    assert log_bytes() == before


def test_respond_answers_others_with_it() -> None:
    """`--also`, all or none."""
    ids = [ask("one"), ask("two")]
    assert escalations("respond", ids[0], "x", "--also", ids[1]).returncode == 0
    assert [resolution(one).value for one in ids] == ["x", "x"]


@pytest.mark.parametrize(("value", "is_told"), [("retri", True), ("retry", False)])
def test_what_is_none_of_the_options_is_told(value: str, is_told: bool) -> None:
    """It is an answer all the same, in words."""
    item = ask(options=[{"value": "retry", "label": "Retry"}, {"value": "stop", "label": "Stop"}])
    done = escalations("respond", item, value)
    assert (done.returncode, resolution(item).value) == (0, value)
    remark = f"{item}: '{value}' is none of its options (retry, stop)"
    assert (remark in done.stderr) == is_told


def test_the_same_id_twice_is_one() -> None:
    """Naming it by prefix and in full settles it once."""
    item = ask()
    assert escalations("approve", item, item[:6]).returncode == 0
    assert len(frames("GembaResolve")) == 1


def test_the_same_nonce_twice_is_one_answer() -> None:
    """A program that asks again after a broken connection is not told of a conflict."""
    item = ask()
    first = told("escalations", "respond", item, "blue", "--nonce", "n1")
    second = told("escalations", "respond", item, "blue", "--nonce", "n1")
    assert first[0]["escalation_ids"] == second[0]["escalation_ids"] == [item]
    assert len(frames("GembaResolve")) == 1
    assert escalations("respond", item, "blue", "--nonce", "n2").returncode == 5


def test_the_same_nonce_after_a_reopening_answers_no_more() -> None:
    """It says so, and leaves the question open for an answer that is a new one."""
    item = ask()
    escalations("respond", item, "blue", "--nonce", "n1")
    reopen(item)
    before = log_bytes()
    again = escalations("respond", item, "blue", "--nonce", "n1")
    assert (again.returncode, log_bytes()) == (0, before)
    assert again.stdout == f"answered before, and opened again since: {item}\n"
    assert told("escalations", "respond", item, "blue", "--nonce", "n1")[0]["delivery"] is None
    assert escalations("respond", item, "green", "--nonce", "n2").returncode == 0
    assert resolution(item).value == "green"


@pytest.mark.parametrize("between", [("respond", "green"), ("cancel",)])
def test_no_nonce_from_before_answers_again(between: tuple[str, ...]) -> None:
    """However often the question was closed and opened again since."""
    item = ask()
    escalations("respond", item, "blue", "--nonce", "n1")
    reopen(item)
    command, *text = between
    escalations(command, item, *text)
    reopen(item)
    escalations("respond", item, "blue", "--nonce", "n1")
    assert shown(item).state == "open"


def test_one_nonce_for_two_questions_answers_both() -> None:
    """They are two decisions, each of which was asked for."""
    one, other = ask("Which colour?"), ask("Which size?")
    escalations("respond", one, "blue", "--nonce", "n")
    escalations("respond", other, "big", "--nonce", "n")
    assert (resolution(one).value, resolution(other).value) == ("blue", "big")


@pytest.mark.parametrize("source", ["permission_prompt", "hitl_approval"])
@pytest.mark.parametrize("words", [("approve",), ("approve", "--always"), ("respond", "yes")])
def test_what_allows_an_act_is_not_allowed_beside_others(
    source: str, words: tuple[str, ...]
) -> None:
    """Exit 2 with what to do, and nothing is written."""
    one = escalate(source)
    other = ask("Which colour?")
    command, *text = words
    more = (*text, "--also", other) if command == "respond" else (other, *text)
    before = log_bytes()
    done = escalations(command, one, *more)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"{one}: what it allows is to be looked at by itself: decide it alone" in done.stderr
    assert log_bytes() == before


@pytest.mark.parametrize("command", ["deny", "defer", "cancel"])
def test_what_allows_an_act_may_be_put_down_beside_others(command: str) -> None:
    """A no to several allows nothing."""
    items = [escalate("permission_prompt"), escalate("hitl_approval"), ask()]
    assert escalations(command, *items).returncode == 0
    assert "open" not in {shown(item).state for item in items}


def test_an_approval_is_equal_to_none() -> None:
    """`--equal` takes no other along, though it asks the same."""
    one, other = escalate("hitl_approval"), escalate("hitl_approval")
    assert escalations("approve", one, "--equal").returncode == 0
    assert (shown(one).state, shown(other).state) == ("resolved", "open")


def test_the_same_nonce_finishes_what_a_crash_left_half_done() -> None:
    """Two logs, one of them written: the rest is settled, the first not twice."""
    ids = [ask("one", session="a"), ask("two", session="b")]
    answer(ids[0], value="go", nonce="n1")
    answer(*ids, value="go", nonce="n1")
    assert [len(frames("GembaResolve", session)) for session in "ab"] == [1, 1]


def test_json_says_what_was_settled_and_delivered() -> None:
    """One entry for each session."""
    ids = [ask("one"), ask("two"), ask("three", session="s2")]
    [first, second] = told("escalations", "approve", *ids)
    assert (first["session_id"], first["escalation_ids"], first["kind"]) == (
        "s1",
        ids[:2],
        "approve",
    )
    assert first["delivery"]["status"] == "held"
    assert second["escalation_ids"] == ids[2:]
    assert json.loads(escalations("cancel", ask("four"), "--json").stdout)[0]["state"] == "canceled"


@pytest.mark.parametrize("command", ["respond", "approve", "deny"])
def test_a_dialog_of_the_agents_own_is_decided_in_its_pane(command: str) -> None:
    """Until its hook waits for us, a permission is neither given nor refused from here."""
    item = hook("PermissionRequest", tool_name="Bash", tool_input={"command": "ls"})
    text = ("yes",) if command == "respond" else ()
    done = escalations(command, item, *text)
    assert done.returncode == 1
    assert "in its pane" in done.stderr
    assert shown(item).state == "open"


def test_questions_of_a_session_that_ended_are_closed() -> None:
    """They were canceled with it, and say why."""
    item = ask()
    hook("SessionEnd", reason="logout")
    done = escalations("respond", item, "late")
    assert done.returncode == 5
    assert "provider_exit" in done.stderr
