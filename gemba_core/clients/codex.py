"""Codex CLI (tried: 0.169.0). Unknown keys in a hook's answer are refused."""

from gemba_core.clients.client import Client, context_or_block

CODEX = Client(
    name="codex",
    takes_answers=frozenset({"PostToolUse", "Stop"}),
    longest_answer=9_000,
    hand_over=context_or_block,
)
