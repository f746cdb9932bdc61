"""The real Codex CLI with a model that is a script on loopback."""

import os
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from tests.clients import model
from tests.clients.codex import find as find

_CONFIG = """\
# mine
model = "scripted"
model_provider = "scripted"

[model_providers.scripted]
name = "scripted"
base_url = "{url}"
wire_api = "responses"
env_key = "SCRIPTED_KEY" # any

[analytics]
enabled = false
"""


@contextmanager
def scripted_model(*commands: str) -> Iterator[str]:
    """A model that has these shell commands run, one in each answer, then says `Done.`

    Yields the client's configuration for it.
    """
    with closing(model.Model(*map(model.run, commands))) as scripted:
        yield _CONFIG.format(url=scripted.url)


def run(
    argv: Sequence[str], folder: Path, env: Mapping[str, str]
) -> subprocess.CompletedProcess[str]:
    """Run the client (or what starts it) to its end, without a terminal and without input."""
    return subprocess.run(
        argv,
        cwd=folder,
        # In a home below the temporary folder it makes no helper programs, which its sandbox needs.
        env={**os.environ, "SCRIPTED_KEY": "x", "TMPDIR": str(folder), **env},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=90,
        check=False,
    )
