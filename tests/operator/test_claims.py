"""gemba escalations claim and release: who looks after what, and in whose name one acts."""

import json
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest

from gemba_core.errors import AlreadySettled
from gemba_core.inbox.claims import claim
from gemba_core.inbox.opened import use_index
from gemba_core.index import Escalation, Index
from tests.commands import SCRIPTS, environment
from tests.inbox.scene import ANNA, answer, ask, hook, log_bytes, payloads, resolution, shown
from tests.operator.desk import escalations, told
from tests.operator.test_tick import FUTURE, PAST
from tests.operator.test_watch import watching


def test_a_claim_tells_who_and_until_when() -> None:
    """Half an hour unless told otherwise."""
    item = ask()
    done = escalations("claim", item, "--as", "ann", "--json")
    [said] = json.loads(done.stdout)
    assert (said["id"], said["claimed_by"]) == (item, "ann")
    left = datetime.fromisoformat(said["claimed_until"]) - datetime.now(UTC)
    assert 1_700 < left.total_seconds() <= 1_800
    assert (shown(item).claimed_by, shown(item).claimed_until) == ("ann", said["claimed_until"])
    assert "(claimed by ann) Which colour?" in escalations("list").stdout


def test_of_two_the_first_has_it() -> None:
    """The other is told who, and nothing is written."""
    item = ask()
    escalations("claim", item, "--as", "ann")
    before = log_bytes()
    done = escalations("claim", item, "--as", "bob")
    assert done.returncode == 5
    assert "ann looks after it until" in done.stderr
    assert log_bytes() == before


def test_the_conflict_shows_the_escalation_as_it_stands() -> None:
    """With the claim that was in the way: other surfaces show it."""
    item = ask()

    def late(index: Index) -> Escalation:
        hook("GembaClaim", escalation_id=item, by="ann", until=FUTURE)
        with pytest.raises(AlreadySettled) as caught:
            claim(index, [item], seconds=60, actor=ANNA)
        assert isinstance(caught.value.escalation, Escalation)
        return caught.value.escalation

    assert use_index(late).claimed_by == "ann"


def test_of_many_at_once_one_has_it() -> None:
    """Decided under the log's lock, whatever each has read before."""
    item = ask()
    command = [str(SCRIPTS / "gemba"), "escalations", "claim", item, "--as"]
    racing = [
        subprocess.Popen(
            [*command, name], env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        for name in ("ann", "bob", "cyd", "dan")
    ]
    for process in racing:
        process.communicate(timeout=30)
    assert sorted(process.returncode for process in racing) == [0, 5, 5, 5]
    assert len(payloads("GembaClaim")) == 1


def test_ones_own_claim_is_prolonged() -> None:
    """By claiming again."""
    item = ask()
    escalations("claim", item, "--as", "ann", "--for", "10m")
    first = shown(item).claimed_until
    assert escalations("claim", item, "--as", "ann", "--for", "1h").returncode == 0
    assert str(shown(item).claimed_until) > str(first)


def test_a_claim_that_has_run_out_binds_nobody() -> None:
    """Also before anybody has written that down."""
    item = ask()
    hook("GembaClaim", escalation_id=item, by="ann", until=PAST)
    assert "claimed" not in escalations("list").stdout
    assert escalations("claim", item, "--as", "bob").returncode == 0
    assert shown(item).claimed_by == "bob"


def test_several_are_claimed_all_or_none() -> None:
    """In whichever sessions."""
    free, taken = ask(session="s1"), ask(session="s2")
    escalations("claim", taken, "--as", "ann")
    assert escalations("claim", free, taken, "--as", "bob").returncode == 5
    assert shown(free).claimed_by is None


def test_anybody_may_release() -> None:
    """Colleagues go home; the record says who did it. Twice is harmless."""
    item = ask()
    escalations("claim", item, "--as", "ann")
    assert escalations("release", item, "--as", "bob").returncode == 0
    assert shown(item).claimed_by is None
    assert escalations("release", item).returncode == 0
    assert payloads("GembaRelease") == [{"escalation_id": item, "by": "bob"}]


def test_an_answer_by_another_counts_and_the_claim_is_said() -> None:
    """A claim binds nobody."""
    item = ask()
    escalations("claim", item, "--as", "ann")
    done = escalations("respond", item, "blue", "--as", "bob")
    assert done.returncode == 0
    assert "ann looks after it until" in done.stderr
    assert resolution(item).resolved_by == "bob"
    assert shown(item).claimed_by is None


def test_what_is_settled_is_claimed_by_nobody() -> None:
    """The exit code and the words of a lost race."""
    item = ask()
    answer(item)
    done = escalations("claim", item)
    assert done.returncode == 5
    assert "already answered by anna" in done.stderr
    assert escalations("release", item).returncode == 5


def test_a_reopened_one_is_free() -> None:
    """Whoever looked after it before."""
    item = ask()
    escalations("claim", item, "--as", "ann")
    answer(item)
    escalations("reopen", item)
    assert shown(item).claimed_by is None
    assert escalations("claim", item, "--as", "bob").returncode == 0


@pytest.mark.parametrize("time", ["soon", "0", "8d", "1e300d"])
def test_a_claim_has_an_end(time: str) -> None:
    """Within a week."""
    assert escalations("claim", ask(), "--for", time).returncode == 2


@pytest.mark.parametrize(
    ("act", "more"),
    [("approve", ()), ("deny", ()), ("defer", ()), ("respond", ("blue",))],
)
def test_every_decision_is_attributed(act: str, more: tuple[str, ...]) -> None:
    """To the name given; else to the login name."""
    item = ask()
    escalations(act, item, *more, "--as", "Ann B.")
    assert resolution(item).resolved_by == "Ann B."


@pytest.mark.parametrize(("act", "name"), [("cancel", "GembaCancel"), ("reopen", "GembaReopen")])
def test_closing_and_opening_are_attributed_too(act: str, name: str) -> None:
    """In their frames."""
    item = ask()
    if act == "reopen":
        answer(item)
    escalations(act, item, "--as", "ann")
    assert payloads(name)[-1]["by"] == "ann"


@pytest.mark.parametrize("name", ["", " ", "a\nb", "x" * 65, "\x1b[31mred"])
def test_a_name_is_one_line(name: str) -> None:
    """Nothing is decided in the name of nobody."""
    item = ask()
    assert escalations("approve", item, "--as", name).returncode == 2
    assert shown(item).state == "open"


def test_an_agent_acts_in_no_other_name() -> None:
    """Not even where it may answer."""
    item = ask()
    done = escalations("claim", item, "--as", "ann", env={"GEMBA_SESSION_ID": "other"})
    assert done.returncode == 1
    assert "leave --as out" in done.stderr
    assert escalations("claim", item, env={"GEMBA_SESSION_ID": "s1"}).returncode == 1


def test_the_others_are_shown_it_at_once(tmp_path: Path) -> None:
    """Claim, release and answer, with the name, in whatever watches."""
    item = ask()
    with watching(tmp_path / "out", "--json") as watch:
        escalations("claim", item, "--as", "ann")
        assert watch.tells(item, "changed")["claimed_by"] == "ann"
        escalations("respond", item, "blue", "--as", "bob")
        assert watch.tells(item, "settled")["resolution"]["resolved_by"] == "bob"


def test_equal_questions_stand_together_and_are_answered_together() -> None:
    """Of several agents; the later ones point to the first."""
    first, between, second = ask("Same?"), ask("Other?", "s2"), ask(" Same?\n", "s3")
    ids = [line[:8] for line in escalations("list").stdout.splitlines()[1:]]
    assert ids == [first[:8], second[:8], between[:8]]
    assert f"asks the same as {first[:8]}" in escalations("list").stdout
    assert escalations("respond", first, "yes", "--equal").returncode == 0
    assert [one["id"] for one in told("escalations", "list")] == [between]
    assert resolution(second).value == "yes"


def test_other_options_or_urgency_make_another_question() -> None:
    """One answer would not fit both."""
    first = ask("Same?")
    ask("Same?", "s2", options=[{"value": "a"}])
    ask("Same?", "s3", mode="cautious")
    escalations("approve", first, "--equal")
    assert len(told("escalations", "list")) == 2


def test_dialogs_of_agents_are_equal_to_none() -> None:
    """A permission is given to one call, never to all that look like it."""
    for session in ("s1", "s2"):
        shown_input = {"tool_name": "Bash", "tool_input": {"command": "ls"}, "session_id": "c"}
        hook("PermissionRequest", session, agent_type="claude", **shown_input)
    assert "same" not in escalations("list").stdout
    items = told("escalations", "list")
    assert len(items) == 2
    escalations("defer", items[0]["id"], "--equal")
    assert [one["id"] for one in told("escalations", "list")] == [items[1]["id"]]
