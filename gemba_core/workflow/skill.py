"""A script-driven skill: a folder with a state machine, and the project that it works on."""

import glob
import os
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from gemba_core import home
from gemba_core.errors import GembaError, NotFound
from gemba_core.skills import document
from gemba_core.skills.folders import USUAL, bundled
from gemba_core.skills.registry import discover
from gemba_core.skills.skill import Skill, said
from gemba_core.workflow.paths import is_within

MACHINE = "next-step"
_SHELF = "skills"


@dataclass(frozen=True, slots=True)
class Scripted:
    """Its folder, its machine, and the project root, which the machine runs in; all absolute."""

    name: str
    folder: str
    machine: str
    root: str

    @property
    def bases(self) -> tuple[str, ...]:
        """The folders that a context file is named from, the first one that has it."""
        # A machine in .claude/skills may say skills/… as well as .claude/skills/….
        return self.root, os.path.dirname(os.path.dirname(self.folder))

    def command(self) -> list[str]:
        """How the machine is run. Raises GembaError where nothing tells."""
        if self.machine.endswith(".py"):
            return [shutil.which("python3") or sys.executable, self.machine]
        if self.machine.endswith(".sh"):
            return ["/bin/sh", self.machine]
        if os.access(self.machine, os.X_OK):
            return [self.machine]
        raise GembaError(
            f"{self.machine}: neither .py nor .sh, and not executable; make it so with chmod +x"
        )


def find(name: str, current: str) -> Scripted:
    """The skill of that name, or in that folder; seen from the folder `current`.

    A name is looked for in the nearest `skills/` that has it, then among the
    skills that agents may follow. Raises NotFound.
    """
    given = os.path.join(current, name)
    if os.sep in name or name in (os.curdir, os.pardir):
        return _scripted(os.path.abspath(given), current, is_named_by_path=True)
    for folder, path in _shelved(current):
        if folder == name:
            return _scripted(path, current)
    skill = discover(current).get(name)
    if skill is None:
        raise NotFound(f"no script-driven skill is named {name}; see gemba workflow list")
    return _scripted(os.path.dirname(skill.path), current)


def found(current: str) -> list[tuple[Scripted, str]]:
    """All that can be found from there, by name, each with its description."""
    known: dict[str, str] = {}
    for name, path in _shelved(current):
        known.setdefault(name, path)
    for skill in discover(current).list():
        folder = os.path.dirname(skill.path)
        if skill.form == "standard" and _machines(folder):
            known.setdefault(skill.id, folder)
    return list(_described([path for _, path in sorted(known.items())], current))


def _described(folders: list[str], current: str) -> Iterator[tuple[Scripted, str]]:
    for folder in folders:
        try:
            yield _scripted(folder, current), _description(folder)
        except (GembaError, OSError):
            continue  # a broken one costs only itself; running it says what is wrong


def _description(folder: str) -> str:
    """What its SKILL.md says of it; empty where there is none."""
    path = os.path.join(folder, "SKILL.md")
    if not os.path.isfile(path):
        return ""
    return Skill(*said(document.read(path), "standard"), path, "standard", folder, "").description


def _shelved(current: str) -> Iterator[tuple[str, str]]:
    """(name, folder) of the skills with a machine in `skills/` there and above, nearest first."""
    folder = current
    while True:
        for path in sorted(glob.glob(os.path.join(glob.escape(folder), _SHELF, "*"))):
            if _machines(path):
                yield os.path.basename(path), path
        if folder == os.path.dirname(folder):
            return
        folder = os.path.dirname(folder)


def _machines(folder: str) -> list[str]:
    pattern = os.path.join(glob.escape(folder), f"{MACHINE}*")
    names = sorted(path for path in glob.glob(pattern) if os.path.isfile(path))
    # Not next-step.py~, as editors leave it.
    kept = [path for path in names if not path.endswith("~")]
    return [path for path in kept if os.path.splitext(os.path.basename(path))[0] == MACHINE]


def _scripted(folder: str, current: str, *, is_named_by_path: bool = False) -> Scripted:
    machines = _machines(folder)
    if not machines:
        raise NotFound(f"{folder}: no {MACHINE}.py, nor any other {MACHINE}.*: not script-driven")
    if len(machines) > 1:
        names = ", ".join(os.path.basename(path) for path in machines)
        raise GembaError(f"{folder}: which machine? there is {names}; leave one")
    holder = _project_around(folder)
    if holder is None or not (is_named_by_path or is_within(current, holder)):
        holder = current
    return Scripted(os.path.basename(folder), folder, machines[0], holder)


def _project_around(folder: str) -> str | None:
    """The folder that holds `skills/`; None for a skill that belongs to no project.

    Source: spec 002, "The Orchestrator Loop", where `skills/…` is a path from there.
    """
    shelf = os.path.dirname(folder)
    personal = [home.user_dir(name) for name in USUAL]
    if os.path.basename(shelf) != _SHELF or shelf in personal or shelf == bundled():
        return None
    holder = os.path.dirname(shelf)
    # A client's own folder (.claude/skills) lies in the project.
    return os.path.dirname(holder) if os.path.basename(holder).startswith(".") else holder
