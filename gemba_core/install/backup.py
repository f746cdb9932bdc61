"""What a file was before us, and who of ours is in it: `GEMBA_HOME/installed/`.

For each file a record, and a copy of the original beside it.
"""

import hashlib
import os
from contextlib import suppress
from typing import TypeAlias

import msgspec
from msgspec import Struct

from gemba_core import home
from gemba_core.install import files

# (agent, scope, folder): one file may hold what several installations want.
Owner: TypeAlias = tuple[str, str, str]


class Record(Struct, frozen=True):
    """What is known of one file; `written` is the SHA-256 of what we left in it."""

    path: str
    existed: bool
    written: str
    made: list[str] = []
    owners: list[Owner] = []


def digest(data: bytes) -> str:
    """SHA-256 in hex digits."""
    return hashlib.sha256(data).hexdigest()


def load(path: str) -> tuple[Record | None, bytes | None]:
    """The record of that file and its original; the original is None where there was none.

    A record that cannot be read counts as none: then only what is ours is taken out.
    """
    data = files.read(_record_path(path))
    try:
        record = msgspec.json.decode(data or b"", type=Record)
    except msgspec.DecodeError:
        return None, None
    original = files.read(original_path(path)) if record.existed else None
    return (None, None) if record.existed and original is None else (record, original)


def save(record: Record, original: bytes | None) -> None:
    """Keep the record, its original first."""
    home.make_private_dir(home.installed_dir())
    if original is not None:
        _write(original_path(record.path), original)
    _write(_record_path(record.path), msgspec.json.format(msgspec.json.encode(record)) + b"\n")


def forget(path: str) -> None:
    """Drop the record of that file and its original."""
    for one in (_record_path(path), original_path(path)):
        with suppress(FileNotFoundError):
            os.unlink(one)


def original_path(path: str) -> str:
    """Where the copy of that file's original lies."""
    return os.path.join(home.installed_dir(), _key(path) + ".orig")


def _record_path(path: str) -> str:
    return os.path.join(home.installed_dir(), _key(path) + ".json")


def _key(path: str) -> str:
    return digest(os.fsencode(path))[:16]


def _write(path: str, data: bytes) -> None:
    before = files.read(path)
    if before != data:
        files.write(path, data, expected=before, mode=0o600)
