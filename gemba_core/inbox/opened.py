"""The index of this home, open and caught up."""

from collections.abc import Callable
from typing import TypeVar

from gemba_core import home
from gemba_core.index import Index

T = TypeVar("T")


def use_index(action: Callable[[Index], T]) -> T:
    """Open, catch up, run the action. A broken index is set aside and built anew first.

    Raises IndexUnusable, and whatever the action raises.
    """
    return Index.use(home.index_path(), home.sessions_dir(), action)
