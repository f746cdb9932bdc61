"""Sessions that the plane keeps: typed to in their own pane alone, whatever their logs say."""

import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path

import pytest

from gemba_core import home
from gemba_core.errors import PaneError
from gemba_core.inbox.deliver import Report, deliver_all
from gemba_core.inbox.opened import use_index
from gemba_core.inbox.peek import pane_of
from gemba_core.inbox.prune import prune
from gemba_core.log import append
from gemba_core.panes import kept_socket, name_of
from tests.builders import frame as line
from tests.inbox.scene import answer, ask, hook, payloads
from tests.panes.conftest import PROGRAMS, Program
from tests.tmux_server import TmuxServer
from tests.waiting import wait_until

OWN, OTHER = "forger-1", "victim-2"


@pytest.fixture(autouse=True)
def kept_server(tmux: TmuxServer) -> Iterator[None]:
    """The test's server is the one that the home's sessions are kept in."""
    os.makedirs(os.path.dirname(kept_socket()), mode=0o700, exist_ok=True)
    os.symlink(tmux.socket, kept_socket())
    yield
    os.unlink(kept_socket())


@pytest.fixture
def kept(tmux: TmuxServer, tmp_path: Path) -> Callable[[str], Program]:
    """A program that reads lines, in the pane of that session."""

    def kept(session_id: str) -> Program:
        record = tmp_path / f"{session_id}.jsonl"
        pane = tmux.new_pane([sys.executable, str(PROGRAMS / "line_reader.py"), str(record)])
        tmux.run("rename-session", "-t", pane.pane_id, name_of(session_id))
        program = Program(tmux, pane, record)
        program.tells("ready")
        wait_until(lambda: tmux.capture(pane).strip() == "?", what="its prompt")
        return program

    return kept


def reply_to(program: Program) -> dict[str, object]:
    """Its pane as a return address on the record."""
    known = asdict(program.address)
    del known["tmux_session"]
    return known


def begin(session_id: str, pane: dict[str, object]) -> None:
    """The plane has started that session, and opened this pane for it."""
    hook("GembaReservation", session_id, op="claimed", reservation_id=session_id, agent_id="a")
    hook("GembaSession", session_id, op="start")
    hook("GembaSession", session_id, op="opened", reply_to=pane)


def scoped(session_id: str) -> None:
    """It runs in a sandbox, and its log holds what its agent likes."""
    home.write_private(home.scoped_path(session_id), b"")


def delivered(id: str, value: str = "blue") -> Report:
    """It is answered; what became of the answer."""
    answer(id, value=value)
    [(_, report)] = use_index(deliver_all)
    return report


Kept = Callable[[str], Program]


def test_an_answer_goes_to_the_pane_that_was_opened(kept: Kept) -> None:
    """Also where who asks does not know its pane, as in a sandbox."""
    own = kept(OWN)
    begin(OWN, reply_to(own))

    assert delivered(ask(session=OWN)).status == "submitted"

    assert own.tells("submitted") == "blue"


@pytest.mark.parametrize("known", [True, False])
def test_an_ask_cannot_name_another_pane(kept: Kept, known: bool) -> None:
    """With its agent or without: the answer goes where the session is."""
    own, other = kept(OWN), kept(OTHER)
    begin(OWN, reply_to(own))
    forged = reply_to(other) if known else reply_to(other) | {"agent": None}

    assert delivered(ask(session=OWN, reply_to=forged)).status == "submitted"

    assert own.tells("submitted") == "blue"
    assert other.told("submitted") == []


def test_a_hook_cannot_name_another_pane(kept: Kept) -> None:
    """Nor can one that has it begin anew after its end; whoever looks into it sees its own."""
    own, other = kept(OWN), kept(OTHER)
    begin(OWN, reply_to(own))
    hook("GembaSession", OWN, op="end")
    hook("GembaSession", OWN, op="ended")
    beside: dict[str, object] = {"reply_to": reply_to(other)}
    anew = line("SessionStart", {"session_id": "c"}, session=OWN, agent_type="", beside=beside)
    append(home.log_path(OWN), anew)

    assert use_index(lambda index: pane_of(index, OWN)).tmux_pane == own.pane.pane_id
    delivered(ask(session=OWN))

    assert other.told("submitted") == []


def test_a_pane_of_another_name_is_not_the_sessions(kept: Kept) -> None:
    """Whoever wrote that it was opened: nothing is typed, there or anywhere."""
    kept(OWN)
    other = kept(OTHER)
    begin(OWN, reply_to(other))

    report = delivered(ask(session=OWN))

    assert (report.status, "is gone" in str(report.detail)) == ("failed", True)
    assert other.told("submitted") == []


def test_no_other_server_is_asked(kept: Kept, tmp_path: Path) -> None:
    """It is the home's own one, whatever socket stands in the log."""
    own = kept(OWN)
    begin(OWN, reply_to(own) | {"tmux_socket": str(tmp_path / "elsewhere")})

    assert delivered(ask(session=OWN)).status == "submitted"


@pytest.mark.parametrize("session", [OWN, OWN.replace("-", "_"), OWN.replace("-", "/")])
def test_a_log_that_its_agent_has_rewritten_leads_nowhere(kept: Kept, session: str) -> None:
    """It says no more that the plane keeps the session, or holds another one of that file."""
    scoped(session.replace("/", "_"))
    other = kept(OTHER)

    report = delivered(ask(session=session, reply_to=reply_to(other)))

    assert (report.status, "no pane" in str(report.detail)) == ("held", True)
    with pytest.raises(PaneError, match="no pane is known"):
        use_index(lambda index: pane_of(index, session))


def test_what_it_says_to_be_on_its_way_keeps_nothing_from_another_pane(kept: Kept) -> None:
    """An answer of its own, claimed for the other's pane and left so, holds up its own alone."""
    own, other = kept(OWN), kept(OTHER)
    begin(OWN, reply_to(own))
    begin(OTHER, reply_to(other))
    item = ask(session=OWN, reply_to=reply_to(other))
    answer(item)
    decided = payloads("GembaResolve", OWN)[0]["resolution_id"]
    claimed = {"resolution_id": decided, "attempt": 1, "status": "uncertain", "by": "x"}
    hook("GembaDelivery", OWN, **claimed)

    assert delivered(ask(session=OTHER)).status == "submitted"

    assert other.tells("submitted") == "blue"


def test_the_mark_of_a_sandbox_goes_with_the_log() -> None:
    """`log prune` leaves nothing of a session that is over."""
    scoped(OWN)
    hook("SessionEnd", OWN, reason="logout")

    use_index(lambda index: prune(index, older_than=-1.0))

    assert os.listdir(home.scoped_dir()) == []
