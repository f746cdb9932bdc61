"""gemba stats: a pure function over rows, and the page and the JSON of it."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from gemba.stats_page import duration, sparkline
from gemba_core.inbox.stats import Pace, Stats, Surface, of
from gemba_core.index import Escalation, Resolution
from tests.attention.test_plan import item as row
from tests.inbox.scene import answer, ask
from tests.operator.desk import gemba, told

NOW = datetime(2030, 1, 10, 12, tzinfo=UTC)


def before(**ago: float) -> str:
    """That long before NOW."""
    return (NOW - timedelta(**ago)).isoformat()


def item(asked: str, **more: Any) -> Escalation:
    """An open advisory question, asked then."""
    return row(created_at=asked, **more)


def settled(
    asked: str, seconds: float, *, via: str = "cli", kind: str = "modify", **more: Any
) -> Escalation:
    """One that was answered so many seconds after it was asked."""
    at = (datetime.fromisoformat(asked) + timedelta(seconds=seconds)).isoformat()
    return item(asked, state="resolved", resolution=Resolution(kind, "x", "ann", at, via), **more)


def made(*asked: Escalation, open_ones: tuple[Escalation, ...] = ()) -> Stats:
    """The statistics of the three days up to NOW."""
    return of(open_ones, asked, since=NOW - timedelta(days=2), now=NOW)


def test_open_ones_are_counted_by_age_and_urgency() -> None:
    """Each in the first row that it is not too old for."""
    found = made(
        open_ones=(
            item(before(seconds=1)),
            item(before(seconds=300)),
            item(before(seconds=301), urgency="blocking"),
            item(before(days=30)),
            item(before(days=1)),
            row(created_at=None),
        )
    )
    counts = {age.up_to: (age.blocking, age.advisory) for age in found.open}
    assert counts == {
        "5m": (0, 2),
        "15m": (1, 0),
        "1h": (0, 0),
        "4h": (0, 0),
        "1d": (0, 1),
        "older": (0, 2),
    }


def test_median_and_p90_are_of_peoples_answers() -> None:
    """Of ten, the ninth; of an even number, the middle between two."""
    asked = [settled(before(hours=1), seconds) for seconds in range(10, 110, 10)]
    assert made(*asked).total == Pace("all", 10, 10, 55.0, 90.0)


@pytest.mark.parametrize("how", [{"via": "policy"}, {"via": "agent"}, {"kind": "defer"}])
def test_what_no_person_answered_says_nothing_of_their_pace(how: dict[str, str]) -> None:
    """It was asked, and that is all."""
    assert made(settled(before(hours=1), 5, **how)).total == Pace("all", 1, 0, None, None)


def test_every_day_has_its_row() -> None:
    """Those without an ask too; a day is that of the ask, in the time zone of the reader."""
    found = made(settled(before(days=1), 7), item(before(days=1)), item(before(hours=1)))
    assert found.days == [
        Pace("2030-01-08", 0, 0, None, None),
        Pace("2030-01-09", 2, 1, 7.0, 7.0),
        Pace("2030-01-10", 1, 0, None, None),
    ]


def test_sessions_and_roles_that_asked_most_come_first() -> None:
    """Then by name."""
    found = made(
        item(before(hours=1), session_id="b"),
        item(before(hours=1), session_id="a", role=None),
        item(before(hours=1), session_id="c"),
        settled(before(hours=1), 3, session_id="c"),
    )
    assert [pace.name for pace in found.sessions] == ["c", "a", "b"]
    assert found.sessions[0] == Pace("c", 2, 1, 3.0, 3.0)
    assert [(pace.name, pace.asked) for pace in found.roles] == [("manager", 3), ("none", 1)]


def test_answers_are_counted_by_surface() -> None:
    """Policy and agents are named; what was put aside is no answer."""
    found = made(
        settled(before(hours=1), 1, via="web"),
        settled(before(hours=1), 1, via="web"),
        settled(before(hours=1), 1, via="policy"),
        settled(before(hours=1), 1, kind="defer"),
    )
    assert found.surfaces == [Surface("web", 2), Surface("policy", 1)]


def test_an_answer_before_its_ask_took_no_time() -> None:
    """Clocks are set back now and then."""
    assert made(settled(before(hours=1), -60)).total.median == 0.0


def test_the_json_has_all_of_it() -> None:
    """From the real index."""
    answer(ask("one"))
    ask("two", "s2", kind="blocker")
    found = told("stats", "--since", "1d")
    assert (found["total"]["asked"], found["total"]["answered"]) == (2, 1)
    assert found["open"][0] == {"up_to": "5m", "blocking": 1, "advisory": 0}
    assert found["surfaces"] == [{"via": "cli", "answers": 1}]
    assert found["since"] < found["until"]
    assert found["until"].endswith("Z")


def test_the_page_says_it_in_words_bars_and_lines() -> None:
    """An empty inbox too."""
    empty = gemba("stats")
    assert "Nothing is open." in empty.stdout
    assert "Nothing was asked." in empty.stdout
    answer(ask("one"))
    ask("two", "evil\x1b[31m")
    page = gemba("stats").stdout
    assert "█" in page
    assert "\x1b" not in page
    assert "cli" in page


@pytest.mark.parametrize("since", ["yesterday", "0", "4000d"])
def test_a_time_that_is_none_is_refused(since: str) -> None:
    """With what to give."""
    assert gemba("stats", "--since", since).returncode == 2


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(None, "-"), (0.4, "0s"), (59, "59s"), (90, "1.5m"), (7200, "2h"), (129_600, "1.5d")],
)
def test_a_duration_is_short(seconds: float | None, said: str) -> None:
    """As a person says it."""
    assert duration(seconds) == said


def test_a_sparkline_goes_from_nothing_to_the_most() -> None:
    """And is blank where there is no value."""
    assert sparkline([0, 5, None, 10]) == "▁▅ █"
    assert sparkline([None, 0]) == "  "
