"""`.gemba/` of a workspace: agents, interaction profile, skills."""

import os
import shutil
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from gemba_core.errors import UsageError
from gemba_core.install import files
from gemba_core.install.profile import default_profile
from gemba_core.skills.document import read_bytes
from gemba_core.skills.registry import bundled_skills
from gemba_core.skills.skill import Skill

_AGENTS = """\
# The agents of this workspace: gemba run --agent NAME starts one of them.
#
#   name                letters, digits and . _ - ; its sessions are called NAME-<8 hex digits>
#   binary or command   the program; command may have several words, as a list or in one string
#   args                more words for every start
#   model               for claude, codex and gemini
#   preamble            its first prompt
#   one_shot            the words with which it answers one prompt and ends, for workflows
#   hooks               false: gemba install-bridge declares no hooks for it
#   interaction_mode    dangerous, balanced (the default) or cautious: see interaction_profile.md
#   permissions         "native" (the default): its own dialog decides; "inbox": the operator may,
#                       from Gemba's inbox, for permission_timeout seconds
#   questions           the same for what claude asks with its own tool
#   readable, writable  lists of paths that it also sees in a workspace of Gemba's
"""

# By the program that each of them starts.
_EXAMPLES = {
    "claude": """
[[agent]]
name = "claude"
binary = "claude"
interaction_mode = "balanced"
# permissions = "inbox"
""",
    "codex": """
[[agent]]
name = "codex"
binary = "codex"
args = ["--sandbox", "workspace-write"]
interaction_mode = "balanced"
# permissions = "inbox"
# permission_timeout = 60
""",
    "gemini": """
[[agent]]
name = "gemini"
binary = "gemini"
model = "gemini-2.5-pro"
interaction_mode = "cautious"
""",
    "./agent.sh": """
[[agent]]
name = "shell"
command = "bash ./agent.sh"
interaction_mode = "dangerous"
hooks = false
""",
}

_SKILLS = """\
Skills of this workspace: one markdown file each, with skill_id, variety and description on top.
`gemba skills new NAME --variety coach` writes one to fill out; `gemba skills list` shows them all.
"""


@dataclass(frozen=True, slots=True)
class Made:
    """One file of the workspace; `is_new` if it was made now, else it was kept."""

    path: str
    is_new: bool


def offered() -> list[str]:
    """The names of the skills that come with Gemba."""
    return [skill.id for skill in bundled_skills().list()]


def init(folder: str, skills: Iterable[str] = ()) -> list[Made]:
    """Make what is not there yet, with copies of these bundled skills; what is there is kept.

    Raises UsageError for a skill that does not come with Gemba, and makes
    nothing then; OSError.
    """
    own = os.path.join(folder, ".gemba")
    contents = {
        "agents.toml": _agents().encode(),
        "interaction_profile.md": default_profile().encode(),
        os.path.join("skills", "README.md"): _SKILLS.encode(),
        **{os.path.join("skills", name): data for name, data in _copies(skills)},
    }
    return [_made(os.path.join(own, name), data) for name, data in contents.items()]


def _agents() -> str:
    """The examples; of those whose program is on PATH nothing has to be uncommented."""
    examples = (
        example if shutil.which(program) else textwrap.indent(example, "# ")
        for program, example in _EXAMPLES.items()
    )
    return _AGENTS + "".join(examples)


def _copies(names: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    """The names and contents of their files."""
    registry = bundled_skills()
    for name in names:
        skill = registry.get(name)
        if skill is None:
            raise UsageError(f"no bundled skill is named {name!r}; there is {', '.join(offered())}")
        yield from _files(skill)


def _files(skill: Skill) -> Iterator[tuple[str, bytes]]:
    """One that is a folder is copied as a whole."""
    if skill.form == "gemba":
        yield os.path.basename(skill.path), read_bytes(skill.path)
        return
    folder = os.path.dirname(skill.path)
    for around, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            path = os.path.join(around, name)
            yield os.path.relpath(path, os.path.dirname(folder)), read_bytes(path)


def _made(path: str, data: bytes) -> Made:
    if os.path.lexists(path):
        return Made(path, False)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    files.write(path, data, expected=None)
    return Made(path, True)
