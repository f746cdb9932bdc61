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
    "workspace",
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


def test_those_that_run_come_first() -> None:
    """And alone, if asked for; that none runs is said."""
    for session in ("a", "b", "c"):
        hook("GembaState", session, state="working")
    for session in ("c", "b"):
        hook("SessionEnd", session, reason="logout")
    assert [item["session_id"] for item in told("sessions", "list")] == ["a", "b", "c"]
    assert [item["session_id"] for item in told("sessions", "list", "--running")] == ["a"]
    hook("SessionEnd", "a", reason="logout")
    assert gemba("sessions", "list", "--running").stdout == "No session runs.\n"


def test_the_list_names_work_items_if_there_are_any() -> None:
    """In a column of their own."""
    ask(session="a")
    wide = {"COLUMNS": "160"}
    assert "WORK ITEM" not in gemba("sessions", "list", env=wide).stdout
    hook("GembaReservation", "b", op="claimed", reservation_id="b", agent_id="b", work_item_id="w7")
    heading, *rows = gemba("sessions", "list", env=wide).stdout.splitlines()
    assert "WORK ITEM" in heading
    assert [row.split()[-1] for row in rows if row.startswith("b ")] == ["w7"]


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


def test_show_tells_where_a_session_works_and_what_has_its_work() -> None:
    """The branches that it has left, once it has ended, and the folder of what is on none."""
    placed = {
        "id": "s1",
        "kind": "worktree",
        "worktree_path": "/w/s1",
        "repository": "/shop",
        "branch": "gemba/s1",
    }
    hook("GembaReservation", op="claimed", reservation_id="s1", agent_id="codex")
    hook("GembaWorkspace", op="acquired", workspace=placed)
    page = gemba("sessions", "show", "s1").stdout
    for part in ("worktree /w/s1", "gemba/s1", "/shop"):
        assert part in page
    left = {"branches": ["gemba/s1", "gemba/s1.try"], "kept": "/kept/s1"}
    gone = {**placed, "status": "released", "provider_metadata": left}
    hook("GembaWorkspace", op="released", workspace=gone)
    page = gemba("sessions", "show", "s1").stdout
    assert "on gemba/s1, gemba/s1.try; the rest in /kept/s1" in page
    assert "/w/s1" not in page
    assert told("sessions", "show", "s1")["workspace"] == {
        "kind": "worktree",
        "path": None,
        "repository": "/shop",
        "branch": "gemba/s1",
        **left,
    }


@pytest.mark.parametrize("wrong", [{"id": "s2", "kind": "worktree"}, {"id": "s1"}, {}])
def test_a_workspace_that_is_not_its_own_is_none(wrong: dict[str, str]) -> None:
    """An agent may write into its own log."""
    hook("GembaReservation", op="claimed", reservation_id="s1", agent_id="codex")
    hook("GembaWorkspace", op="acquired", workspace=wrong)
    assert told("sessions", "show", "s1")["workspace"] is None


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
