"""What the commands have left on the disk."""

import json
from pathlib import Path
from typing import Any


def tree(folder: Path) -> dict[str, bytes | None]:
    """Every file's bytes and every folder below."""
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in folder.rglob("*")
    }


def hooks(path: Path) -> dict[str, Any]:
    """The declared hooks by event."""
    found = json.loads(path.read_text())["hooks"]
    assert isinstance(found, dict)
    return found
