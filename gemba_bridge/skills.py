"""`$name` in a prompt, or in an agent's plan: the skill's body as context.

Imported only where there is a dollar sign in such a text. Nothing is run, and
no prompt is blocked.
"""

import json
import os
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from gemba_bridge.lead import call_of, client_of_call
from gemba_core.clients import Client, client_at
from gemba_core.skills import lead
from gemba_core.skills.lead import Lead
from gemba_core.skills.mentions.expand import Expansion, expand
from gemba_core.skills.mentions.resolve import Diagnosis

# What the clients' own machinery puts into a prompt: nobody typed it.
_INJECTED = ("hook_prompt", "system-reminder")


def lead_by_prompt(session_id: str, hook: str, agent_type: str, data: bytes) -> None:
    """Answer the hook of a prompt. Raises GembaError."""
    call = call_of(data)
    prompt = call.get("prompt")
    if isinstance(prompt, str):
        _Turn(session_id, hook, agent_type, call).begin(_typed(prompt), Lead())


def lead_by_plan(session_id: str, hook: str, agent_type: str, data: bytes) -> None:
    """Answer the hook before a tool, if that tool writes down the agent's plan.

    Plans are written again and again: what was told in this turn is not told again.
    """
    call = call_of(data)
    if call.get("tool_name") not in client_at(hook, agent_type).plan_tools:
        return
    told = lead.current(session_id, client_of_call(call)) or Lead()
    # A paragraph each: an open quotation of one step does not reach the next.
    plan = "\n\n".join(_texts(call.get("tool_input")))
    _Turn(session_id, hook, agent_type, call).begin(plan, told)


class _Turn:
    """One turn of one client, and the hook of it that is answered."""

    def __init__(self, session_id: str, hook: str, agent_type: str, call: dict[str, Any]) -> None:
        self._session_id = session_id
        self._hook = hook
        self._agent_type = agent_type
        self._client_id = client_of_call(call)
        folder = call.get("cwd")
        self._folder = folder if isinstance(folder, str) else os.getcwd()

    def begin(self, text: str, before: Lead) -> None:
        """Have the skill lead that the text mentions, and tell the agent; `before` led so far."""
        expansion = _beside(expand(text, self._folder), before)
        skill = expansion.skill
        fresh = [line for line in expansion.said if line not in before.told]
        if not fresh:
            return
        now = before._replace(told=(*before.told, *fresh))
        if skill is not None:
            now = now._replace(skill=skill.id, tools=skill.tools)
        # First of all: an agent that follows the skill is held to its tools.
        lead.begin(self._session_id, self._client_id, now)
        if skill is not None:
            lead.record(self._session_id, self._client_id, skill, self._agent_type)
        self._tell(client_at(self._hook, self._agent_type), expansion, fresh)

    def _tell(self, client: Client, expansion: Expansion, fresh: list[str]) -> None:
        assert client.add_context is not None
        guidance = expansion.guidance(client.longest_context)
        message = "\n".join(fresh)[: client.longest_context]
        os.write(1, json.dumps(client.add_context(self._hook, guidance, message)).encode())


def _beside(expansion: Expansion, before: Lead) -> Expansion:
    """What is left of the expansion beside what leads already."""
    skill = expansion.skill
    if skill is None:
        return expansion
    if before.tools is not None and before.skill != skill.id:
        # Else an agent would free itself of the limit by its own plan.
        what = f"Skill '{before.skill}' leads this turn and limits its tools: ${skill.id} waits."
        told = (Diagnosis("several", what), *expansion.diagnoses)
        return replace(expansion, skill=None, remarks=(), diagnoses=told)
    if expansion.said[0] in before.told:
        return replace(expansion, skill=None, remarks=())
    return expansion


def _typed(prompt: str) -> str:
    """The prompt without what the client's own machinery put into it."""
    for tag in _INJECTED:
        parts, rest = [], prompt
        while True:
            before, opening, rest = rest.partition(f"<{tag}")
            parts.append(before)
            if not opening:
                break
            rest = rest.partition(f"</{tag}>")[2]
        prompt = "\n\n".join(parts)
    return prompt


def _texts(value: object) -> Iterator[str]:
    """The strings in a tool's input, in their order."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _texts(item)
