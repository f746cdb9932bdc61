"""An action's output file: in its place only once its agent has succeeded.

A file that the agent wrote itself stays. What one that failed has left is moved
aside, and what was there before it is put back: no gate takes it for a result.
"""

import os
import shutil
from pathlib import Path

from gemba_core.workflow.paths import naming
from gemba_core.workflow.record import Mark


class Output:
    """The file at `path`; `folder` keeps what concerns it meanwhile. Methods raise GembaError."""

    def __init__(self, path: str, folder: str) -> None:
        self.path = path
        self._kept = os.path.join(folder, "before")
        self._left = os.path.join(folder, "left")

    def mark(self) -> Mark:
        """Remember what is there, before the agent begins."""
        seen = self._seen()
        with naming(self.path):
            if seen is None:
                Path(self._kept).unlink(missing_ok=True)
            else:
                shutil.copy2(self.path, self._kept)
        return seen

    def was_written(self, mark: Mark) -> bool:
        """Whether somebody has written it since."""
        seen = self._seen()
        return seen is not None and seen != mark

    def place(self, printed: str) -> None:
        """Move what the agent printed into place, all at once."""
        with naming(self.path):
            Path(self.path).parent.mkdir(parents=True, exist_ok=True)
            os.replace(printed, self.path)

    def undo(self, mark: Mark) -> None:
        """Have it as it was. Twice is harmless."""
        if self._seen() == mark:
            return
        with naming(self.path):
            if os.path.lexists(self.path):
                os.replace(self.path, self._left)
            if mark is not None:
                fresh = f"{self._kept}.fresh"
                shutil.copy2(self._kept, fresh)
                os.replace(fresh, self.path)

    def _seen(self) -> Mark:
        with naming(self.path):
            try:
                found = os.stat(self.path)
            except FileNotFoundError:
                return None
        return found.st_ino, found.st_size, found.st_mtime_ns


def write_whole(path: str, text: str, folder: str) -> None:
    """Put the text there all at once, by way of a file in `folder`. Raises GembaError."""
    fresh = Path(folder, "fresh")
    with naming(path):
        fresh.write_text(text, encoding="utf-8", errors="replace")
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        os.replace(fresh, path)
