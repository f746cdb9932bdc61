"""What the user is told when agents are done. Source: spec 001, COMPLETE and
`user_facing_summary`."""

from collections.abc import Iterator, Sequence
from itertools import chain, zip_longest

from gemba_core.handoff.contract import Contract
from gemba_core.handoff.decision import Summary
from gemba_core.handoff.said import bulleted, said

# Points in all, and no agent without one.
_MOST = 5


def summarize(contracts: Sequence[Contract]) -> Summary:
    """One summary of all of them: an agent's own words count only where it is alone."""
    own = said(contracts[0].user_facing_summary) if len(contracts) == 1 else ""
    reports = [contract.evidence_report for contract in contracts]
    return Summary(
        words=own or _points(contracts),
        verification=bulleted(map(_proof, contracts)),
        cross_layer_impacts=bulleted(_once(report.cross_layer_impacts for report in reports)),
        open_gaps=bulleted(_once(report.open_gaps for report in reports)),
        is_own=bool(own),
    )


def _proof(contract: Contract) -> str:
    """The verification in one line, with its result first; empty where there is none."""
    given = contract.evidence_report.verification
    if given is None:
        return ""
    more = [said(one) for one in (given.method, given.details, given.checks)]
    return ": ".join(filter(None, [said(given.result), "; ".join(filter(None, more))]))


def _points(contracts: Sequence[Contract]) -> str:
    """The first of each agent, then the second of each, as far as there is room."""
    outputs = [_once([contract.evidence_report.key_outputs]) for contract in contracts]
    points = _once(zip_longest(*outputs, fillvalue=""))
    room = max(_MOST, len(contracts))
    left = len(points) - room
    more = [f"({left} more in key_outputs)"] if left > 0 else []
    return bulleted([*points[:room], *more])


def _once(lists: "Sequence[Sequence[object]] | Iterator[Sequence[object]]") -> list[str]:
    """What they say, each once, in their order."""
    return list(dict.fromkeys(filter(None, map(said, chain.from_iterable(lists)))))
