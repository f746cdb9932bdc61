"""Settling and then delivering: what every settling command does, and what it says."""

import os
import time
from collections.abc import Sequence

import click

from gemba.output import print_json
from gemba_core.inbox.actor import actor
from gemba_core.inbox.deliver import Report, deliver
from gemba_core.inbox.opened import use_index
from gemba_core.inbox.settle import Settled, respond
from gemba_core.index import Index

PATIENCE = 10.0

_SAID = {
    "claimed": "another process is handing it over this moment",
    "typed": "another process is typing it this moment",
    "collected": "the waiting gemba-ask has printed it",
    "acknowledged": "the agent has it (its own hook said so)",
    "submitted": "typed and submitted in the agent's pane; no hook of the agent has confirmed it",
    "uncertain": "it is not known whether the agent got it: look at its pane, then decide with "
    "`gemba escalations redeliver`",
    "failed": "it could not be delivered; the answer is kept on the record",
}
_LATER = "`gemba escalations watch` goes on trying while it runs, and `gemba deliver` tries once"


def settle_and_deliver(
    ids: Sequence[str],
    *,
    kind: str,
    value: str | None,
    nonce: str | None,
    as_json: bool,
    always: bool = False,
) -> None:
    """Settle all of them or none, then bring the answers to their agents."""

    def run(index: Index) -> list[tuple[Settled, Report | None]]:
        settled = respond(
            index,
            list(ids),
            kind=kind,
            value=value,
            actor=actor(index),
            nonce=nonce or os.urandom(16).hex(),
            always=always,
        )
        deadline = time.monotonic() + PATIENCE
        told = []
        for one in settled:
            report = None
            if one.is_due:
                left = max(0.0, deadline - time.monotonic())
                report = deliver(index, one.session_id, one.resolution_id, patience=left)
            told.append((one, report))
        return told

    told = use_index(run)
    if as_json:
        print_json([_as_json(*one, kind) for one in told])
        return
    for one, report in told:
        _say(one, report, kind)


def describe(report: Report) -> str:
    """The delivery in words, and who goes on with it."""
    if report.is_waiting:
        later = f"; {_LATER}" if report.is_passing else ""
        return f"held: {report.detail or 'not tried yet'}{later}"
    detail = f" ({report.detail})" if report.detail else ""
    return f"{report.status}: {_SAID.get(report.status, '')}{detail}"


def _say(one: Settled, report: Report | None, kind: str) -> None:
    word = {"modify": "answered", "approve": "approved", "deny": "denied", "defer": "deferred"}
    click.echo(f"{word[kind]}: {' '.join(one.escalation_ids)}")
    if report is not None:
        click.echo(describe(report))


def _as_json(one: Settled, report: Report | None, kind: str) -> dict[str, object]:
    delivery = {"status": report.status, "detail": report.detail} if report else None
    return {
        "session_id": one.session_id,
        "escalation_ids": one.escalation_ids,
        "kind": kind,
        "delivery": delivery,
    }
