"""The project that sessions are started in: its agents, and what they are told first."""

import os
from dataclasses import replace

from gemba_core import agents, caller, home, launch
from gemba_core.agents import Agent
from gemba_core.install.profile import block
from gemba_core.launch import Launch
from gemba_core.orchestration.agent import AgentGroup, AgentRef, GroupMembers, GroupMode
from gemba_core.orchestration.error import AdaptorError, ErrorKind
from gemba_core.orchestration.native import records
from gemba_core.orchestration.native.ledger import boundary
from gemba_core.orchestration.session import SessionPrompt
from gemba_core.translator import SessionState

GROUP = "agents"
# Bytes of one argument or variable, with what stands around the text: execve(2).
_LONGEST = (128 << 10) - 64


class Project:
    """A folder with `.gemba/agents.toml`; read anew each time, for people edit it."""

    def __init__(self, root: str | None = None) -> None:
        found = home.agents_path() if root is None else None
        self.root = os.path.abspath(
            root or (os.path.dirname(os.path.dirname(found)) if found else ".")
        )

    def agents(self) -> tuple[AgentRef, ...]:
        """Those that it declares, in their order. Raises AdaptorError."""
        return tuple(
            AgentRef(id=one.name, name=one.name, workspace=self.root, dialect=one.client)
            for one in self._declared()
        )

    def groups(self) -> tuple[AgentGroup, ...]:
        """One, of all of them; none where there are none. Raises AdaptorError."""
        members = tuple(one.name for one in self._declared())
        if not members:
            return ()
        return (
            AgentGroup(
                id=GROUP,
                display_name=f"Agents of {os.path.basename(self.root)}",
                mode=GroupMode.STATIC,
                members=GroupMembers(static=members),
                repository=(self.root,),
            ),
        )

    def launch(self, state: SessionState, prompt: SessionPrompt) -> tuple[Agent, Launch]:
        """What begins that session. Raises AdaptorError process_failed where it cannot begin."""
        agent_id = records.plane_of(state).agent_id
        agent = next((one for one in self._declared() if one.name == agent_id), None)
        if agent is None:
            told = f"{self._path}: no agent is named {agent_id!r}"
            raise AdaptorError(ErrorKind.PROCESS_FAILED, told)
        with boundary(ErrorKind.PROCESS_FAILED):
            mode = launch.mode_of(agent, caller.environment())
            words = self._words(state, mode, prompt)
            composed = launch.compose(
                agent, caller.environment(), mode=mode, session_id=state.session_id, words=words
            )
        # Links resolved: its processes are known by it.
        place = os.path.realpath(home.home())
        variables = {**composed.variables, "GEMBA_HOME": place, "GEMBA_ANSWERS": "typed"}
        said = composed.prompt
        if said is None:
            # For programs that take no first prompt among their arguments.
            said = variables["GEMBA_PROMPT"] = "\n\n".join(filter(None, words))
        _check_length(agent, said)
        return agent, replace(composed, variables=variables)

    def _words(self, state: SessionState, mode: str, prompt: SessionPrompt) -> tuple[str, ...]:
        """Where it is, what it works on, how it asks a person, and what the caller says."""
        plane, workspace = records.plane_of(state), records.held_workspace(state)
        where = f"You work on the project {os.path.basename(self.root)}"
        if workspace is not None and workspace.branch is not None:
            where += f", in a git worktree of your own on the branch {workspace.branch}"
        work = f"Your work item is {plane.work_item_id}." if plane.work_item_id else ""
        path = os.path.join(self.root, ".gemba", "interaction_profile.md")
        profile = None
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                profile = file.read()
        return (f"{where}. {work}".strip(), block(mode, profile, path), prompt.text or "")

    @property
    def _path(self) -> str:
        return os.path.join(self.root, ".gemba", "agents.toml")

    def _declared(self) -> tuple[Agent, ...]:
        if not os.path.exists(self._path):
            return ()
        with boundary():
            return agents.load(self._path)


def _check_length(agent: Agent, said: str) -> None:
    length = len(said.encode("utf-8", "replace"))
    if length > _LONGEST:
        why = (
            f"agent {agent.name}: what it is told first has {length:,} bytes, of which the system "
            f"passes on {_LONGEST:,}; shorten its preamble in .gemba/agents.toml, or its prompt"
        )
        raise AdaptorError(ErrorKind.PROCESS_FAILED, why)
