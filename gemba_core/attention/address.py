"""Where a rule sends to: a secret, read when it is needed, and never shown."""

import os
import re
import stat
from urllib.parse import unquote

from gemba_core import home
from gemba_core.attention.rule import Rule
from gemba_core.errors import GembaError
from gemba_core.frame.text import one_line

_LONGEST = 16_384
# Shorter pieces are words that say nothing by themselves, such as `json` or a port.
_TELLING = 4


def address(rule: Rule) -> str:
    """The address itself. Raises GembaError that says what to set, and never the address."""
    if rule.url_file is not None:
        path = os.path.join(home.home(), os.path.expanduser(rule.url_file))
        return _only(_read(path), path)
    name = (rule.url or "").removeprefix("env:")
    if name == rule.url:
        return name
    value = home.variable(name)
    if value is None:
        raise GembaError(f"notify {rule.name}: {name} is not set in the environment; set it there")
    return _only(value, name)


def redacted(text: str, secret: str) -> str:
    """The text in one line, without the secret or a telling piece of it."""
    forms = (secret, unquote(secret))
    pieces = {piece for form in forms for piece in (form, *re.split(r"[/:@?&=#\s]+", form))}
    for piece in sorted(pieces, key=len, reverse=True):
        if len(piece) > _TELLING:
            text = text.replace(piece, "…")
    return one_line(text, 200)


def _read(path: str) -> str:
    """A regular file of our own that nobody else may read."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except OSError as error:
        raise GembaError(f"{path}: {error.strerror}; put the address there") from error
    with open(fd, "rb") as file:
        status = os.fstat(fd)
        if not stat.S_ISREG(status.st_mode) or status.st_uid != os.geteuid():
            raise GembaError(f"{path}: not a file of your own; put the address into one")
        if status.st_mode & 0o077:
            raise GembaError(f"{path}: others may read it; run `chmod 600 {path}`")
        return file.read(_LONGEST).decode("utf-8", "replace")


def _only(text: str, where: str) -> str:
    """The one line in it that is no comment."""
    lines = [line.strip() for line in text.splitlines()]
    found = [line for line in lines if line and not line.startswith("#")]
    if len(found) != 1:
        what = "no address in it" if not found else "more than one address; make a rule for each"
        raise GembaError(f"{where}: {what}")
    return found[0]
