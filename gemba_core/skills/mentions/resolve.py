"""Mentions to the skill that leads the turn, or to why none does. Pure.

Exact, then namespaced exact, then whether it is switched on; what is none of
these is answered with suggestions, and never chosen for the person. Source:
spec 004, "Resolution rules" and "Ambiguity / error UX, tests, and non-goals".
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gemba_core.frame.text import one_line
from gemba_core.skills.mentions.scan import Mention

if TYPE_CHECKING:
    from gemba_core.skills.registry import Registry
    from gemba_core.skills.skill import Skill

# A pasted program may mention hundreds of names that are nothing to us.
_MOST_DIAGNOSES = 3
_MOST_CANDIDATES = 10


@dataclass(frozen=True, slots=True)
class Activation:
    """The skill that leads; `remarks` say what the person should know of its name."""

    skill: "Skill"
    mention: Mention
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """Why a mention leads to no skill.

    `code` is one of unknown, suggestion, ambiguous, disabled, removed, broken,
    several, settings. `mention` is None where it is about none or more than one.
    """

    code: str
    message: str
    mention: Mention | None = None


@dataclass(frozen=True, slots=True)
class Resolution:
    """At most one skill leads, and each mention that led nowhere is explained."""

    activation: Activation | None
    diagnoses: tuple[Diagnosis, ...]


def resolve(mentions: Iterable[Mention], registry: "Registry") -> Resolution:
    """What the mentions of one text come to."""
    leading: dict[str, Activation] = {}
    diagnoses: dict[str, Diagnosis] = {}
    beyond: set[str] = set()
    for mention in mentions:
        if mention.bare in diagnoses or mention.bare in beyond:
            continue
        skill = registry.get(mention.name) or registry.get(mention.bare)
        if skill is None and mention.doubtful:
            continue
        if skill is not None and skill.lifecycle != "removed" and registry.is_enabled(skill.id):
            leading.setdefault(skill.id, Activation(skill, mention, _remarks(mention, skill)))
        elif len(diagnoses) == _MOST_DIAGNOSES:
            beyond.add(mention.bare)
        else:
            diagnoses[mention.bare] = _diagnosis(mention, skill, registry)
    told = [*diagnoses.values(), *(Diagnosis("settings", one) for one in registry.problems)]
    if beyond:
        told.append(Diagnosis("several", f"{len(beyond)} more names lead to no skill either."))
    if len(leading) > 1:
        ways = _either(f"${one.skill.handle}" for one in leading.values())
        told.insert(0, Diagnosis("several", f"Choose one skill to lead this turn: {ways}."))
        return Resolution(None, tuple(told))
    return Resolution(next(iter(leading.values()), None), tuple(told))


def _remarks(mention: Mention, skill: "Skill") -> tuple[str, ...]:
    remarks = []
    name = mention.name if mention.name in skill.aliases else mention.bare
    if name in skill.aliases:
        remarks.append(f"${name} is an alias of {skill.id}.")
    if skill.lifecycle == "deprecated":
        remarks.append(f"Skill '{skill.id}' is deprecated{_instead(skill)}.")
    return tuple(remarks)


def _diagnosis(mention: Mention, skill: "Skill | None", registry: "Registry") -> Diagnosis:
    if skill is None:
        return _unknown(mention, registry)
    if skill.lifecycle == "removed":
        return Diagnosis("removed", f"Skill '{skill.id}' was removed{_instead(skill)}.", mention)
    message = f"Skill '{skill.id}' is disabled. Enable it with gemba skills enable {skill.handle}."
    return Diagnosis("disabled", message, mention)


def _unknown(mention: Mention, registry: "Registry") -> Diagnosis:
    name = one_line(mention.bare)
    broken = registry.get_broken(mention.bare)
    if broken is not None:
        why = one_line(broken.problem or "", 200)
        what = f"Skill '{name}' is broken: {why}. See {broken.path}."
        return Diagnosis("broken", what, mention)
    candidates = [one for one in registry.like(mention.bare) if registry.is_enabled(one.id)]
    if not candidates:
        what = f"No skill named '{name}'. Run gemba skills list to see available skills."
        return Diagnosis("unknown", what, mention)
    if len(candidates) == 1:
        what = f"No exact skill '{name}'. Did you mean ${candidates[0].handle}?"
        return Diagnosis("suggestion", what, mention)
    return Diagnosis("ambiguous", _matched(name, candidates), mention)


def _matched(name: str, candidates: "list[Skill]") -> str:
    """The candidates, and what to type next: namespaced ids, since they leave no doubt."""
    shown = candidates[:_MOST_CANDIDATES]
    listed = ", ".join(one.id for one in shown)
    if len(candidates) > len(shown):
        listed += f" and {len(candidates) - len(shown)} more"
    surest = [one for one in shown if one.namespace] or shown
    use = _either(f"${one.handle}" for one in surest)
    return f"${name} matched {len(candidates)} skills: {listed} — use {use}."


def _instead(skill: "Skill") -> str:
    return f"; use ${skill.replaced_by} instead" if skill.replaced_by else ""


def _either(names: Iterable[str]) -> str:
    *others, last = names
    return f"{', '.join(others)} or {last}" if others else last
