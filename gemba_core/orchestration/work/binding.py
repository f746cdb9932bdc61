"""Which WorkPlane is bound: `[work]` in the operator's configuration.

Not in a workspace's own files: `bd` names a program that is run, and a cloned
repository must not be able to name one.
"""

import os
from typing import Literal

from pydantic import BaseModel, ConfigDict

from gemba_core import home, toml_file
from gemba_core.orchestration.work.beads import Beads
from gemba_core.orchestration.work.plane import WorkPlane
from gemba_core.orchestration.work.queue import Queue
from gemba_core.toml_file import Text

_TABLE = "work"


class WorkSettings(BaseModel):
    """`[work]`. `bd` is the program of Beads: a name on the PATH, or a path."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    plane: Literal["queue", "beads"] = "queue"
    bd: Text = "bd"


def bound(folder: str) -> WorkPlane:
    """The WorkPlane for work in that folder; the embedded queue where nothing else is said.

    Raises TomlInvalid, OSError.
    """
    settings = load(home.config_path())
    if settings.plane == "beads":
        return Beads(os.path.expanduser(settings.bd), folder)
    return Queue(home.work_path())


def load(path: str) -> WorkSettings:
    """The settings in that file; the defaults where there is none. Raises TomlInvalid, OSError."""
    if not os.path.exists(path):
        return WorkSettings()
    file = toml_file.read(path)
    settings, wrong = toml_file.checked(WorkSettings, file.table.get(_TABLE, {}), (_TABLE,))
    if settings is None:
        # No array of tables, which is what could be named here.
        raise file.invalid(wrong, "")
    return settings
