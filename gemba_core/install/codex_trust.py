"""Which hooks a person has trusted, as Codex notes it in its config.toml. Tried with 0.169.0."""

import os
import re
from collections.abc import Iterable

import msgspec
from msgspec import Struct

from gemba_core.install import files


class _Noted(Struct):
    """What is noted of one hook; the digest is that of its definition when it was trusted."""

    trusted_hash: str | None = None


class _Hooks(Struct):
    """By the hook's file, event and place: `/home/ann/.codex/hooks.json:session_end:0:0`."""

    state: dict[str, _Noted] = {}


class _Config(Struct):
    hooks: _Hooks = msgspec.field(default_factory=_Hooks)


def untrusted(path: str, events: Iterable[str], config: str) -> list[str]:
    """Those of the events for which `config` notes no trusted hook in the file at `path`.

    Whether it is ours of that event, and still as it was, is not looked at: how
    a digest is made is Codex's own affair. Raises GembaError, OSError.
    """
    # Codex resolves the folder, but for its usual home.
    resolved = os.path.realpath(os.path.dirname(path))
    places = (path, os.path.join(resolved, os.path.basename(path)))
    trusted = [key for key, noted in _state(config).items() if noted.trusted_hash]

    def is_trusted(event: str) -> bool:
        begins = tuple(f"{place}:{_snake(event)}:" for place in places)
        return any(key.startswith(begins) for key in trusted)

    return [event for event in events if not is_trusted(event)]


def _state(config: str) -> dict[str, _Noted]:
    data = files.read(config)
    text = "" if data is None else files.decoded(config, data)
    try:
        return msgspec.toml.decode(text, type=_Config).hooks.state
    except msgspec.MsgspecError:
        return {}  # of another form: nothing is noted as we know it


def _snake(event: str) -> str:
    return re.sub(r"\B(?=[A-Z])", "_", event).lower()
