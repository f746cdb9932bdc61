"""What is known of each client's hooks: one small file for each, and one for all others.

Standard library only: the bridge imports it when it has something to say.
Source: integrations.md.
"""

from gemba_core.clients.claude import CLAUDE
from gemba_core.clients.client import Client
from gemba_core.clients.codex import CODEX
from gemba_core.clients.gemini import GEMINI
from gemba_core.clients.other import OTHER

__all__ = ["CLAUDE", "CODEX", "GEMINI", "OTHER", "Client", "client_at", "client_of"]

_CLIENTS = {client.name: client for client in (CLAUDE, CODEX, GEMINI)}


def client_of(agent_type: str) -> Client:
    """The client of that agent type; for one that is not known, one that promises nothing."""
    return _CLIENTS.get(agent_type, OTHER)


def client_at(hook: str, agent_type: str) -> Client:
    """The client whose hook answers now; of one that is not known, the one that names it so.

    The environment of a hook does not always tell the agent.
    """
    return _CLIENTS.get(agent_type) or (GEMINI if hook in ("BeforeAgent", "BeforeTool") else CLAUDE)
