"""A session's surface file, and the judgement about one path."""

import json
import os
import re
from dataclasses import dataclass
from fnmatch import fnmatch

from gemba_core import home
from gemba_core.errors import GembaError
from gemba_core.surface.touch import Touch

_KEYS = {"read", "write"}
_MAX_FILE = 1 << 20

# Every program writes and reads these; they hold nothing.
_DEVICES = re.compile(
    r"/dev/(null|zero|full|random|urandom|tty|stdin|stdout|stderr|fd/\d+|ptmx|pts/\d+)"
)

# Where the clients look for hooks, in any folder.
_HOOKS = {
    ".claude": ("settings.json", "settings.local.json"),
    ".codex": ("hooks.json", "config.toml"),
    ".gemini": ("settings.json",),
}
_HOOK_FILE = re.compile(
    r"/(\.claude/settings[^/]*\.json|\.codex/(hooks\.json|config\.toml)|\.gemini/settings\.json)"
)


class SurfaceUnusable(GembaError):
    """The surface file cannot be read, or is no surface."""


@dataclass(frozen=True, slots=True)
class Surface:
    """The folders, all links resolved. What may be written may be read."""

    read: tuple[str, ...]
    write: tuple[str, ...]

    def refusal(self, touch: Touch) -> str | None:
        """Why that may not be touched; None if it may. Raises ValueError for no path at all."""
        path = os.path.join(touch.folder, os.path.expanduser(touch.path))
        given, real = os.path.normpath(path), _real(path)
        if _DEVICES.fullmatch(given):
            return None
        own = _protected(given, touch) or (real != given and _protected(real, touch))
        if own or touch.is_doubtful:
            return own or None
        allowed = self.write if touch.is_write else self.read + self.write
        if any(_is_within(real, root) for root in allowed):
            return None
        verb = "write" if touch.is_write else "read"
        where = real if real == given else f"{given} ({real})"
        folders = ", ".join(dict.fromkeys(allowed)) or "nothing"
        return f"{where} is outside of what this session may {verb}: {folders}"


def load(path: str) -> Surface:
    """The surface in that file. Raises SurfaceUnusable."""
    try:
        with open(path, "rb") as file:
            given = json.loads(file.read(_MAX_FILE))
    except (OSError, ValueError, RecursionError) as error:
        raise SurfaceUnusable(f"{path}: not read ({error})") from error
    if not isinstance(given, dict) or set(given) != _KEYS:
        raise SurfaceUnusable(f'{path}: not {{"read": [folders], "write": [folders]}}')
    return Surface(_folders(path, given["read"]), _folders(path, given["write"]))


def _folders(path: str, given: object) -> tuple[str, ...]:
    if not isinstance(given, list):
        raise SurfaceUnusable(f"{path}: not a list of folders: {given!r}")
    for folder in given:
        if not isinstance(folder, str) or not os.path.isabs(folder) or "\0" in folder:
            raise SurfaceUnusable(f"{path}: not an absolute path: {folder!r}")
    return tuple(_real(folder) for folder in given)


def _real(path: str) -> str:
    return os.path.realpath(path)


def _is_within(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def _protected(path: str, touch: Touch) -> str | None:
    """Why nobody may touch that path, whatever the surface says."""
    gemba = _real(home.home())
    if _is_within(path, gemba) or (touch.is_deep and _is_within(gemba, path)):
        return f"{path} belongs to Gemba itself"
    if not (touch.is_write or touch.is_doubtful):
        return None
    if _declares_hooks(path) or (touch.is_deep and _holds_hooks(path, touch.named)):
        return f"{path} declares the hooks that guard this session"
    return None


def _declares_hooks(path: str) -> bool:
    """Whether it is such a file, or its folder: what is put there may be such a file."""
    own = _own_hook_files()
    if path in own or path in map(os.path.dirname, own):
        return True
    # On some file systems .CLAUDE is .claude.
    return bool(_HOOK_FILE.fullmatch(_tail(path).casefold())) or (
        os.path.basename(path).casefold() in _HOOKS
    )


def _holds_hooks(path: str, named: tuple[str, ...]) -> bool:
    """Whether such files lie below it, of these names or in a folder of these names."""
    files = [file for file in _own_hook_files() if _is_within(file, path)]
    files += filter(os.path.lexists, _hook_files(path))
    return any(not named or _is_named(file, named) for file in files)


def _is_named(file: str, patterns: tuple[str, ...]) -> bool:
    names = [part.casefold() for part in file.split("/")[-2:]]
    return any(fnmatch(name, pattern.casefold()) for pattern in patterns for name in names)


def _tail(path: str) -> str:
    """The file and the folder around it."""
    return "/" + "/".join(path.split("/")[-2:])


def _hook_files(folder: str) -> list[str]:
    return [os.path.join(folder, own, name) for own, names in _HOOKS.items() for name in names]


def _own_hook_files() -> set[str]:
    """The person's own files that declare hooks, as they are called and where they lie."""
    folders = zip(
        _HOOKS.values(), (home.claude_dir(), home.codex_dir(), home.gemini_dir()), strict=True
    )
    files = [os.path.join(folder, name) for names, folder in folders for name in names]
    return {*files, *map(_real, files)}
