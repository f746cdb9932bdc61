"""What a call touches."""

from typing import NamedTuple


class Touch(NamedTuple):
    """One path, as it was given, seen from `folder`.

    is_write  whether it is written; else it is read
    is_deep   whether all that lies below it is touched too
    """

    path: str
    folder: str
    is_write: bool = False
    is_deep: bool = False
