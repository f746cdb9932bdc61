"""The skills that a workspace has. A broken file costs only itself.

The agent's prompt hook comes here too, so nothing dear is imported on the way
of a skill that was read before.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from gemba_core.home import config_path
from gemba_core.settings import skill_folders
from gemba_core.skills import document
from gemba_core.skills.cache import Cache
from gemba_core.skills.enabled import disabled
from gemba_core.skills.folder import Entry, Folder, entries
from gemba_core.skills.folders import BUNDLED, bundled, folders
from gemba_core.skills.skill import Said, Skill, said, unreadable


@dataclass(frozen=True, slots=True)
class Shadowed:
    """A skill that is not reached by its id, since `by` was found first."""

    skill: Skill
    by: Skill


class Registry:
    """What was found: of the same id the first one counts.

    `broken` are the files that would be skills, each with its problem;
    `problems` what is wrong with the settings.
    """

    def __init__(
        self, found: Iterable[Skill], off: Iterable[str] = (), problems: Iterable[str] = ()
    ) -> None:
        self._by_id: dict[str, Skill] = {}
        self._by_alias: dict[str, Skill] = {}
        self._by_source: dict[str, Skill] = {}
        self._off = frozenset(off)
        self.problems = tuple(problems)
        broken, shadowed = [], []
        for skill in found:
            if skill.problem:
                broken.append(skill)
                continue
            first = self._by_id.setdefault(skill.id, skill)
            if first is not skill:
                shadowed.append(Shadowed(skill, first))
            if skill.namespace is None:
                self._by_source.setdefault(f"{skill.source}:{skill.name}", skill)
        for skill in self._by_id.values():
            for alias in skill.aliases:
                self._by_alias.setdefault(alias, skill)
        self.broken = tuple(broken)
        self.shadowed = tuple(shadowed)

    def get(self, name: str) -> Skill | None:
        """The skill of that id, else the one below its source (`claude:name`), else by an alias.

        Exact, in the case of letters too. A broken one is not found; hidden,
        deprecated and removed ones are. Source: spec 004, "Resolution rules".
        """
        for known in (self._by_id, self._by_source, self._by_alias):
            if name in known:
                return known[name]
        return None

    def get_broken(self, name: str) -> Skill | None:
        """The broken file that would be the skill of that id or name."""
        return next((one for one in self.broken if name in (one.id, one.name)), None)

    def all(self) -> tuple[Skill, ...]:
        """All but the broken and the shadowed ones, by id."""
        return tuple(self._by_id[id] for id in sorted(self._by_id))

    def list(self) -> tuple[Skill, ...]:
        """Those that belong into lists and suggestions, by id: not the hidden and removed ones."""
        return tuple(skill for skill in self.all() if skill.is_listed)

    def like(self, name: str) -> tuple[Skill, ...]:
        """Those listed whose id or handle has the name in it, as they were found: plugins' last."""
        wanted = name.lower()
        return tuple(
            skill
            for skill in self._by_id.values()
            if skill.is_listed and wanted in f"{skill.id}\n{skill.handle}".lower()
        )

    def is_enabled(self, name: str) -> bool:
        """Whether the skill of that name or alias is switched on; by default all are."""
        skill = self.get(name)
        return (skill.id if skill else name) not in self._off

    def body(self, skill: Skill) -> str:
        """What an agent is given to follow. Raises OSError."""
        return document.body_of(document.read_bytes(skill.path))


def discover(workspace: str) -> Registry:
    """The skills of that folder, of the person, of plugins, and those that come with Gemba.

    Never raises for a file, a folder or a setting that is broken.
    """
    chosen, problem = skill_folders(config_path())
    off, unknown = disabled()
    found = _distinct(folders(workspace, chosen))
    return Registry(found, off, filter(None, (problem, unknown)))


def bundled_skills() -> Registry:
    """The skills that come with Gemba, alone."""
    return Registry(_distinct([Folder(bundled(), BUNDLED)]))


def _distinct(among: Iterable[Folder]) -> Iterator[Skill]:
    """The skills in these folders; what several links lead to is there once."""
    seen = set()
    for folder in among:
        for entry, skill in _skills_in(folder):
            if entry.identity is None or entry.identity not in seen:
                seen.add(entry.identity)
                yield skill


def _skills_in(folder: Folder) -> Iterator[tuple[Entry, Skill]]:
    """Each file of the folder that is a skill, or would be one."""
    cache = Cache(folder.path)
    for entry in entries(folder):
        heard = cache.get(entry)
        if heard is None:
            heard = _read(entry)
            cache.put(entry, heard)
        skill = Skill(*heard, entry.path, entry.form, folder.path, folder.source, entry.namespace)
        yield entry, skill
    cache.save()


def _read(entry: Entry) -> Said:
    if entry.problem:
        return unreadable(entry.path, entry.form, entry.problem)
    try:
        return said(document.read(entry.path), entry.form)
    except OSError as error:
        return unreadable(entry.path, entry.form, f"cannot be read: {error.strerror or error}")
