"""A folder that this process may not write to, also where it is root."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

NOBODY = 65534


@pytest.fixture
def as_nobody() -> Iterator[Path]:
    """Run as somebody who may not write to this folder. Root steps down for the time."""
    # Not below tmp_path: the folders above that are closed to others altogether.
    folder = Path(tempfile.mkdtemp(prefix="gemba-read-only-", dir="/tmp"))
    folder.chmod(0o555)
    was_root = os.geteuid() == 0
    if was_root:
        os.seteuid(NOBODY)
    try:
        yield folder
    finally:
        if was_root:
            os.seteuid(0)
        folder.chmod(0o755)
        shutil.rmtree(folder)
