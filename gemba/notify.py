"""`gemba notify list|run|test`."""

import sys

import click

from gemba.output import print_json, warn
from gemba_core import home
from gemba_core.attention.address import address
from gemba_core.attention.ledger import Ledger, Sent
from gemba_core.attention.message import trial
from gemba_core.attention.notifier import Outcome, Sender
from gemba_core.attention.rule import Rule, load
from gemba_core.errors import GembaError, UsageError
from gemba_core.frame.line import timestamp
from gemba_core.inbox.opened import use_index
from gemba_core.index import Filter

_CODES = """
Exit codes: 0 done; 1 something was not sent, or the configuration is wrong; 2 usage.
"""


@click.group(epilog=f"Example: gemba notify test\n\n{_CODES}")
def notify() -> None:
    """Being called when an agent waits (docs/notify.md)."""


@notify.command("list", epilog=f"Example: gemba notify list\n\n{_CODES}")
@click.option("--json", "as_json", is_flag=True, help="An array of rules, and what they sent.")
def list_(as_json: bool) -> None:
    """The rules of your configuration, and when each last sent something."""
    rules, sent = load(home.config_path()), Ledger(home.notified_path()).sent()
    told = [_told(rule, sent) for rule in rules]
    if as_json:
        print_json(told)
    elif not told:
        click.echo(f"No rule yet: write a [[notify]] table into {home.config_path()}.")
    else:
        # Imported here: a program that asks for JSON does not wait for the table's library.
        from gemba.notify_table import print_rules

        print_rules(rules, told)


@notify.command(
    epilog=f"Example: gemba notify run   (from cron, where nothing of Gemba runs)\n\n{_CODES}"
)
@click.option("--json", "as_json", is_flag=True, help="An array of what was sent, and what not.")
def run(as_json: bool) -> None:
    """Send what is due now, once. `watch` and `serve` do so by themselves."""
    sender = Sender(_rules())
    items = use_index(lambda index: index.escalations(Filter()))
    outcomes: list[Outcome] = []
    while (outcome := sender.next(items)) is not None:
        outcomes.append(outcome)
    _say(outcomes, as_json)
    if not (outcomes or sender.problems or as_json):
        click.echo("Nothing is due.")
    warn(sorted(sender.problems))
    if sender.problems or any(one.why for one in outcomes):
        sys.exit(1)


@notify.command(epilog=f"Example: gemba notify test --rule phone\n\n{_CODES}")
@click.option("--rule", "name", metavar="NAME", help="Only this rule; else all.")
@click.option("--json", "as_json", is_flag=True, help="An array of rules, and why not, if so.")
def test(name: str | None, as_json: bool) -> None:
    """Send a test message now, whatever hour it is."""
    rules = [rule for rule in _rules() if name in (None, rule.name)]
    if not rules:
        raise UsageError(f"no rule {name!r}; `gemba notify list` shows them")
    outcomes = [Outcome(rule.name, (), _tried(rule)) for rule in rules]
    _say(outcomes, as_json)
    if any(one.why for one in outcomes):
        sys.exit(1)


def _rules() -> tuple[Rule, ...]:
    rules = load(home.config_path())
    if not rules:
        raise UsageError(f"no rule yet; write a [[notify]] table into {home.config_path()}")
    return rules


def _tried(rule: Rule) -> str | None:
    # Imported here: listing needs no service.
    from gemba_core.attention.channel import Channel

    try:
        return Channel(rule.name, address(rule)).send(trial(rule))
    except GembaError as error:
        return str(error)


def _say(outcomes: list[Outcome], as_json: bool) -> None:
    if as_json:
        print_json(
            [
                {"rule": one.rule, "escalation_ids": one.escalation_ids, "why": one.why}
                for one in outcomes
            ]
        )
        return
    for one in outcomes:
        about = f" about {' '.join(one.escalation_ids)}" if one.escalation_ids else ""
        click.echo(f"{one.rule}: not sent: {one.why}" if one.why else f"{one.rule}: sent{about}")


def _told(rule: Rule, sent: Sent) -> dict[str, object]:
    last, (failures, _) = sent.last(rule.name), sent.failures(rule.name)
    uncertain = sum(claim.rule == rule.name for claim in sent.claims.values())
    return {
        "name": rule.name,
        "to": rule.url or rule.url_file,
        "last_sent": timestamp(last * 1000) if last else None,
        "failures": failures,
        "uncertain": uncertain,
    }
