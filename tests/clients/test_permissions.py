"""Codex's own permission dialogs: decided in the inbox or in the pane, and never by an answer."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path
from threading import Lock

import pytest

from tests.clients.codex import ON_REQUEST, Codex, answering, asking, delivery_of
from tests.clients.model import PAUSE, Model, ask_to_run, run
from tests.commands import run_cli
from tests.tmux_server import Pane, TmuxServer
from tests.waiting import wait_until

DIALOG = "Would you like to run the following command?"
_AT_ONCE = 8
# Only one install-bridge at a time is let into a home.
_INSTALLING = Lock()


def wait_for_dialog(tmux: TmuxServer, pane: Pane) -> None:
    """Until the client's own dialog is up."""
    wait_until(lambda: DIALOG in tmux.capture(pane), timeout=30, what="the permission dialog")


def press(tmux: TmuxServer, pane: Pane, key: str) -> None:
    """Decide the dialog that is up, and see it go: a fresh one may swallow a key."""
    for _ in range(5):
        tmux.send_keys(pane, key)
        try:
            wait_until(lambda: DIALOG not in tmux.capture(pane), timeout=3, what="its end")
        except AssertionError:
            continue
        return
    raise AssertionError(tmux.capture(pane))


@pytest.fixture
def mark(tmp_path: Path, codex: Codex) -> Path:
    """A file outside the sandbox that the agent, if it is allowed to, makes; then it goes on."""
    path = tmp_path / "mark"
    codex.model.then(ask_to_run(f"touch {path}"), run("true"))
    return path


def test_an_approval_from_the_inbox_takes_effect(
    codex: Codex, tmux: TmuxServer, mark: Path
) -> None:
    """The command runs, without a dialog; the next hook is the receipt."""
    codex.permit_from_inbox()
    pane = codex.in_pane(tmux, *ON_REQUEST)
    item = codex.asked()
    assert DIALOG not in tmux.capture(pane)
    assert run_cli("gemba", "escalations", "approve", item.id).returncode == 0
    codex.until("ready")
    assert mark.exists()
    assert codex.state().closed[item.id].state == "resolved"
    assert delivery_of(item.id)["status"] == "acknowledged"


def test_a_denial_from_the_inbox_takes_effect(codex: Codex, tmux: TmuxServer, mark: Path) -> None:
    """The command does not run, the agent reads why, and goes on."""
    codex.permit_from_inbox()
    codex.in_pane(tmux, *ON_REQUEST)
    item = codex.asked()
    denied = run_cli("gemba", "escalations", "deny", item.id, "--note", "Use the other door.")
    assert denied.returncode == 0
    codex.until("ready")
    assert not mark.exists()
    assert any("Use the other door." in text for text in codex.model.texts())
    assert len(codex.model.requests) == 3
    assert delivery_of(item.id)["status"] == "acknowledged"


@pytest.mark.parametrize("key", ["y", "Escape"])
def test_a_decision_in_the_pane_closes_the_item(
    codex: Codex, tmux: TmuxServer, mark: Path, key: str
) -> None:
    """Canceled, as decided in the pane, whatever was decided; never as approved."""
    pane = codex.in_pane(tmux, *ON_REQUEST)
    item = codex.asked()
    wait_for_dialog(tmux, pane)
    press(tmux, pane, key)
    assert codex.closed(item.id).state == "canceled"
    shown = run_cli("gemba", "escalations", "show", item.id, "--json").stdout
    assert "decided_in_pane" in shown
    codex.until("ready")
    assert mark.exists() == (key == "y")


def test_an_approval_of_the_dialog_itself_is_its_key(
    codex: Codex, tmux: TmuxServer, mark: Path
) -> None:
    """No hook waits: the dialog gets the client's key for this one call, which is its receipt."""
    pane = codex.in_pane(tmux, *ON_REQUEST)
    item = codex.asked()
    wait_for_dialog(tmux, pane)
    denied = run_cli("gemba", "escalations", "deny", item.id, "--note", "No.")
    assert denied.returncode == 1
    assert "cancel the whole turn" in denied.stderr
    assert not mark.exists()
    approved = run_cli("gemba", "escalations", "approve", item.id)
    assert approved.returncode == 0, approved.stderr
    codex.until("ready")
    assert mark.exists()
    assert "approved codex to run" in tmux.capture(pane)
    assert codex.state().closed[item.id].state == "resolved"
    assert delivery_of(item.id)["status"] == "acknowledged"


def test_without_a_decision_in_time_the_dialog_decides(
    codex: Codex, tmux: TmuxServer, mark: Path
) -> None:
    """The hook gives up without a word, and the person at the pane has the client's own dialog."""
    codex.permit_from_inbox(patience=1)
    pane = codex.in_pane(tmux, *ON_REQUEST)
    item = codex.asked()
    wait_for_dialog(tmux, pane)
    assert not mark.exists()
    assert item.id in codex.state().open
    press(tmux, pane, "y")
    assert codex.closed(item.id).state == "canceled"
    codex.until("ready")
    assert mark.exists()


@pytest.mark.parametrize(
    "number",
    [
        pytest.param(1, id="one"),
        pytest.param(100, id="all", marks=[pytest.mark.torture, pytest.mark.timeout(1800)]),
    ],
)
def test_a_dialog_in_the_middle_of_a_delivery_is_not_answered(
    program: str, tmux: TmuxServer, tmp_path: Path, number: int
) -> None:
    """Gemba types, a dialog comes up before its Enter; the dialog stays, and nothing is approved.

    Without hooks, so that nothing but the pane itself tells of the dialog.
    """

    def delivered(n: int) -> object:
        return _delivery_with_a_dialog(program, tmux, tmp_path, n, number)

    # Each waits for as long as the operator's command tries, and few of them use a processor.
    with ThreadPoolExecutor(_AT_ONCE) as several:
        statuses = Counter(several.map(delivered, range(number)))
    print(f"{number} deliveries, none approved: {dict(statuses)}")
    assert statuses["held"] + statuses["uncertain"]


def _delivery_with_a_dialog(
    program: str, tmux: TmuxServer, tmp_path: Path, n: int, number: int
) -> object:
    """How the delivery ends, with the dialog called up at another moment each time."""
    mark = tmp_path / f"mark-{n}"
    asks = ask_to_run(f"touch {mark}")
    # Twice: a text that comes in makes the client put the request once more.
    with ExitStack() as held:
        model = held.enter_context(closing(Model(run(asking()), PAUSE, *2 * [asks])))
        with _INSTALLING:
            codex = Codex(program, tmp_path / f"project-{n}", model, hooks=False, session=f"s{n}")
        held.enter_context(closing(codex))
        pane = codex.in_pane(tmux, *ON_REQUEST)
        item = codex.asked()
        wait_until(lambda: model.is_thinking, what="the model's pause")
        with answering(item.id, "y"):
            # The client holds a dialog back for a second after something was typed. So the danger
            # is the one that comes up just before: called up within the second that the operator's
            # command needs to start and to type.
            model.go_on(after=n / number)
            wait_for_dialog(tmux, pane)
        assert DIALOG in tmux.capture(pane)
        assert not mark.exists()
        return delivery_of(item.id)["status"]
