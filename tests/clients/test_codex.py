"""The tests' own client: nothing of it outlives its test."""

import subprocess

from tests.clients.codex import Codex
from tests.waiting import wait_until


def test_what_the_client_leaves_behind_is_ended(codex: Codex) -> None:
    """A service that it started for itself, in a session of its own."""
    with subprocess.Popen(
        ["sleep", "600"], env={"CODEX_HOME": str(codex.home)}, start_new_session=True
    ) as service:
        try:
            assert service.poll() is None
            codex.close()
            assert wait_until(lambda: service.poll() is not None, what="its end")
        finally:
            service.kill()
