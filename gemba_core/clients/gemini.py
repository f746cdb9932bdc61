"""Gemini CLI. Its hooks can deny and add context, but hand over no answer in mid-turn."""

from gemba_core.clients.client import Client

GEMINI = Client(name="gemini")
