"""gemba escalations list: what is open, in its order, through its filters."""

from datetime import UTC, datetime, timedelta

import pytest

from gemba_core.frame.line import encode, members_of, new_event_id
from gemba_core.home import log_path
from gemba_core.log import append
from tests.inbox.scene import answer, ask, cancel, hook
from tests.operator.desk import escalations, told

FIELDS = [
    "id",
    "source",
    "channel",
    "session_id",
    "agent_type",
    "role",
    "work_item_id",
    "urgency",
    "title",
    "prompt",
    "options",
    "takes",
    "state",
    "created_at",
    "asked_count",
    "resolution",
    "delivery",
]


def asked_at(moment: datetime, text: str, kind: str = "question") -> str:
    """An ask of some other time."""
    event_id = new_event_id()
    payload: dict[str, object] = {"kind": kind, "role": "manager", "text": text}
    line = encode(
        "GembaAsk",
        members_of(payload),
        session_id="s1",
        agent_type="",
        event_id=event_id,
        ts=moment.isoformat(),
    )
    append(log_path("s1"), line)
    return event_id


def listed(*args: str) -> list[str]:
    """The ids that it lists."""
    return [item["id"] for item in told("escalations", "list", *args)]


def test_nothing_is_said_so() -> None:
    """An empty inbox is a line for people and an empty array for programs."""
    assert escalations("list").stdout == "Nothing is open.\n"
    assert escalations("list", "--all").stdout == "No escalation matches.\n"
    assert told("escalations", "list") == []


def test_blocking_come_first_and_then_the_oldest() -> None:
    """In the table and in JSON alike, across sessions."""
    first = ask("first", session="b")
    second = ask("second", session="a")
    blocker = ask("blocker", session="a", kind="blocker")
    late = ask("late", session="b", mode="cautious")
    order = [blocker, late, first, second]
    assert listed() == order
    rows = escalations("list").stdout.splitlines()[1:]
    assert [row.split()[0] for row in rows] == [one[:8] for one in order]


def test_json_has_the_documented_fields() -> None:
    """These names, in this order, and whatever comes after them."""
    answer(
        ask(
            title="Colour",
            bead_id="gm-7",
            options=[{"value": "b", "label": "Blue"}],
            role="coach",
        ),
        value="blue",
    )
    [item] = told("escalations", "list", "--all")
    assert list(item)[: len(FIELDS)] == FIELDS
    assert list(item["resolution"]) == ["kind", "value", "resolved_by", "resolved_at", "via"]
    assert list(item["delivery"]) == ["status", "attempt", "at", "detail"]
    expected = {
        "source": "question",
        "channel": "tool_call",
        "session_id": "s1",
        "role": "coach",
        "work_item_id": "gm-7",
        "urgency": "advisory",
        "title": "Colour",
        "prompt": "Which colour?",
        "options": [{"value": "b", "label": "Blue"}],
        "state": "resolved",
        "asked_count": 1,
    }
    assert item | expected == item
    resolution = item["resolution"]
    datetime.fromisoformat(resolution.pop("resolved_at"))
    assert resolution == {"kind": "modify", "value": "blue", "resolved_by": "anna", "via": "cli"}


def test_each_filter_keeps_what_it_names() -> None:
    """Session, urgency, kind, role, text and number."""
    mine = ask("Colour of the door?", session="a", role="coach")
    other = ask("Which door?", session="b", title="Size", kind="blocker")
    hook("PermissionRequest", "c", tool_name="Bash", tool_input={"command": "ls"})
    assert len(listed()) == 3
    assert listed("--session", "a") == [mine]
    assert listed("--session", "x") == []
    assert "no session named 'x'" in escalations("list", "--session", "x").stderr
    assert escalations("list", "--session", "a").stderr == ""
    assert listed("--urgency", "advisory") == [mine]
    assert listed("--kind", "blocker") == [other]
    assert listed("--kind", "question") == [mine]
    assert len(listed("--kind", "permission_prompt")) == 1
    assert listed("--role", "coach") == [mine]
    assert listed("--role", "manager") == [other]
    assert listed("--search", "COLOUR") == [mine]
    assert listed("--search", "size") == [other]
    assert sorted(listed("--search", "door")) == sorted([mine, other])
    assert listed("--search", "%") == []
    assert len(listed("--limit", "2")) == 2
    assert listed("--search", "door", "--role", "coach", "--session", "b") == []


def test_states_are_chosen_by_their_words() -> None:
    """Open by default; each state and its everyday names; all."""
    open_one, resolved, approved, denied, deferred, canceled, expired = (
        ask(str(n)) for n in range(7)
    )
    answer(resolved)
    answer(approved, kind="approve", value=None)
    answer(denied, kind="deny", value=None)
    answer(deferred, kind="defer", value=None)
    cancel(canceled)
    cancel(expired, reason="expired")
    assert listed() == [open_one]
    assert listed("--state", "open") == [open_one]
    assert listed("--state", "resolved") == [resolved, approved, denied, deferred]
    assert listed("--state", "answered") == [resolved]
    assert listed("--state", "approved") == [approved]
    assert listed("--state", "denied") == [denied]
    assert listed("--state", "deferred") == [deferred]
    assert listed("--state", "canceled") == [canceled]
    assert listed("--state", "expired") == [expired]
    assert listed("--state", "open", "--state", "expired") == [open_one, expired]
    assert len(listed("--all")) == 7


def test_the_table_names_the_state_of_settled_ones() -> None:
    """As a person calls it."""
    answer(ask("one"))
    answer(ask("two"), kind="defer", value=None)
    shown = escalations("list", "--all").stdout
    assert "answered" in shown
    assert "deferred" in shown


def test_since_takes_an_age_or_a_moment() -> None:
    """Hours, days, or a date."""
    now = datetime.now(UTC)
    old = asked_at(now - timedelta(days=3), "old")
    new = asked_at(now - timedelta(hours=1), "new")
    assert listed("--since", "2h") == [new]
    assert listed("--since", "7d") == [old, new]
    assert listed("--since", (now - timedelta(days=1)).isoformat()) == [new]
    assert listed("--since", "2020-01-01") == [old, new]


@pytest.mark.parametrize(
    ("age", "shown"),
    [
        (timedelta(seconds=5), "5s ago"),
        (timedelta(minutes=3, seconds=20), "3m ago"),
        (timedelta(hours=5, minutes=50), "5h ago"),
        (timedelta(days=40), "40d ago"),
        (timedelta(hours=-3), "0s ago"),
    ],
)
def test_times_are_relative(age: timedelta, shown: str) -> None:
    """A clock that was put back gives no negative ages."""
    # Half a second more than whole: the command itself takes a moment.
    asked_at(datetime.now(UTC) - age, "x")
    row = escalations("list").stdout.splitlines()[1]
    told_age = " ".join(row.split()[2:4])
    assert told_age == shown or (age.seconds == 5 and told_age.endswith("s ago"))


def test_an_unreadable_time_is_a_question_mark() -> None:
    """The escalation is listed all the same."""
    line = encode(
        "GembaAsk",
        members_of({"kind": "question", "role": "coach", "text": "x"}),
        session_id="s1",
        agent_type="",
        event_id="a" * 16,
        ts="yesterday",
    )
    append(log_path("s1"), line)
    assert " ? " in escalations("list").stdout.splitlines()[1]


@pytest.mark.parametrize("width", ["30", "40", "60", "80", "200"])
def test_the_table_fits_the_terminal(width: str) -> None:
    """No row is longer than the terminal is wide, and the id can be read in it."""
    item = ask("A long question " * 20, session="a-long-session-name" * 3, bead_id="b" * 99)
    rows = escalations("list", env={"COLUMNS": width}).stdout.splitlines()
    assert max(map(len, rows)) <= int(width)
    assert rows[-1].split()[0] == item[:8]


@pytest.mark.parametrize(
    ("width", "columns"),
    [
        ("30", "ID SESSION TITLE"),
        ("40", "ID URGENCY SESSION TITLE"),
        ("65", "ID URGENCY ASKED SESSION TITLE"),
        ("80", "ID URGENCY ASKED SESSION KIND TITLE"),
    ],
)
def test_a_narrow_terminal_keeps_what_matters(width: str, columns: str) -> None:
    """Other columns yield; the id is whole, session and title can be told, no row is broken."""
    item = ask("Need the key of the shop", session="webhook-agent", kind="blocker")
    heading, row = escalations("list", env={"COLUMNS": width}).stdout.splitlines()
    assert heading.split() == columns.split()
    assert row.startswith(f"{item[:8]}  ")
    assert "webhook" in row
    assert "Need the" in row


def test_lines_end_where_their_words_end() -> None:
    """Tables fill no line up with blanks."""
    ask("short")
    ask("a longer title")
    lines = escalations("list").stdout.splitlines()
    assert lines == [line.rstrip() for line in lines]


def test_asked_again_is_shown() -> None:
    """One row with the number of times, which is that of the page."""
    ask(key="k")
    item = ask(key="k")
    assert "(asked 2 times)" in escalations("list", env={"COLUMNS": "160"}).stdout
    assert "asked in all  2 times" in escalations("show", item).stdout


@pytest.mark.parametrize(
    "args",
    [
        ("--state", "done"),
        ("--urgency", "high"),
        ("--kind", "plea"),
        ("--role", "boss"),
        ("--since", "soon"),
        ("--limit", "0"),
        ("--limit", "many"),
        ("more",),
    ],
)
def test_a_wrong_option_is_exit_2(args: tuple[str, ...]) -> None:
    """And it names the option or the value."""
    done = escalations("list", *args)
    assert (done.returncode, done.stdout) == (2, "")
    assert args[-1] in done.stderr
