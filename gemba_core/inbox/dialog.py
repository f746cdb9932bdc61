"""A decision about a dialog of the agent's own: whether, and how, it can reach the agent.

By the agent's hook, as long as that waits; else by the client's own key, while
the dialog is on the screen for certain. In any doubt it is decided in the pane.
"""

from dataclasses import dataclass

import msgspec

from gemba_core import home
from gemba_core.clients import client_of
from gemba_core.errors import GembaError
from gemba_core.inbox.address import pane_of_session
from gemba_core.index import Escalation, Index
from gemba_core.lifelock import is_held
from gemba_core.panes import PaneAddress, Verdict, dialog_rows, look, standing
from gemba_core.translator import SessionState

_IN_PANE = "this is a dialog of the agent's own: decide it in its pane"


@dataclass(frozen=True, slots=True)
class DialogKey:
    """The key that gives an approval to a dialog that is up, and tmux's own test for it.

    verdict  free: may be pressed; held: not now; failed: decide it in the pane
    why      the reason, for a person to read; empty when free
    """

    verdict: Verdict
    why: str = ""
    address: PaneAddress | None = None
    condition: str = ""
    key: str = ""


def check(index: Index, item: Escalation, kind: str, *, always: bool) -> None:
    """Raise GembaError if that decision about that open dialog would not reach the agent."""
    if item.channel != "notification" or item.state != "open" or kind == "defer":
        return
    folded = index.folded(item.session_id)
    assert folded is not None
    if is_held(home.wait_lock_path(item.session_id, item.id)):
        _check_hook(folded[0], item, kind, always=always)
        return
    found = key_for(folded[0], item, kind, always=always)
    if found.verdict != "free":
        raise GembaError(
            f"{item.id}: {found.why} (then it closes here by itself), or defer or cancel it"
        )


def key_for(state: SessionState, item: Escalation, kind: str, *, always: bool = False) -> DialogKey:
    """Look into the agent's pane for the dialog that `item` stands for. Never raises."""
    dialog = client_of(item.agent_type).dialog
    asked = state.find(item.id)
    if dialog is None or asked is None or asked.tool != dialog.tool:
        return DialogKey("failed", _IN_PANE)
    if kind == "deny":
        return DialogKey(
            "failed",
            f'{dialog.no_denial}: deny it in its pane, or have permissions = "inbox" '
            "for this agent next time",
        )
    if kind != "approve" or always:
        return DialogKey(
            "failed", "its dialog is given a yes for this one call at most: decide it in its pane"
        )
    if any(one.tool_input == asked.tool_input for one in state.open.values() if one.id != item.id):
        return DialogKey("failed", "the agent asks for the same call twice: answer it in the pane")
    address = pane_of_session(state)
    if address is None:
        return DialogKey("failed", _IN_PANE)
    seen = look(address)
    if seen.verdict != "free":
        return DialogKey(seen.verdict, seen.why, address)
    rows = dialog_rows(dialog, _command(item), seen)
    if rows is None:
        why = "its dialog is not to be seen, once and with the whole command: answer it in the pane"
        return DialogKey("failed", why, address)
    return DialogKey("free", "", address, standing(address, rows), dialog.key)


def _check_hook(state: SessionState, item: Escalation, kind: str, *, always: bool) -> None:
    if kind == "modify" and "modify" not in item.takes:
        asked = state.find(item.id)
        tool = asked.tool if asked else None
        raise GembaError(
            f"{item.id}: {item.agent_type} takes no other command in place of this "
            f"{tool or 'call'}: approve it, or deny it with a --note that says what to do"
        )
    if always and "always" not in item.takes:
        raise GembaError(
            f"{item.id}: {item.agent_type} takes no lasting rule: approve this one call alone"
        )


def _command(item: Escalation) -> str:
    """The command as the client gave it to its hook; empty where that is not to be read."""
    try:
        given = msgspec.json.decode(item.prompt)
    except msgspec.DecodeError:
        return ""
    command = given.get("command") if isinstance(given, dict) else None
    return command if isinstance(command, str) else ""
