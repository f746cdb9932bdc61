"""Settling and then delivering: what every settling command does, and what it says."""

import os
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import click

from gemba.output import print_json, warn
from gemba_core.expiry import is_claimed
from gemba_core.frame.text import shown_line
from gemba_core.frame.vocabulary import RESOLVED_AS
from gemba_core.inbox.actor import actor
from gemba_core.inbox.deliver import Report, deliver
from gemba_core.inbox.find import find_all
from gemba_core.inbox.groups import with_equals
from gemba_core.inbox.opened import use_index
from gemba_core.inbox.settle import Settled, respond
from gemba_core.index import Escalation, Index

PATIENCE = 10.0
# Seconds after which a person should know what the command waits for.
_SILENCE = 1.0

_SAID = {
    "claimed": "another process is handing it over this moment",
    "typed": "another process is typing it this moment",
    "collected": "whoever waited for it has it",
    "acknowledged": "the agent has it (its own hook said so)",
    "submitted": "handed over; no hook of the agent has confirmed it",
    "uncertain": "it is not known whether the agent got it",
    "failed": "it could not be delivered; the answer is kept on the record",
}
_DECIDE = """
Look at its pane. If it is not there: gemba escalations redeliver {0}
If it is, or is not needed:     gemba escalations redeliver {0} --leave"""
_LATER = "`gemba escalations watch` goes on trying while it runs, and `gemba deliver` tries once"


def settle_and_deliver(
    ids: Sequence[str],
    *,
    kind: str,
    value: str | None,
    nonce: str | None,
    as_json: bool,
    operator: str | None = None,
    always: bool = False,
    equal: bool = False,
) -> None:
    """Settle all of them or none, then bring the answers to their agents.

    With `equal` also every open one that asks the same.
    """

    def run(index: Index) -> list[tuple[Settled, Report | None]]:
        who = actor(index, operator)
        found = find_all(index, list(ids))
        if equal:
            found = with_equals(index, found)
        warn(_claimed_by_others(found, who.name))
        settled = respond(
            index,
            [item.id for item in found],
            kind=kind,
            value=value,
            actor=who,
            nonce=nonce or os.urandom(16).hex(),
            always=always,
        )
        if kind == "modify":
            warn(_beside_the_options(found, value))
        with _explained_wait():
            return _delivered(index, settled)

    told = use_index(run)
    if as_json:
        print_json([_as_json(*one, kind) for one in told])
        return
    for one, report in told:
        _say(one, report, kind)


def _delivered(index: Index, settled: Sequence[Settled]) -> list[tuple[Settled, Report | None]]:
    """What became of each, after ten seconds at most for all of them."""
    deadline = time.monotonic() + PATIENCE
    told = []
    for one in settled:
        report = None
        if one.is_due:
            left = max(0.0, deadline - time.monotonic())
            report = deliver(index, one.session_id, one.resolution_id, patience=left)
        told.append((one, report))
    return told


@contextmanager
def _explained_wait() -> Iterator[None]:
    """Whoever sits in front of it is told why it takes long, and that Ctrl-C loses nothing."""
    told = f"gemba: recorded; waiting for its agent, {PATIENCE:.0f} s at most (Ctrl-C: don't wait)"
    timer = threading.Timer(_SILENCE, click.echo, [told], {"err": True})
    timer.daemon = True
    if sys.stderr.isatty():
        timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _claimed_by_others(found: Sequence[Escalation], name: str) -> list[str]:
    """A claim binds nobody, but whoever answers all the same should know of it."""
    return [
        f"{item.id}: {item.claimed_by} looks after it until {item.claimed_until}"
        for item in found
        if is_claimed(item) and item.claimed_by != name
    ]


def _beside_the_options(found: Sequence[Escalation], value: str | None) -> list[str]:
    """An answer in other words is one, but it may have been meant for an option."""
    offered = {item.id: [option["value"] for option in item.options] for item in found}
    return [
        f"{id}: {shown_line(value or '')!r} is none of its options ({', '.join(options)}); "
        "it is recorded as an answer in words"
        for id, options in offered.items()
        if options and value not in options
    ]


def describe(report: Report, escalation_id: str) -> str:
    """The delivery in words, and who goes on with it."""
    why = shown_line(report.detail or "", 400)
    if report.is_waiting:
        later = f"; {_LATER}" if report.is_passing else ""
        return f"held: {why or 'not tried yet'}{later}"
    detail = f" ({why})" if why else ""
    said = f"{report.status}: {_SAID.get(report.status, '')}{detail}"
    return said + _DECIDE.format(escalation_id) if report.status == "uncertain" else said


def _say(one: Settled, report: Report | None, kind: str) -> None:
    ids = " ".join(one.escalation_ids)
    if one.is_reopened:
        click.echo(f"{RESOLVED_AS[kind]} before, and opened again since: {ids}")
        return
    click.echo(f"{RESOLVED_AS[kind]}: {ids}")
    if report is not None:
        click.echo(describe(report, one.escalation_ids[0]))


def _as_json(one: Settled, report: Report | None, kind: str) -> dict[str, object]:
    delivery = {"status": report.status, "detail": report.detail} if report else None
    return {
        "session_id": one.session_id,
        "escalation_ids": one.escalation_ids,
        "kind": kind,
        "delivery": delivery,
    }
