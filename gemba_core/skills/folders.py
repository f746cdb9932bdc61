"""The folders that skills lie in, in the order in which they count."""

import os
from collections.abc import Iterable, Iterator

from gemba_core import home
from gemba_core.skills.folder import Folder
from gemba_core.skills.plugins import plugins

# Source: what people have already, by client. A configuration may name others.
USUAL = (
    ".gemba/skills",
    ".agents/skills",
    ".claude/skills",
    ".codex/skills",
    ".opencode/skills",
    ".cursor/skills",
    ".gemini/skills",
)
BUNDLED = "bundled"


def folders(workspace: str, chosen: Iterable[str] | None = None) -> list[Folder]:
    """Those that are there: of the workspace, then of the person, of plugins, and the bundled one.

    Of the workspace each is the nearest one at or above the given folder. A
    chosen one that is absolute, or begins with `~/`, is the person's alone.
    What two names lead to is there once.
    """
    names = USUAL if chosen is None else tuple(chosen)
    candidates = (
        *of_workspace(os.path.abspath(workspace), names),
        *(Folder(_of_person(name), _source(name)) for name in names),
        *plugins(),
        Folder(bundled(), BUNDLED),
    )
    found: dict[str, Folder] = {}
    for one in candidates:
        if os.path.isdir(one.path):
            found.setdefault(os.path.realpath(one.path), one)
    return list(found.values())


def own_folder(workspace: str) -> str:
    """Where a new skill of the workspace goes: the nearest `.gemba/skills`, there or not."""
    found = next(of_workspace(os.path.abspath(workspace), USUAL[:1]), None)
    return found.path if found else os.path.join(os.path.abspath(workspace), USUAL[0])


def bundled() -> str:
    """The skills that come with Gemba: in the package, or of the checkout that it runs from."""
    packed = os.path.join(os.path.dirname(__file__), "bundled")
    if os.path.isdir(packed):
        return packed
    return os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(__file__))), "skills")


def of_workspace(workspace: str, names: Iterable[str]) -> Iterator[Folder]:
    """The workspace's own among them, each the nearest at or above the given folder."""
    for name in names:
        if _is_elsewhere(name):
            continue
        own = home.user_dir(name)
        around = (os.path.join(folder, name) for folder in _upwards(workspace))
        found = next((path for path in around if path != own and os.path.isdir(path)), None)
        if found:
            yield Folder(found, _source(name))


def _upwards(folder: str) -> Iterator[str]:
    """The folder and those around it, up to the root."""
    yield folder
    while (parent := os.path.dirname(folder)) != folder:
        yield parent
        folder = parent


def _of_person(name: str) -> str:
    return os.path.expanduser(name) if _is_elsewhere(name) else home.user_dir(name)


def _is_elsewhere(name: str) -> bool:
    """Whether a name means one folder, and not one of each workspace."""
    return os.path.isabs(name) or name.startswith("~")


def _source(name: str) -> str:
    """`claude` of .claude/skills, `team` of ~/team/skills and of ~/team."""
    words = [word for word in name.split("/") if word not in ("", "~", ".", "skills")]
    return words[-1].lstrip(".") if words else "skills"
