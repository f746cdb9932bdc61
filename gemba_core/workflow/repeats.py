"""A machine that orders the same thing again and again, and gets nowhere.

Looks at the workspace only where an order is that of the step before: else it
costs nothing.
"""

import hashlib
import os
import stat
from collections.abc import Iterator

from gemba_core.errors import GembaError
from gemba_core.workflow.action import Action, outputs_of
from gemba_core.workflow.paths import OWN

# The same order in a row, with nothing else changed meanwhile, that is not carried out any more.
MOST = 3
# Bytes. Of a larger file the size and the time of its change tell enough.
_READ = 1 << 20


class NoProgress(GembaError):
    """The machine repeats itself."""


class Repeats:
    """Counts the same orders in a row, while nothing but their own outputs changes."""

    def __init__(self, workspace: str) -> None:
        self._workspace = workspace
        self._last: Action | None = None
        self._seen = ""
        self._count = 0

    def add(self, action: Action) -> None:
        """One more order. Raises NoProgress at the third that changed nothing but its output."""
        if action != self._last:
            self._last, self._count, self._seen = action, 1, ""
            return
        seen = self._fingerprint(action)
        self._count = self._count + 1 if seen == self._seen or not self._seen else 1
        self._seen = seen
        if self._count >= MOST:
            raise NoProgress(
                "the machine orders the same again and again, and nothing else changes; "
                f"it printed: {action.model_dump_json(exclude_unset=True)}"
            )

    def _fingerprint(self, action: Action) -> str:
        """What the workspace holds, without what this order itself writes."""
        left_out = {os.path.join(self._workspace, name) for name in outputs_of(action)}
        digest = hashlib.sha256()
        for path in self._files():
            if path not in left_out:
                digest.update(os.fsencode(path) + b"\0" + _content(path) + b"\0")
        return digest.hexdigest()

    def _files(self) -> Iterator[str]:
        for folder, folders, files in os.walk(self._workspace):
            folders[:] = sorted(name for name in folders if name not in (OWN, ".git"))
            yield from (os.path.join(folder, name) for name in sorted(files))


def _content(path: str) -> bytes:
    try:
        found = os.stat(path)
        if found.st_size > _READ or not stat.S_ISREG(found.st_mode):
            return f"{found.st_size} {found.st_mtime_ns}".encode()
        with open(path, "rb") as file:
            return hashlib.sha256(file.read()).digest()
    except OSError:
        return b""
