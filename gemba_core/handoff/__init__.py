"""What an agent hands back at its end: read, checked, and turned into what to do next.

`parse` finds the contract in its message, `validate` tells all that is wrong with
it, `decide` says what is done about a round of agents: pure, all three. `write`
is the way back. What a person is asked, and what follows, are `question` and `answer`.
"""

from gemba_core.handoff.contract import Contract
from gemba_core.handoff.decide import decide
from gemba_core.handoff.decision import Decision
from gemba_core.handoff.finding import Finding
from gemba_core.handoff.history import History
from gemba_core.handoff.parse import Malformed, Missing, Returned, parse
from gemba_core.handoff.validate import Context, validate
from gemba_core.handoff.write import write

__all__ = [
    "Context",
    "Contract",
    "Decision",
    "Finding",
    "History",
    "Malformed",
    "Missing",
    "Returned",
    "decide",
    "parse",
    "validate",
    "write",
]
