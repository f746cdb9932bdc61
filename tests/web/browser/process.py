"""`gemba serve` as a process of its own, which can be killed and started again."""

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.commands import SCRIPTS, environment

TOKEN = "t" * 40


@contextmanager
def serving(port: int, token_file: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The process and its link, once it listens on that port (0: any); killed at the end."""
    token_file.touch(0o600)
    token_file.write_text(TOKEN)
    command = [str(SCRIPTS / "gemba"), "serve", "--json", "--as", "anna", "--port", str(port)]
    with subprocess.Popen(
        [*command, "--token-file", str(token_file)],
        env=environment(),
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            yield process, json.loads(process.stdout.readline())["link"]
        finally:
            process.kill()
