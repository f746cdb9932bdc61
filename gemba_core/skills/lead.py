"""The skill that leads an agent's turn: a small file while it does, beside the session's log.

The agent's hooks cannot read a log at each tool call; they look whether the
folder of these files is there. Each client has its own file: a child agent that
inherited the session neither narrows nor frees the one that started it.
"""

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from gemba_core import home
from gemba_core.errors import LogError
from gemba_core.log import append_hook, frame_line

if TYPE_CHECKING:
    from gemba_core.skills.skill import Skill

# What makes more than one command of a line, or hides one.
_NOT_ONE_COMMAND = frozenset(";&|<>`$()\\\n")
# No such file, or something else where the folder would be.
_NOTHING = (FileNotFoundError, NotADirectoryError)


class Lead(NamedTuple):
    """`tools` are those that the skill narrows the session to, None if it does not.

    `told` are the lines that the agent was told in this turn.
    """

    skill: str | None = None
    tools: tuple[str, ...] | None = None
    told: tuple[str, ...] = ()

    def refusal(self, tool: str, given: Mapping[str, Any]) -> str | None:
        """Why the call is refused; None if it is not."""
        if self.tools is None or any(_admits(one, tool, given) for one in self.tools):
            return None
        allowed = ", ".join(self.tools) or "no tool"
        return (
            f"skill '{self.skill}' leads this turn and allows {allowed}; this call of {tool} is "
            "not among them. The limit ends with the turn."
        )


def begin(session_id: str, client_id: str, lead: Lead) -> None:
    """Let it lead, in the place of another one. Raises LogError where that cannot be written."""
    data = json.dumps(lead._asdict()).encode()
    path = home.lead_path(session_id, client_id)
    try:
        try:
            home.write_private(path, data)
        except FileNotFoundError:
            # Somebody's end removed the folder between the two steps.
            home.write_private(path, data)
    except OSError as error:
        raise LogError(f"{path}: {error.strerror}: no skill leads") from error


def record(session_id: str, client_id: str, skill: "Skill", agent_type: str) -> None:
    """Put on the session's record that the skill leads. Raises LogError."""
    payload: dict[str, object] = {
        "skill": skill.id,
        "path": skill.path,
        "tools": None if skill.tools is None else list(skill.tools),
        "client": client_id,
    }
    line = frame_line(session_id, "GembaSkill", payload, agent_type=agent_type)
    append_hook(home.log_path(session_id), line)


def current(session_id: str, client_id: str) -> Lead | None:
    """What leads that client's turn. Raises OSError, and ValueError for another kind of file."""
    try:
        with open(home.lead_path(session_id, client_id), "rb") as file:
            found = json.loads(file.read())
    except _NOTHING:
        return None
    if not isinstance(found, dict) or set(found) != set(Lead._fields):
        raise ValueError("the file that says which skill leads holds something else")
    tools = found["tools"]
    return Lead(found["skill"], None if tools is None else tuple(tools), tuple(found["told"]))


def end(session_id: str, client_id: str) -> None:
    """Nothing leads that client's turn any more. Raises OSError."""
    with suppress(*_NOTHING):
        os.unlink(home.lead_path(session_id, client_id))
    with suppress(OSError):  # another client's turn is led
        os.rmdir(home.leads_dir(session_id))


def _admits(allowed: str, tool: str, given: Mapping[str, Any]) -> bool:
    """Whether an entry such as `Read`, `mcp__docs__*` or `Bash(git log:*)` admits the call.

    An argument is compared with a shell command, and only with one that is
    plainly a single command; of other tools it admits nothing.
    """
    # Imported here: it brings regular expressions, and most turns are led by no skill.
    from fnmatch import fnmatchcase

    name, parenthesis, argument = allowed.partition("(")
    if not fnmatchcase(tool, name):
        return False
    if not parenthesis:
        return True
    command, argument = given.get("command"), argument.removesuffix(")")
    if not isinstance(command, str) or not _NOT_ONE_COMMAND.isdisjoint(command):
        return False
    prefix = argument.removesuffix(":*")
    if prefix != argument:
        return command == prefix or command.startswith(f"{prefix} ")
    return fnmatchcase(command, argument)
