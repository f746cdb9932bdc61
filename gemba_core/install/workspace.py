"""`.gemba/` of a workspace: agents, interaction profile, skills."""

import os
from dataclasses import dataclass

from gemba_core.install import files
from gemba_core.install.profile import default_profile

_AGENTS = """\
# The agents of this workspace: gemba run --agent NAME starts one of them.
#
#   name                letters, digits and . _ - ; its sessions are called NAME-<8 hex digits>
#   binary or command   the program; command may have several words, as a list or in one string
#   args                more words for every start
#   model               for claude, codex and gemini
#   preamble            its first prompt
#   hooks               false: gemba install-bridge declares no hooks for it
#   interaction_mode    dangerous, balanced (the default) or cautious: see interaction_profile.md
#   permissions         "native" (the default): its own dialog decides; "inbox": the operator may,
#                       from Gemba's inbox, for permission_timeout seconds
#   questions           the same for what claude asks with its own tool

# [[agent]]
# name = "claude"
# binary = "claude"
# interaction_mode = "balanced"
# permissions = "inbox"

# [[agent]]
# name = "codex"
# binary = "codex"
# args = ["--sandbox", "workspace-write"]
# interaction_mode = "balanced"
# permissions = "inbox"
# permission_timeout = 60

# [[agent]]
# name = "gemini"
# binary = "gemini"
# model = "gemini-2.5-pro"
# interaction_mode = "cautious"

# [[agent]]
# name = "shell"
# command = "bash ./agent.sh"
# interaction_mode = "dangerous"
# hooks = false
"""

_SKILLS = """\
Skills of this workspace: one markdown file each, with skill_id, variety and description on top.
"""


@dataclass(frozen=True, slots=True)
class Made:
    """One file of the workspace; `is_new` if it was made now, else it was kept."""

    path: str
    is_new: bool


def init(folder: str) -> list[Made]:
    """Make what is not there yet; what is there is kept as it is. Raises OSError."""
    own = os.path.join(folder, ".gemba")
    contents = {
        "agents.toml": _AGENTS,
        "interaction_profile.md": default_profile(),
        os.path.join("skills", "README.md"): _SKILLS,
    }
    return [_made(os.path.join(own, name), text) for name, text in contents.items()]


def _made(path: str, text: str) -> Made:
    if os.path.lexists(path):
        return Made(path, False)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    files.write(path, text.encode(), expected=None)
    return Made(path, True)
