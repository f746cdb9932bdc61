"""The page of `gemba topology`: each agent with its sessions, and where that is not as declared."""

from collections.abc import Collection, Sequence

from rich.table import Table
from rich.text import Text

from gemba.render import console, yielding
from gemba_core.frame.text import shown_line
from gemba_core.orchestration.drift import Drift
from gemba_core.orchestration.session import Session
from gemba_core.orchestration.topology import WorkspaceTopology


def print_topology(
    declared: WorkspaceTopology,
    observed: WorkspaceTopology,
    found: Sequence[Drift],
    missing: Collection[str],
) -> None:
    """Agents, what they run, and the drift; `missing` are those whose program is not found."""
    out = console()
    live = [session for session in observed.sessions if not session.status.is_terminal]
    agents = {agent.id for agent in (*declared.agents, *observed.agents)}
    agents |= {session.agent_id for session in live}
    if not agents:
        out.print("No agent is declared, and none runs.")
        return
    table = Table(box=None, pad_edge=False, header_style="dim")
    for name in ("AGENT", "DECLARED", "SESSIONS"):
        table.add_column(name)
    known = {agent.id for agent in declared.agents}
    for id in sorted(agents):
        running = [session for session in live if session.agent_id == id]
        is_declared = "yes" if id in known else "no"
        if id in missing:
            is_declared = "yes, program not found"
        table.add_row(yielding(id), is_declared, _sessions(running))
    out.print(table)
    if not known:
        out.print("\nNothing is declared here to compare it with; gemba init makes an agents.toml.")
    if found:
        out.print()
    for one in found:
        told = f"{one.what} {shown_line(one.id)} ({one.side}): {shown_line(one.detail, 200)}"
        out.print(Text(told, style="yellow"))


def _sessions(running: Sequence[Session]) -> Text:
    told = ", ".join(f"{shown_line(one.id)} {one.status}" for one in running)
    return Text(told or "none", style="" if told else "dim")
