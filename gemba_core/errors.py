"""The one tree of errors: what went wrong, where, and what to do next.

A message is complete as it stands; every command prints it on standard error
after its own name and exits with `exit_code`. Foreign errors (OSError,
sqlite3.Error, ...) are translated where they are touched.
"""


class GembaError(Exception):
    """Something failed; nothing was lost. The text says what, where and what next."""

    exit_code = 1


class UsageError(GembaError):
    """The call is wrong, or the role or mode forbids it."""

    exit_code = 2


class LogError(GembaError):
    """A session log cannot be read or appended to."""


class IndexUnusable(GembaError):
    """The index cannot be opened or written."""


class PaneError(GembaError):
    """A terminal pane cannot be reached."""


class Refused(GembaError):
    """The caller may not do this: an agent does not settle escalations."""


class NotFound(GembaError):
    """No escalation, session or skill of that name, or more than one begins with it."""

    exit_code = 4


class AlreadySettled(GembaError):
    """Somebody else was first; the text says who, when and how.

    `escalation` is the one that is meant, as it stands now, where it is known.
    """

    exit_code = 5

    def __init__(self, text: str, escalation: object = None) -> None:
        super().__init__(text)
        self.escalation = escalation
