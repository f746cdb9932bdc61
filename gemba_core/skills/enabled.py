"""Which skills are switched off: a small file of names, written all at once under a lock."""

import fcntl
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from gemba_core.errors import GembaError
from gemba_core.home import disabled_skills_path, make_private_dir, write_private
from gemba_core.settings import disabled_skills


class EnabledUnknown(GembaError):
    """The file is malformed, and is not written over."""


def disabled() -> tuple[frozenset[str], str | None]:
    """The ids that are switched off, and what is wrong with the file: then none is off."""
    return disabled_skills(disabled_skills_path())


def switch(ids: Iterable[str], *, on: bool) -> frozenset[str]:
    """Switch these on or off; the ids that were not so already. Raises EnabledUnknown, OSError."""
    with _locked():
        before, problem = disabled()
        if problem:
            raise EnabledUnknown(problem)
        wanted = frozenset(ids)
        after = before - wanted if on else before | wanted
        if after != before:
            # Imported here: it is read far more often than it is written.
            import tomli_w

            text = tomli_w.dumps({"disabled": sorted(after)})
            write_private(disabled_skills_path(), text.encode())
        return after ^ before


@contextmanager
def _locked() -> Iterator[None]:
    path = disabled_skills_path() + ".lock"
    make_private_dir(os.path.dirname(path))
    fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX)
        yield
    finally:
        os.close(fd)
