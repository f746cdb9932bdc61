"""How the inbox is served: what is open and how old, how fast answers come, and where from."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from datetime import date, datetime, timedelta
from math import ceil
from statistics import median

from msgspec import Struct

from gemba_core.frame.moment import rfc3339
from gemba_core.frame.vocabulary import URGENCIES
from gemba_core.index import Escalation, Filter, Index

# Seconds up to which an age is of that name; what is older has the last one.
_AGES = (("5m", 300), ("15m", 900), ("1h", 3600), ("4h", 14_400), ("1d", 86_400))
_OLDER = "older"
# Who answers there is no person: their haste says nothing of people.
_NO_PERSON = ("policy", "agent")


class Age(Struct, frozen=True):
    """How many open ones are at most `up_to` old, and older than the row before."""

    up_to: str
    blocking: int
    advisory: int


class Pace(Struct, frozen=True):
    """Of a day, session or role: how many were asked and answered by people, and how fast.

    Seconds from the ask to the answer; null where there was none. `p90` by nearest rank.
    """

    name: str
    asked: int
    answered: int
    median: float | None
    p90: float | None


class Surface(Struct, frozen=True):
    """How many answers came that way; `policy` and `agent` are no persons."""

    via: str
    answers: int


class Stats(Struct, frozen=True):
    """As `gemba stats --json` prints it; a day is one of the local calendar, by the ask."""

    since: str
    until: str
    open: list[Age]
    total: Pace
    days: list[Pace]
    sessions: list[Pace]
    roles: list[Pace]
    surfaces: list[Surface]


def collect(index: Index, *, since: datetime, now: datetime) -> Stats:
    """The statistics of what was asked since then; what is open counts however old."""
    asked = Filter(states=(), since=int(since.timestamp() * 1_000_000))
    return of(index.escalations(Filter()), index.escalations(asked), since=since, now=now)


def of(
    open_ones: Iterable[Escalation], asked: Sequence[Escalation], *, since: datetime, now: datetime
) -> Stats:
    """The statistics of these rows. Pure; days are those of the time zone of `now`."""
    by_day = _grouped(asked, lambda item: _day(item, now))
    return Stats(
        since=rfc3339(since),
        until=rfc3339(now),
        open=_ages(open_ones, now),
        total=_pace("all", asked),
        days=[_pace(day, by_day.get(day, [])) for day in _days(since, now)],
        sessions=_paces(_grouped(asked, lambda item: item.session_id)),
        roles=_paces(_grouped(asked, lambda item: item.role or "none")),
        surfaces=_surfaces(asked),
    )


def _ages(open_ones: Iterable[Escalation], now: datetime) -> list[Age]:
    counts = Counter((_age(item, now), item.urgency) for item in open_ones)
    names = [*(name for name, _ in _AGES), _OLDER]
    return [Age(name, *(counts[name, urgency] for urgency in URGENCIES)) for name in names]


def _age(item: Escalation, now: datetime) -> str:
    if item.created_at is None:
        return _OLDER
    seconds = (now - datetime.fromisoformat(item.created_at)).total_seconds()
    return next((name for name, most in _AGES if seconds <= most), _OLDER)


def _paces(groups: dict[str, list[Escalation]]) -> list[Pace]:
    """Those that asked most first."""
    paces = [_pace(name, items) for name, items in groups.items()]
    return sorted(paces, key=lambda pace: (-pace.asked, pace.name))


def _pace(name: str, items: Sequence[Escalation]) -> Pace:
    times = sorted(seconds for item in items if (seconds := _seconds_to_answer(item)) is not None)
    if not times:
        return Pace(name, len(items), 0, None, None)
    p90 = times[ceil(0.9 * len(times)) - 1]
    return Pace(name, len(items), len(times), round(median(times), 3), round(p90, 3))


def _seconds_to_answer(item: Escalation) -> float | None:
    done = item.resolution
    if done is None or done.kind == "defer" or done.via in _NO_PERSON:
        return None
    if item.created_at is None or done.resolved_at is None:
        return None
    asked, answered = map(datetime.fromisoformat, (item.created_at, done.resolved_at))
    return max((answered - asked).total_seconds(), 0.0)


def _surfaces(items: Iterable[Escalation]) -> list[Surface]:
    done = [item.resolution for item in items if item.resolution is not None]
    counts = Counter(one.via for one in done if one.kind != "defer")
    return [Surface(via, count) for via, count in counts.most_common()]


def _grouped(
    items: Iterable[Escalation], name: Callable[[Escalation], str]
) -> dict[str, list[Escalation]]:
    groups: dict[str, list[Escalation]] = {}
    for item in items:
        groups.setdefault(name(item), []).append(item)
    return groups


def _day(item: Escalation, now: datetime) -> str:
    if item.created_at is None:
        return ""
    return _date(datetime.fromisoformat(item.created_at), now).isoformat()


def _days(since: datetime, now: datetime) -> list[str]:
    """Every day from then to now, those without an ask too."""
    first = _date(since, now)
    return [
        (first + timedelta(number)).isoformat() for number in range((now.date() - first).days + 1)
    ]


def _date(moment: datetime, now: datetime) -> date:
    return moment.astimezone(now.tzinfo).date()
