"""The agent of a phase: started once, with its whole prompt, in a session of its own."""

import os
from collections.abc import Mapping
from dataclasses import dataclass

from gemba_core import launch
from gemba_core.agents import Agent
from gemba_core.errors import GembaError
from gemba_core.launch import Launch

PROMPT = "{prompt}"
# How each client answers once and ends, with its prompt on standard input.
_ONE_SHOT = {"claude": ("-p",), "codex": ("exec",), "gemini": ()}
# Bytes that Linux takes in one argument (MAX_ARG_STRLEN), less its ending.
_LONGEST = 128 * 1024 - 1


@dataclass(frozen=True, slots=True)
class OneShot:
    """The session to begin, and the file that it reads as its standard input."""

    launch: Launch
    stdin: str


def remark(agent: Agent) -> str | None:
    """What the person should know of how that agent is given its prompt, if anything."""
    if agent.one_shot is not None or agent.client in _ONE_SHOT:
        return None
    return f"{agent.name} has no one_shot: the prompt goes to its standard input"


def one_shot(
    agent: Agent, inherited: Mapping[str, str], *, prompt: str, prompt_file: str, mode: str | None
) -> OneShot:
    """How that agent is run with that prompt, which is in that file too.

    In the words of its `one_shot`, else as its client is known to take it.
    Raises GembaError where the program is not found, or the prompt does not go into an argument.
    """
    words = agent.one_shot if agent.one_shot is not None else _ONE_SHOT.get(agent.client, ())
    takes_argument = any(PROMPT in word for word in words)
    if takes_argument and (why := _why_no_argument(prompt)):
        raise GembaError(
            f"agent {agent.name}: {why}; have it read from standard input: "
            "leave {prompt} out of one_shot"
        )
    # Before its own words: `exec` is a command of Codex, and they are its options. What it is to
    # do stands in its prompt: it needs no other first one.
    args = (*(word.replace(PROMPT, prompt) for word in words), *agent.args)
    once = agent.model_copy(update={"args": args, "preamble": None})
    composed = launch.compose(once, inherited, mode=mode)
    return OneShot(composed, os.devnull if takes_argument else prompt_file)


def _why_no_argument(prompt: str) -> str | None:
    """Why no argument can hold it, if so."""
    if "\0" in prompt:
        return "a prompt with a NUL cannot be an argument"
    length = len(prompt.encode())
    return f"a prompt of {length} bytes is too long for an argument" if length > _LONGEST else None
