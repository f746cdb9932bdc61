"""The files beside a skill that its body links to."""

import re
from collections.abc import Iterator
from urllib.parse import unquote

from gemba_core.skills.lint.passages import Passage, Stretch
from gemba_core.skills.lint.subject import Subject

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//|/|#|~|$")
# Stands for a name that the reader fills in.
_OPEN = re.compile(r"[<>{}$*…]|\.\.\.")


def references(skill: Subject) -> Iterator[tuple[Passage, Stretch, str]]:
    """Each relative link: where it stands, and its path without `./`, query and fragment."""
    if "](" not in skill.document.body:
        return
    for passage in skill.body.passages:
        for link in passage.links:
            path = unquote(re.split(r"[?#]", link.text)[0])
            if not _SCHEME.match(link.text) and path and not _OPEN.search(path):
                yield passage, link, path.removeprefix("./")
