"""A contract to the text that an agent would return: `parse` has the same contract of it."""

import msgspec

from gemba_core.handoff.contract import Contract
from gemba_core.handoff.fences import TAG


def write(contract: Contract) -> str:
    """The block with its fences, on lines of its own.

    No line of it can be taken for its end: a JSON text has its line breaks between tokens only.
    """
    body = msgspec.json.format(msgspec.json.encode(contract.plain()), indent=2).decode()
    return f"```{TAG}\n{body}\n```\n"
