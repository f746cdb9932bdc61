"""`gemba escalations list --json` with years of settled escalations behind it."""

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from bench.environment import Workshop
from bench.figure import Figure
from bench.logs import ask, beginning, event, line, log_of
from bench.paired import paired

_OPEN = 100
_SETTLED = 100_000
_LOGS = 5_000
_LIST = ("gemba", "escalations", "list", "--json")


def measure(shop: Workshop) -> Iterator[Figure]:
    """100 open among 100,000 settled in 5,000 logs, against 100 open and nothing else."""
    with shop.home() as large, shop.home() as small:
        _fill(large, logs=_LOGS, settled=_SETTLED)
        _fill(small, logs=10, settled=0)
        for home in (large, small):
            listed = len(json.loads(shop.run(home, *_LIST)))
            if listed != _OPEN:
                raise AssertionError(f"{listed} escalations are listed, {_OPEN} are open")

        long, short = partial(shop.run, large, *_LIST), partial(shop.run, small, *_LIST)
        bare = partial(shop.run, large, "python", "-c", "import click, sqlite3, msgspec")
        found = paired(long, bare)
        yield Figure(
            name="list, 100 of 100,100 / python -c 'import click, sqlite3, msgspec'",
            value=found.ratio,
            at_most=2,
            note=found.note,
        )
        found = paired(long, short)
        yield Figure(
            name="list, 100 of 100,100 in 5,000 logs / 100 of 100 in 10",
            value=found.ratio,
            at_most=1.5,
            note=found.note,
        )


def _fill(home: Path, *, logs: int, settled: int) -> None:
    """Spread the open and the settled ones over the logs; what has nothing open has ended."""
    for number in range(logs):
        session = f"session-{number}"
        with log_of(home, session).open("wb") as file:
            file.write(beginning(session))
            for answered in range(settled // logs):
                file.write(_settled(session, 10 + 3 * answered))
            still_open = len(range(number, _OPEN, logs))
            for one in range(still_open):
                file.write(ask(session) % event(1_000_000 + one))
            if not still_open:
                file.write(line(session, "SessionEnd", {"reason": "exit"}) % event(2))


def _settled(session: str, first: int) -> bytes:
    """A question that was asked, answered and collected: its events from `first` on."""
    resolution = f"{event(first + 1):016x}"
    answer: dict[str, object] = {
        "escalation_ids": [f"{event(first):016x}"],
        "resolution_id": resolution,
        "kind": "modify",
        "value": "Use the test key.",
        "resolved_by": "me",
        "nonce": resolution,
        "via": "cli",
    }
    receipt: dict[str, object] = {
        "resolution_id": resolution,
        "attempt": 1,
        "status": "collected",
        "by": "gemba-ask",
    }
    frames = (
        ask(session),
        line(session, "GembaResolve", answer),
        line(session, "GembaDelivery", receipt),
    )
    return b"".join(frame % event(first + number) for number, frame in enumerate(frames))
