"""The skill that a person names, and what their shell completes."""

import difflib
import os

import click
from click.shell_completion import CompletionItem

from gemba.output import warn
from gemba_core.errors import GembaError, NotFound
from gemba_core.frame.text import shown_line
from gemba_core.skills.registry import Registry, discover
from gemba_core.skills.skill import Skill


def here() -> Registry:
    """The skills of the current folder; what is wrong with the settings is said."""
    found = discover(os.getcwd())
    warn(found.problems)
    return found


def named(registry: Registry, name: str) -> Skill:
    """The skill of that name or alias.

    Raises NotFound with the nearest names, GembaError where its file is broken.
    """
    skill = registry.get(name)
    if skill is not None:
        return skill
    broken = registry.get_broken(name)
    if broken is not None:
        raise GembaError(f"{broken.path}: {broken.problem}")
    ids = [skill.id for skill in registry.list()]
    near = [id for id in ids if name.lower() in id.lower()][:3]
    near = near or difflib.get_close_matches(name, ids)
    meant = f"did you mean {' or '.join(near)}?" if near else "`gemba skills list` names them"
    raise NotFound(f"no skill named {name!r}; {meant}")


def complete_skills(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The ids of the skills, with their descriptions."""
    return [
        CompletionItem(skill.id, help=shown_line(skill.description))
        for skill in discover(os.getcwd()).list()
        if skill.id.startswith(incomplete)
    ]
