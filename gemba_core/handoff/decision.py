"""What to do next about what agents returned, in types."""

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from gemba_core.handoff.contract import Contract
from gemba_core.handoff.finding import Finding
from gemba_core.handoff.history import History

Action: TypeAlias = Literal[
    "close", "resume", "repair", "verify", "ask", "approve", "block", "pause"
]
Turn: TypeAlias = Literal["hold", "act", "route", "relay"]
# Those that are a person's to decide.
ESCALATED = ("ask", "approve", "block", "pause")


@dataclass(frozen=True, slots=True)
class Step:
    """What to do about one agent.

    action    close: it is done. resume, repair: send `text` to the same agent. verify: send
              `text` to another agent. ask, approve, block, pause: a person decides first
    agent_id  None where it has not told it
    status    its plan_status; empty where it has none that counts
    why       the reason in one line
    text      what an agent is told
    """

    action: Action
    agent_id: str | None
    status: str
    why: str
    text: str = ""
    findings: tuple[Finding, ...] = ()
    contract: Contract | None = None


@dataclass(frozen=True, slots=True)
class Route:
    """An agent to be dispatched before the work can count as done; `agent` may be left open.

    For the orchestrator alone: the user is not told of it.
    """

    agent: str | None
    why: str
    about: str
    from_agent: str | None


@dataclass(frozen=True, slots=True)
class Summary:
    """What the user is told: the words, then the proof, what else is touched, what is left.

    `is_own`: the words are the agent's own for the user; only their language may be changed.
    """

    words: str
    verification: str
    cross_layer_impacts: str
    open_gaps: str
    is_own: bool

    @property
    def text(self) -> str:
        """All of it."""
        parts = [
            ("", self.words),
            ("Verified:\n", self.verification),
            ("Also affected:\n", self.cross_layer_impacts),
            ("Still open:\n", self.open_gaps),
        ]
        return "\n\n".join(f"{heading}{what}" for heading, what in parts if what)


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Something to be remembered, if the person says yes. `entry` is as the agent wrote it."""

    agent_id: str | None
    description: str
    body: str
    entry: dict[str, Any] | str


@dataclass(frozen=True, slots=True)
class Decision:
    """What to do about one round of agents.

    turn         hold: `waiting_for` more contracts. act: some agent is not done, see `steps`.
                 route: all are done, but `routes` come first. relay: tell the user `summary`
    summary      None while some agent is not done
    suggestions  to be asked about one by one
    history      for the next decision
    """

    turn: Turn
    history: History
    waiting_for: int = 0
    steps: tuple[Step, ...] = ()
    routes: tuple[Route, ...] = ()
    summary: Summary | None = None
    suggestions: tuple[Suggestion, ...] = ()
