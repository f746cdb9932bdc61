"""What a call touches."""

from typing import NamedTuple


class Touch(NamedTuple):
    """One path, as it was given, seen from `folder`.

    is_write     whether it is written; else it is read
    is_deep      whether all that lies below it is touched too
    is_doubtful  whether it may be no file, or written, for all that is known: then only what
                 nobody may write is refused
    named        patterns: of what lies below, only what is called like one of them
    """

    path: str
    folder: str
    is_write: bool = False
    is_deep: bool = False
    is_doubtful: bool = False
    named: tuple[str, ...] = ()
