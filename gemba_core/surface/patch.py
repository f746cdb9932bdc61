"""apply_patch's own language: which files a patch names."""

import re
from collections.abc import Iterator

from gemba_core.surface.touch import Touch

_NAMED = re.compile(
    r"^\s*\*\*\* (?:Add File|Update File|Delete File|Move to): (.+?)\s*$", re.MULTILINE
)


def touches_of_patch(text: str, folder: str) -> Iterator[Touch]:
    """The files that a patch adds, changes, removes or moves to."""
    for path in _NAMED.findall(text):
        yield Touch(path, folder, is_write=True)
