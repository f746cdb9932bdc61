"""`gemba handoff schema`."""

import click
import msgspec

from gemba.output import write
from gemba_core.handoff.contract import schema


@click.command(
    "schema",
    epilog="Example: gemba handoff schema > agent_contract_handoff.schema.json\n\nExit codes: 0.",
)
def schema_() -> None:
    """Print the JSON Schema of an agent_contract_handoff."""
    write(msgspec.json.format(msgspec.json.encode(schema()), indent=2) + b"\n")
