"""A skill as a person and as a program see it."""

from dataclasses import asdict, dataclass
from typing import Any

from gemba_core.skills.registry import Registry
from gemba_core.skills.skill import Skill


@dataclass(frozen=True, slots=True)
class Listed:
    """A skill and how it stands: `shadowed_by` is the path of the one that is found instead."""

    skill: Skill
    is_enabled: bool
    shadowed_by: str | None = None

    @property
    def state(self) -> str:
        """`active`, or what keeps it from being that."""
        if self.skill.problem:
            return "broken"
        if self.shadowed_by:
            return "shadowed"
        if self.skill.lifecycle == "active" and not self.is_enabled:
            return "disabled"
        return self.skill.lifecycle

    def plain(self) -> dict[str, Any]:
        """For a program: docs/cli.md, "A skill"."""
        return {
            "id": self.skill.id,
            **asdict(self.skill),
            "enabled": self.is_enabled,
            "state": self.state,
            "shadowed_by": self.shadowed_by,
        }


def listed(registry: Registry, *, every: bool) -> list[Listed]:
    """The skills by id, the broken ones behind them; `every`: also what lists leave out."""
    skills = registry.all() if every else registry.list()
    found = [Listed(skill, registry.is_enabled(skill.id)) for skill in skills]
    if every:
        found += [Listed(one.skill, False, one.by.path) for one in registry.shadowed]
        found.sort(key=lambda one: one.skill.id)
    return [*found, *(Listed(skill, False) for skill in registry.broken)]
