"""`gemba handoff check`."""

import sys

import click

from gemba.handoff.context import in_context
from gemba.handoff.message import message_in, returned_in
from gemba.handoff.plain import plain_finding
from gemba.output import print_json, write
from gemba_core.frame.text import counted, shown_line
from gemba_core.handoff.contract import Contract
from gemba_core.handoff.render import line_of
from gemba_core.handoff.validate import Context, is_blocked, validate

_EPILOG = """\
Examples:

\b
  gemba handoff check answer.md
  agent -p "…" | gemba handoff check --agent a1b2c3 --json

\b
Exit codes: 0 it can be taken (advisory findings are allowed); 1 there is none, it cannot be
read, or it has a blocking finding; 2 usage.
"""
_LONGEST = 1000


@click.command(epilog=_EPILOG)
@click.argument("file", required=False, metavar="[FILE|-]")
@in_context
@click.option("--json", "as_json", is_flag=True, help="One object (docs/handoff.md).")
def check(file: str | None, context: Context, as_json: bool) -> None:
    """Check what an agent has returned, all findings at once."""
    returned = returned_in(message_in(file))
    findings = validate(returned, context)
    contract = returned if isinstance(returned, Contract) else None
    if as_json:
        told = {
            "ok": not is_blocked(findings),
            "agent_id": contract.agent_id if contract else None,
            "plan_status": contract.status if contract else None,
            "findings": [plain_finding(one) for one in findings],
        }
        print_json(told)
    else:
        lines = [shown_line(line_of(one), _LONGEST) for one in findings]
        who = shown_line(f"{contract.status} {contract.agent_id or ''}") if contract else "nothing"
        lines.append(f"{who.strip()}: {counted(len(findings), 'finding')}")
        write("".join(f"{line}\n" for line in lines).encode("utf-8", "replace"))
    sys.exit(1 if is_blocked(findings) else 0)
