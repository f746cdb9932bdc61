"""Claude Code. Output strings of hooks are capped at 10,000 characters."""

from gemba_core.clients.client import Client, context_or_block

CLAUDE = Client(
    name="claude",
    takes_answers=frozenset({"PostToolUse", "Stop"}),
    longest_answer=9_000,
    hand_over=context_or_block,
)
