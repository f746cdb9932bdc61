"""gemba sessions list and show: what each agent is doing, and what it waits for."""

import pytest

from tests.inbox.scene import ask, hook
from tests.operator.desk import gemba, told

FIELDS = [
    "session_id",
    "agent_type",
    "status",
    "status_at",
    "note",
    "work_item_id",
    "close_reason",
    "created_at",
    "open",
    "blocking",
    "log",
    "lead",
    "kept",
]


def test_none_is_said_so() -> None:
    """A line for people, an empty array for programs."""
    assert gemba("sessions", "list").stdout == "No session has reported yet.\n"
    assert told("sessions", "list") == []


def test_each_session_is_listed_with_what_it_waits_for() -> None:
    """The oldest blocking escalation is named."""
    ask("Which?", session="a")
    ask("Need a key.", session="b", kind="blocker")
    ask("Need another.", session="b", kind="blocker")
    by_id = {item["session_id"]: item for item in told("sessions", "list")}
    assert list(by_id["a"]) == FIELDS
    assert (by_id["a"]["open"], by_id["a"]["blocking"]) == (1, 0)
    assert (by_id["b"]["open"], by_id["b"]["blocking"]) == (2, 2)
    rows = gemba("sessions", "list", env={"COLUMNS": "160"}).stdout.splitlines()
    [row] = [row for row in rows if row.startswith("b ")]
    assert "2 blocking" in row
    assert "Need a key." in row


@pytest.mark.parametrize("width", ["40", "60", "80"])
def test_a_narrow_terminal_keeps_the_session(width: str) -> None:
    """With its status and what it waits for; other columns yield."""
    ask("Need a key.", session="webhook-agent", kind="blocker")
    heading, row = gemba("sessions", "list", env={"COLUMNS": width}).stdout.splitlines()
    assert max(len(heading), len(row)) <= int(width)
    for part in ("webhook-ag", "working", "Need a key."):
        assert part in row


def test_show_has_the_session_and_its_open_escalations() -> None:
    """And the log that it all comes from."""
    item = ask(session="tmux:%3")
    hook("GembaState", "tmux:%3", state="stalled", note="no network")
    page = gemba("sessions", "show", "tmux:%3").stdout
    for part in ("tmux:%3", "stalled", "no network", "tmux__3", item[:8]):
        assert part in page
    assert told("sessions", "show", "tmux:%3")["status"] == "stalled"


def test_an_end_says_why() -> None:
    """A session that ended is listed as completed, with its reason."""
    hook("SessionEnd", reason="logout")
    assert "completed (provider_exit)" in gemba("sessions", "show", "s1").stdout


def test_an_unknown_session_is_exit_4() -> None:
    """And it says where to look."""
    done = gemba("sessions", "show", "nobody")
    assert (done.returncode, done.stdout) == (4, "")
    assert "gemba sessions list" in done.stderr


def test_the_beginning_of_an_id_is_enough() -> None:
    """Where one session alone begins so; an id that is whole is itself."""
    for session in ("claude-1f2e", "codex-77aa", "codex-77aabb"):
        ask(session=session)
    for given, meant in (("cl", "claude-1f2e"), ("codex-77aa", "codex-77aa")):
        assert told("sessions", "show", given)["session_id"] == meant


@pytest.mark.parametrize("command", [("show",), ("peek",), ("send", "hello"), ("end",)])
def test_an_ambiguous_beginning_is_exit_4(command: tuple[str, ...]) -> None:
    """Those that begin so are named, and nothing is done."""
    ask(session="codex-1")
    ask(session="codex-2")
    name, *text = command
    done = gemba("sessions", name, "codex", *text)
    assert (done.returncode, done.stdout) == (4, "")
    assert "more than one session begins with that: codex-1, codex-2" in done.stderr
