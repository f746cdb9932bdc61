"""Whom a rule calls for at a given moment: no clock, no file."""

from datetime import datetime, time
from typing import Any

import pytest

from gemba_core.attention.ledger import Sent
from gemba_core.attention.plan import due, retry_after
from gemba_core.attention.quiet import Quiet
from gemba_core.attention.rule import Rule
from gemba_core.frame.line import timestamp
from gemba_core.index import Escalation

SECOND = 1_000_000
ASKED = 2_000_000_000 * SECOND
MINUTE, HOUR = 60 * SECOND, 3600 * SECOND


def rule(**more: Any) -> Rule:
    """A rule about everything, unless `more` says otherwise."""
    return Rule(name="r", url="env:X", **more)


def item(id: str = "a", **more: Any) -> Escalation:
    """An advisory question of a manager in session s, asked at ASKED."""
    given: dict[str, Any] = dict.fromkeys(Escalation.__struct_fields__)
    given |= {"id": id, "session_id": "s", "source": "question", "channel": "tool_call"}
    given |= {"urgency": "advisory", "role": "manager", "title": "?", "prompt": "?"}
    given |= {"agent_type": "claude", "state": "open", "created_at": at(0)} | more
    return Escalation(**given)


def at(offset: int) -> str:
    """The moment so many microseconds after ASKED."""
    return timestamp((ASKED + offset) * 1000)


def sent(*offsets: int, id: str = "a", last: int | None = None) -> Sent:
    """The rule told of that escalation at these moments."""
    moment = max(offsets, default=last if last is not None else -ASKED)
    told = {("r", "s", id): (len(offsets), ASKED + max(offsets))} if offsets else {}
    return Sent(items=told, rules={"r": (ASKED + moment, 0, 0)})


def ids(rule: Rule, *items: Escalation, after: int, told: Sent | None = None) -> list[str]:
    """What is due so many microseconds after ASKED."""
    return [one.id for one in due(rule, items, told or Sent(), ASKED + after)]


@pytest.mark.parametrize(
    ("chosen", "fits"),
    [
        ({}, True),
        ({"urgency": ["advisory"]}, True),
        ({"urgency": ["blocking"]}, False),
        ({"role": ["manager", "coach"]}, True),
        ({"role": ["coach"]}, False),
        ({"source": ["question"]}, True),
        ({"source": ["blocker"]}, False),
        ({"session": ["s"]}, True),
        ({"session": ["x", "?"]}, True),
        ({"session": ["api-*"]}, False),
        ({"urgency": ["advisory"], "role": ["coach"]}, False),
    ],
)
def test_a_rule_chooses_by_all_that_it_names(chosen: dict[str, list[str]], fits: bool) -> None:
    """Each key narrows it further."""
    assert ids(rule(**chosen), item(), after=0) == (["a"] if fits else [])


def test_after_counts_from_the_ask() -> None:
    """Not a moment sooner."""
    assert ids(rule(after="5m"), item(), after=5 * MINUTE - 1) == []
    assert ids(rule(after="5m"), item(), after=5 * MINUTE) == ["a"]


def test_without_repeat_once_is_all() -> None:
    """However long it stays open."""
    assert ids(rule(), item(), after=100 * HOUR, told=sent(0)) == []


def test_reminders_come_in_their_time_and_end_at_the_cap() -> None:
    """`times` counts the first one too."""
    again = rule(repeat="1h", times=2)
    assert ids(again, item(), after=HOUR - 1, told=sent(0)) == []
    assert ids(again, item(), after=HOUR, told=sent(0)) == ["a"]
    assert ids(again, item(), after=100 * HOUR, told=sent(0, HOUR)) == []


def test_what_is_due_together_comes_together() -> None:
    """One message, not a shower."""
    assert ids(rule(), item("a"), item("b"), after=0) == ["a", "b"]


def test_at_most_every_counts_from_the_last_message_about_anything() -> None:
    """What became due meanwhile comes with the next one."""
    seldom = rule(at_most_every="10m")
    told = sent(0, id="z")
    items = item("a"), item("b", created_at=at(MINUTE))
    assert ids(seldom, *items, after=10 * MINUTE - 1, told=told) == []
    assert ids(seldom, *items, after=10 * MINUTE, told=told) == ["a", "b"]


def test_a_digest_gathers_from_the_first_that_is_due() -> None:
    """The later ones do not put it off."""
    digest = rule(after="1m", digest="30m")
    items = item("a"), item("b", created_at=at(20 * MINUTE))
    assert ids(digest, *items, after=31 * MINUTE - 1) == []
    assert ids(digest, *items, after=31 * MINUTE) == ["a", "b"]


def test_in_quiet_hours_nothing_is_due_and_at_their_end_all_of_it() -> None:
    """They hold back, they do not drop."""
    asked = datetime.fromtimestamp(ASKED / SECOND)
    quiet = Quiet(asked.time(), time((asked.hour + 2) % 24, asked.minute, asked.second))
    items = item("a"), item("b", created_at=at(HOUR))
    assert ids(rule(quiet=quiet), *items, after=2 * HOUR - 1) == []
    assert ids(rule(quiet=quiet), *items, after=2 * HOUR) == ["a", "b"]


def test_what_somebody_looks_after_is_passed_over_until_the_claim_ends() -> None:
    """They know already."""
    claimed = item(claimed_by="ann", claimed_until=at(HOUR))
    assert ids(rule(), claimed, after=HOUR - 1) == []
    assert ids(rule(), claimed, after=HOUR) == ["a"]


def test_after_failures_it_waits_longer_and_longer() -> None:
    """A service that is down is not hammered, nor forgotten."""
    assert [retry_after(count) for count in (1, 2, 3, 20, 10_000)] == [15, 30, 60, 900, 900]
    failed = Sent(rules={"r": (0, 2, ASKED)})
    assert ids(rule(), item(), after=30 * SECOND - 1, told=failed) == []
    assert ids(rule(), item(), after=30 * SECOND, told=failed) == ["a"]


def test_rules_do_not_know_of_each_other() -> None:
    """What another rule sent is none of this one's."""
    other = Sent(items={("other", "s", "a"): (1, ASKED)}, rules={"other": (ASKED, 0, 0)})
    assert ids(rule(at_most_every="1h"), item(), after=0, told=other) == ["a"]
