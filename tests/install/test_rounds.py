"""Install and uninstall over generated settings: nothing that is not ours ever changes."""

import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gemba_core.install import bridge
from gemba_core.install.client import Client
from tests.commands import SCRIPTS
from tests.install.strategies import CLIENTS, laid_out, toml_configs
from tests.install.strategies import settings as generated


@contextmanager
def workspace() -> Iterator[Path]:
    """An own folder, home and Gemba home for one generated case."""
    # In memory where that is to be had: thousands of syncs would wait for a disk.
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    base = Path(tempfile.mkdtemp(prefix="gemba-rounds-", dir=memory))
    before = dict(os.environ)
    os.environ.update(
        HOME=str(base / "user"), GEMBA_HOME=str(base / "home"), CODEX_HOME=str(base / "codex")
    )
    try:
        (base / "project").mkdir()
        yield base / "project"
    finally:
        os.environ.clear()
        os.environ.update(before)
        shutil.rmtree(base)


def foreign(content: Any) -> Any:
    """The settings without entries of ours, and without what only these need."""
    kept = json.loads(json.dumps(content))
    for event, groups in list(kept.get("hooks", {}).items()):
        for group in groups:
            if isinstance(group, dict) and isinstance(group.get("hooks"), list):
                group["hooks"] = [one for one in group["hooks"] if not is_ours(one)]
        kept["hooks"][event] = [group for group in groups if group != {"hooks": []}]
        if not kept["hooks"][event]:
            del kept["hooks"][event]
    if not kept.get("hooks", True):
        del kept["hooks"]
    listed = kept.get("sandbox", {}).get("filesystem", {}).get("allowWrite", [])
    listed[:] = [one for one in listed if not one.endswith("/home/sessions")]
    if not listed:
        kept.get("sandbox", {}).pop("filesystem", None)
        if not kept.get("sandbox", True):
            del kept["sandbox"]
    return kept


def is_ours(entry: object) -> bool:
    """As a reader of the file would tell, without the product's own judgement."""
    command = entry.get("command") if isinstance(entry, dict) else None
    return isinstance(command, str) and command.startswith(f"{SCRIPTS}/gemba-bridge")


def round_trip(client: Client, content: Any, text: str, toml: str, notes: str, added: Any) -> None:
    """One install and one uninstall; a second install; a person who writes in between."""
    with workspace() as folder:
        where = str(folder)
        path = Path(client.settings("project", where))
        told = Path(client.instructions("project", where))
        config = Path(os.environ["CODEX_HOME"]) / "config.toml"
        originals = {path: text, told: notes}
        if client.name == "codex":
            originals[config] = toml
        for file, said in originals.items():
            file.parent.mkdir(exist_ok=True)
            file.write_bytes(said.encode())

        bridge.install(client, "project", where, body="Ask.")
        once = {file: file.read_bytes() for file in originals}
        assert foreign(json.loads(once[path])) == foreign(content)
        bridge.install(client, "project", where, body="Ask.")
        assert {file: file.read_bytes() for file in originals} == once
        bridge.uninstall(client, "project", where)
        for file, said in originals.items():
            assert file.read_bytes() == said.encode()

        bridge.install(client, "project", where, body="Ask.")
        rewritten = {**json.loads(path.read_bytes()), "by-a-person": added}
        path.write_text(json.dumps(rewritten))
        bridge.uninstall(client, "project", where)
        assert json.loads(path.read_bytes()) == {**content, "by-a-person": added}


@st.composite
def cases(draw: st.DrawFn) -> tuple[Client, Any, str, str, str, Any]:
    """The arguments of `round_trip`."""
    content = draw(generated())
    notes = draw(st.sampled_from(["", "# Notes\n", "no end", "# A\r\n\r\nb\r\n", "\n\n"]))
    return (
        draw(st.sampled_from(CLIENTS)),
        content,
        draw(laid_out(content)),
        draw(toml_configs),
        notes,
        draw(st.integers() | st.lists(st.booleans(), max_size=2)),
    )


@settings(max_examples=100, suppress_health_check=list(HealthCheck))
@given(cases())
def test_foreign_content_survives_100_rounds(case: tuple[Client, Any, str, str, str, Any]) -> None:
    """Byte for byte where nobody else wrote, in meaning where somebody did."""
    round_trip(*case)


@pytest.mark.torture
@settings(max_examples=1000, suppress_health_check=list(HealthCheck))
@given(cases())
def test_foreign_content_survives_1000_rounds(case: tuple[Client, Any, str, str, str, Any]) -> None:
    """The same for as long as it is asked for."""
    round_trip(*case)
