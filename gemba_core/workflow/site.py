"""Where one workflow happens: its skill, its workspace, and the runner's own folder in it."""

import os
import shutil
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from gemba_core.errors import GembaError
from gemba_core.home import make_private_dir, write_private
from gemba_core.workflow.action import Action, outputs_of, spawns_of
from gemba_core.workflow.paths import OWN, NotThere, is_within, readable, writable
from gemba_core.workflow.skill import Scripted

_PROGRESS = "progress.json"


@dataclass(frozen=True, slots=True)
class Site:
    """`workspace` is absolute; `argument` is what the machine is told of it."""

    skill: Scripted
    workspace: str
    argument: str

    @property
    def own(self) -> str:
        """The runner's folder."""
        return own_folder(self.workspace)

    @property
    def journal(self) -> str:
        return journal_path(self.workspace)

    def action_folder(self, step: int, item: int) -> str:
        """What belongs to that action of that step: what its agent was given, and said."""
        return os.path.join(self.workspace, action_path(step, item))

    def context_file(self, name: str) -> str:
        """The real path of a context file. Raises Outside, NotThere."""
        allowed = (self.skill.root, self.skill.folder, self.workspace)
        return readable(name, self.skill.bases, allowed)

    def output_file(self, name: str) -> str:
        """The real path of an output. Raises Outside."""
        return writable(name, self.workspace)

    def check(self, action: Action) -> None:
        """Raises Outside for an order that may not be carried out.

        A context file that is missing is no such fault: somebody may yet bring it.
        """
        for name in outputs_of(action):
            self.output_file(name)
        for name in (name for spawn in spawns_of(action) for name in spawn.context_files):
            with suppress(NotThere):
                self.context_file(name)

    def is_phase_file(self, path: str) -> bool:
        """Whether it is an instruction, and not something that a phase has written."""
        return not is_within(path, self.workspace)

    def make(self) -> None:
        """Make the folders. Raises GembaError."""
        try:
            os.makedirs(self.workspace, exist_ok=True)
            make_private_dir(self.own)
            # Prompts and answers are nobody's to commit.
            Path(self.own, ".gitignore").write_text("*\n")
        except OSError as error:
            raise GembaError(f"{error.filename}: {error.strerror}: no workspace") from error

    def keep_progress(self) -> None:
        """Keep the machine's state as it is before it is asked. Raises OSError."""
        try:
            write_private(self._kept, Path(self.workspace, _PROGRESS).read_bytes())
        except FileNotFoundError:
            Path(self._kept).unlink(missing_ok=True)

    def put_progress_back(self) -> None:
        """Undo what a machine did to its state whose action nobody has read. Raises OSError."""
        progress = Path(self.workspace, _PROGRESS)
        if not os.path.exists(self._kept):
            progress.unlink(missing_ok=True)
            return
        fresh = os.path.join(self.own, "progress.fresh")
        shutil.copyfile(self._kept, fresh)
        os.replace(fresh, progress)

    @property
    def _kept(self) -> str:
        return os.path.join(self.own, "progress.before")


def site_for(skill: Scripted, workspace: str, current: str) -> Site:
    """The site of that workspace, as it was named in the folder `current`.

    The machine is told an absolute workspace as it is, and any other one as
    seen from the project root, where it runs.
    """
    path = os.path.abspath(os.path.join(current, workspace))
    argument = path
    if not os.path.isabs(workspace) and is_within(path, skill.root):
        argument = os.path.relpath(path, skill.root)
    return Site(skill, path, argument)


def own_folder(workspace: str) -> str:
    """The runner's folder of that workspace."""
    return os.path.join(workspace, OWN)


def action_path(step: int, item: int) -> str:
    """The folder of that action, within the workspace."""
    return os.path.join(OWN, "actions", f"{step}.{item}")


def journal_path(workspace: str) -> str:
    """The journal of that workspace."""
    return os.path.join(own_folder(workspace), "journal.jsonl")


def lock_path(workspace: str) -> str:
    """The file whose lock says that a runner is at work there."""
    return os.path.join(own_folder(workspace), "lock")
