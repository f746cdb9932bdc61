"""kill -9 of the server in the middle of many answers."""

import random
import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands import environment
from tests.inbox.scene import ask, payloads, shown
from tests.waiting import wait_until
from tests.web.served import serving

_ANSWERS = 200
_SESSIONS = 20
_CLIENTS = 4
_SEED = 20261121


def confirmed(paths: list[Path]) -> list[str]:
    """The escalations of which a client was told that they are answered."""
    return [one for path in paths if path.exists() for one in path.read_text().split()]


def kill_after(count: int, ids: list[str], folder: Path) -> list[str]:
    """Clients answer all; the server is killed when so many are confirmed. Which ones were."""
    paths = [folder / f"confirmed-{number}" for number in range(_CLIENTS)]
    with serving() as running:
        command = [sys.executable, "-m", "tests.web.answerer", running.server.url]
        clients = [
            subprocess.Popen(
                [*command, running.server.token, str(path), *ids[number::_CLIENTS]],
                env=environment(),
            )
            for number, path in enumerate(paths)
        ]
        wait_until(lambda: len(confirmed(paths)) >= count, timeout=60, what=f"{count} answers")
        running.process.kill()
        for client in clients:
            assert client.wait(30) == 0
    return confirmed(paths)


@pytest.mark.parametrize(
    "count",
    [
        20,
        *(
            pytest.param(count, marks=pytest.mark.torture)
            for count in random.Random(_SEED).sample(range(_ANSWERS - 2 * _CLIENTS), 20)
        ),
    ],
)
@pytest.mark.timeout(180)
def test_what_was_confirmed_is_there_and_the_rest_is_open(tmp_path: Path, count: int) -> None:
    """What was not confirmed is answered with what was sent, or open; and each at most once."""
    sessions = [f"s{number % _SESSIONS}" for number in range(_ANSWERS)]
    ids = [ask(str(number), session) for number, session in enumerate(sessions)]
    told = kill_after(count, ids, tmp_path)
    assert count <= len(told) < _ANSWERS, "the server was not killed in the middle"
    with serving() as running:
        # Whoever got no reply asks again with the same nonce.
        for one in ids:
            item = running.server.get(f"escalations/{one}")
            assert item["state"] == "resolved" or one not in told, f"{one} was confirmed and lost"
            said = running.server.respond(one, f"answer to {one}", f"nonce {one}")
            assert said.status_code == 200, said.text
    for one in ids:
        resolved = shown(one).resolution
        assert resolved is not None
        assert resolved.value == f"answer to {one}"
    answered = [
        one
        for session in sorted(set(sessions))
        for payload in payloads("GembaResolve", session)
        for one in payload["escalation_ids"]
    ]
    assert sorted(answered) == sorted(ids)
