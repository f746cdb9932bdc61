"""What a text comes to: the skill that leads, its body, and what the person is told.

Every surface calls this: the agent's prompt hook, its plans, `gemba skills
expand`, the operator's answers. Nothing is run. Source: spec 004, "Behavior".
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gemba_core.frame.text import deliverable
from gemba_core.skills.mentions.resolve import Activation, Diagnosis, resolve
from gemba_core.skills.mentions.scan import Mention, scan, task

if TYPE_CHECKING:
    from gemba_core.skills.registry import Registry
    from gemba_core.skills.skill import Skill


@dataclass(frozen=True, slots=True)
class Expansion:
    """`skill` leads, and `body` is its guidance; else the diagnoses say why none does.

    `task` is what is asked for beside the mention: the rest of its line.
    """

    mentions: tuple[Mention, ...] = ()
    skill: "Skill | None" = None
    body: str = ""
    task: str = ""
    remarks: tuple[str, ...] = ()
    diagnoses: tuple[Diagnosis, ...] = ()

    @property
    def said(self) -> tuple[str, ...]:
        """What the person is told, a line each: the activation, remarks, diagnoses."""
        using = (f"Using skill: {self.skill.id}",) if self.skill else ()
        lines = (*using, *self.remarks, *(one.message for one in self.diagnoses))
        return tuple(deliverable(line).replace("\n", " ") for line in lines)

    def guidance(self, limit: int | None = None) -> str:
        """What the agent is told, in at most `limit` characters: a longer body by its head."""
        told = "\n".join(self.said)
        if self.skill is None:
            return told if limit is None else told[:limit]
        whole = f"{told}\n\n{self.body.strip()}\n"
        if limit is None or len(whole) <= limit:
            return whole
        rest = f"\n\n[The skill goes on. Before you follow it, read all of {self.skill.path}]\n"
        return (whole[: max(0, limit - len(rest))] + rest)[:limit]


def expand(text: str, workspace: str) -> Expansion:
    """Expand the text with the skills of that folder; without a mention they are not looked at."""
    mentions = scan(text)
    if not mentions:
        return Expansion()
    # Imported here: most texts mention nothing.
    from gemba_core.skills.registry import discover

    return expand_with(text, mentions, discover(workspace))


def expand_with(text: str, mentions: list[Mention], registry: "Registry") -> Expansion:
    """The same for mentions that were found, and skills that were read."""
    found = resolve(mentions, registry)
    if found.activation is None:
        return Expansion(tuple(mentions), diagnoses=found.diagnoses)
    return _activated(text, tuple(mentions), found.activation, found.diagnoses, registry)


def _activated(
    text: str,
    mentions: tuple[Mention, ...],
    activation: Activation,
    diagnoses: tuple[Diagnosis, ...],
    registry: "Registry",
) -> Expansion:
    skill = activation.skill
    try:
        body = registry.body(skill)
    except OSError as error:
        what = f"Skill '{skill.id}' cannot be read: {error.strerror or error}. See {skill.path}."
        broken = Diagnosis("broken", what, activation.mention)
        return Expansion(mentions, diagnoses=(broken, *diagnoses))
    asked = task(text, activation.mention)
    return Expansion(mentions, skill, body, asked, activation.remarks, diagnoses)
