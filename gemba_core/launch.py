"""How a session is begun: its id, its environment, its words, its first prompt.

Everything that starts an agent composes it here.
"""

import hashlib
import os
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gemba_core.agents import Agent
from gemba_core.errors import GembaError, UsageError
from gemba_core.frame.text import deliverable
from gemba_core.frame.vocabulary import DEFAULT_MODE, MODES
from gemba_core.log import record

# Set by whoever started us for a hook or a session of their own.
_NOT_INHERITED = ("GEMBA_HOOK_EVENT", "GEMBA_SESSION_ID", "GEMBA_AGENT_TYPE")
_PANE = ("TMUX", "TMUX_PANE")


@dataclass(frozen=True, slots=True)
class Launch:
    """A session to begin.

    argv       the program by its absolute path, and its arguments
    variables  what its environment has of Gemba's
    prompt     the first prompt among the arguments, if there is one
    remarks    what the person should know
    """

    session_id: str
    agent_type: str
    mode: str
    argv: tuple[str, ...]
    variables: Mapping[str, str]
    prompt: str | None
    remarks: tuple[str, ...]

    def environment(self, inherited: Mapping[str, str], *, own_pane: bool) -> dict[str, str]:
        """The whole environment; `own_pane`: it runs in the very pane that we run in.

        What runs as our child has no pane: an answer typed there would reach us.
        """
        left_out = _NOT_INHERITED if own_pane else (*_NOT_INHERITED, *_PANE)
        rest = {name: value for name, value in inherited.items() if name not in left_out}
        return {**rest, **self.variables}


def compose(
    agent: Agent,
    inherited: Mapping[str, str],
    *,
    args: Sequence[str] = (),
    mode: str | None = None,
    session_id: str | None = None,
    words: Sequence[str] = (),
) -> Launch:
    """The session that this agent begins. The mode: as given, the agent's, the environment's.

    Its first prompt is the agent's own preamble and, behind it, `words`.

    Raises UsageError for a mode in the environment that does not exist,
    GembaError where the program is not found.
    """
    mode = mode_of(agent, inherited, mode)
    session_id = session_id or f"{agent.name}-{os.urandom(4).hex()}"
    variables = {
        "GEMBA_SESSION_ID": session_id,
        "GEMBA_AGENT_TYPE": agent.client,
        "GEMBA_INTERACTION_MODE": mode,
    }
    if inherited.get("GEMBA_HOME"):
        variables["GEMBA_HOME"] = os.path.abspath(inherited["GEMBA_HOME"])
    prompt, remarks = _prompt(agent, args, words)
    argv = (
        _found(agent, inherited),
        *agent.program[1:],
        *agent.args,
        *(("--model", agent.model) if agent.model else ()),
        *args,
        *(_as_arguments(agent.client, prompt) if prompt else ()),
    )
    return Launch(session_id, agent.client, mode, argv, variables, prompt, remarks)


def announce(launch: Launch, *, bead: str | None = None) -> None:
    """Put on the record, before it starts, what is not said by a person. Raises LogError.

    The first prompt answers nothing, and the work item is what its escalations are about.
    """
    if bead is not None:
        payload: dict[str, object] = {"state": "initializing", "bead_id": bead}
        record(launch.session_id, "GembaState", payload, agent_type=launch.agent_type, sync=False)
    if launch.prompt is not None:
        text = launch.prompt.encode("utf-8", "replace")
        payload = {
            "text_sha256": hashlib.sha256(text).hexdigest(),
            "length": len(launch.prompt),
            "why": "start prompt",
        }
        record(launch.session_id, "GembaEcho", payload, agent_type=launch.agent_type)


def mode_of(agent: Agent, inherited: Mapping[str, str], mode: str | None = None) -> str:
    """The interaction mode that it begins in. Raises UsageError as `compose`."""
    return mode or agent.interaction_mode or _inherited_mode(inherited)


def _inherited_mode(inherited: Mapping[str, str]) -> str:
    given = inherited.get("GEMBA_INTERACTION_MODE") or DEFAULT_MODE
    if given not in MODES:
        raise UsageError(
            f"GEMBA_INTERACTION_MODE is {given!r}; set it to one of {', '.join(MODES)}"
        )
    return given


def program_path(agent: Agent, inherited: Mapping[str, str]) -> str | None:
    """Where its program is, on the PATH of that environment or by its own; None if nowhere."""
    found = shutil.which(os.path.expanduser(agent.program[0]), path=inherited.get("PATH"))
    return os.path.abspath(found) if found else None


def _found(agent: Agent, inherited: Mapping[str, str]) -> str:
    found = program_path(agent, inherited)
    if found is None:
        program = os.path.expanduser(agent.program[0])
        raise GembaError(
            f"agent {agent.name}: {program}: no such program on the PATH; install it, or give its "
            "path in .gemba/agents.toml"
        )
    return found


def _prompt(
    agent: Agent, args: Sequence[str], words: Sequence[str]
) -> tuple[str | None, tuple[str, ...]]:
    """The first prompt in the form in which it is compared, and why there is none."""
    said = "\n\n".join(filter(None, (agent.preamble, *words)))
    if not said:
        return None, ()
    if agent.client not in _TAKES_PROMPT:
        return None, (f"{agent.name} takes no first prompt: its preamble is left out",)
    if args and not args[0].startswith("-"):
        return None, (f"{args[0]!r} goes before the preamble, which is left out",)
    return deliverable(said) or None, ()


_TAKES_PROMPT = ("claude", "codex", "gemini")


def _as_arguments(client: str, prompt: str) -> tuple[str, ...]:
    if client == "gemini":
        # A bare prompt would be answered without a terminal interface.
        return (f"--prompt-interactive={prompt}",)
    # After --, else an option with many values would take it, or a dash make it one.
    return ("--", prompt)
