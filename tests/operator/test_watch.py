"""gemba escalations watch: what is open, then every change as it happens."""

import json
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.ask.agent import QUESTION, waiting
from tests.commands import SCRIPTS, environment
from tests.inbox.scene import answer, ask, cancel, shown
from tests.waiting import wait_until


@dataclass(frozen=True)
class Watch:
    """A running watch, and the file that it writes to."""

    process: subprocess.Popen[bytes]
    out: Path

    def events(self) -> list[dict[str, Any]]:
        """What it has printed so far."""
        return [json.loads(line) for line in self.out.read_text().splitlines()]

    def tells(self, item: str, event: str) -> dict[str, Any]:
        """Wait for that event of that escalation."""

        def told() -> list[dict[str, Any]]:
            return [
                one["escalation"]
                for one in self.events()
                if (one["escalation"]["id"], one["event"]) == (item, event)
            ]

        return wait_until(told, what=f"{event} of {item}")[-1]

    def end(self) -> tuple[int, str]:
        """Ctrl-C: its exit code and what stands on standard error."""
        self.process.send_signal(signal.SIGINT)
        _, err = self.process.communicate(timeout=30)
        return self.process.returncode, err.decode()


def heed_interrupts() -> None:
    """A job in the background, such as this test run may be, is started with Ctrl-C ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@contextmanager
def watching(out: Path, *args: str, first: str | None = "first") -> Iterator[Watch]:
    """Start it, and wait until it has told of a first question, if any; it is gone afterwards."""
    told = ask(first)[:8] if first else "nothing is open"
    command = [str(SCRIPTS / "gemba"), "escalations", "watch", *args]
    with (
        open(out, "wb") as file,
        subprocess.Popen(
            command,
            env=environment(),
            stdout=file,
            stderr=subprocess.PIPE,
            preexec_fn=heed_interrupts,
        ) as process,
    ):
        try:
            wait_until(lambda: told in out.read_text(), what="its first line")
            yield Watch(process, out)
        finally:
            process.kill()


def test_it_begins_with_what_is_open_and_tells_each_change(tmp_path: Path) -> None:
    """One JSON object a line, in the shape of the list."""
    before = ask("before")
    with watching(tmp_path / "out", "--json") as watch:
        assert watch.tells(before, "open")["prompt"] == "before"
        item = ask("new")
        assert watch.tells(item, "opened")["state"] == "open"
        answer(item, value="blue")
        assert watch.tells(item, "settled")["resolution"]["value"] == "blue"
        cancel(before)
        assert watch.tells(before, "settled")["state"] == "canceled"
        assert watch.end() == (0, "")


def test_it_says_that_it_watches_where_nothing_is_open(tmp_path: Path) -> None:
    """Else one could not tell it from a command that hangs."""
    with watching(tmp_path / "out", first=None) as watch:
        item = ask("new")
        wait_until(lambda: item[:8] in watch.out.read_text(), what="the line")
        assert watch.out.read_text().startswith("watching; nothing is open\n")


def test_a_line_is_cut_to_the_terminals_width(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A narrow pane would break it over several."""
    monkeypatch.setenv("COLUMNS", "50")
    with watching(tmp_path / "out", first="A long title of a question " * 4) as watch:
        [line] = watch.out.read_text().splitlines()
        assert len(line) == 50
        assert "A long" in line


def test_it_applies_deadlines(tmp_path: Path) -> None:
    """Whoever runs writes what time has made due."""
    with watching(tmp_path / "out", "--json") as watch:
        item = ask(deadline="2020-01-01T00:00:00Z", on_expiry="cancel")
        assert watch.tells(item, "settled")["state"] == "expired"


def test_it_tells_when_the_agent_has_the_answer(tmp_path: Path) -> None:
    """The receipt of a waiting gemba-ask is an event."""
    with watching(tmp_path / "out", "--json") as watch, waiting(*QUESTION) as waiter:
        watch.tells(waiter.id, "opened")
        answer(waiter.id)
        assert waiter.end()[0] == 0
        wait_until(
            lambda: watch.tells(waiter.id, "delivery")["delivery"]["status"] == "collected",
            what="the receipt",
        )


@pytest.mark.parametrize("text", ["a\x1b[2Jb\x07\nsecond", "[red]x[/red]"])
def test_for_people_it_prints_a_line_for_each(tmp_path: Path, text: str) -> None:
    """With the beginning of the id and the title, which cannot command the terminal."""
    with watching(tmp_path / "out") as watch:
        item = ask(text)
        wait_until(lambda: item[:8] in watch.out.read_text(), what="the line")
        [_, line] = watch.out.read_text().splitlines()
        assert "opened (advisory)" in line
        assert not {"\x1b", "\x07"} & set(line)
        assert watch.end() == (0, "")
    assert shown(item).state == "open"
