"""The real Codex CLI in a folder of its own, with Gemba's hooks, against a scripted model."""

import json
import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from gemba_core.journal import Journal
from gemba_core.translator import SessionState
from gemba_core.translator.state import Escalation, oldest_first
from tests.clients.model import Model
from tests.commands import SCRIPTS, environment, run_cli
from tests.tmux_server import Pane, TmuxServer
from tests.waiting import wait_until

# Read when the tests are collected: the fixtures take every GEMBA_ variable away.
_GIVEN = os.environ.get("GEMBA_TEST_CODEX")
_OURS = Path(__file__).parents[2] / ".clients" / "node_modules" / ".bin" / "codex"

VETTED = "--dangerously-bypass-hook-trust"
FREE = "--dangerously-bypass-approvals-and-sandbox"
ON_REQUEST = ("--ask-for-approval", "on-request", "--sandbox", "workspace-write")

# Now and then one of several that start at once takes none of its turns; another start does.
_REFUSED = "Failed to start turn"
_STARTS = 3

_CONFIG = """\
model = "scripted"
model_provider = "scripted"

[model_providers.scripted]
name = "scripted"
base_url = "{url}"
wire_api = "responses"
env_key = "SCRIPTED_KEY"

[analytics]
enabled = false

[tui]
screen_reader_detection_done = true

[projects."{folder}"]
trust_level = "trusted"

# The tests' own folders are below these, which the sandbox leaves open.
[sandbox_workspace_write]
exclude_slash_tmp = true
exclude_tmpdir_env_var = true
"""


def find() -> str | None:
    """The installed client: on the PATH, else GEMBA_TEST_CODEX, else what `make clients` put."""
    return shutil.which("codex") or shutil.which(_GIVEN or "") or shutil.which(str(_OURS))


def asking(text: str = "Blue or green?", *, wait: str | None = None) -> str:
    """The command by which an agent asks; with `wait`, how long it waits for the answer."""
    waiting = f" --wait --timeout {wait}" if wait else ""
    return f"{SCRIPTS}/gemba-ask --kind question --role coach --text '{text}'{waiting}"


class Codex:
    """The client, its home and its work folder; what the session's log says of it."""

    def __init__(
        self,
        program: str,
        folder: Path,
        model: Model,
        *,
        hooks: bool = True,
        session: str = "s",
    ) -> None:
        self.program = program
        self.session = session
        self.folder = folder
        self.model = model
        self.home = folder.parent / f"{folder.name}-codex"
        self._temporary = folder.parent / f"{folder.name}-tmp"
        for path in (folder, self.home, self._temporary):
            path.mkdir()
        subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
        (self.home / "config.toml").write_text(_CONFIG.format(url=model.url, folder=folder))
        done = run_cli(
            *("gemba", "install-bridge", "--agent", "codex", "--scope", "user"),
            env={"CODEX_HOME": str(self.home)},
            cwd=folder,
        )
        assert done.returncode == 0, done.stderr
        if not hooks:
            # What else was installed stays: its sandbox must let it write the log.
            (self.home / "hooks.json").unlink()

    @property
    def environment(self) -> dict[str, str]:
        """What the client is started with, beside the test's own environment."""
        return {
            "CODEX_HOME": str(self.home),
            "SCRIPTED_KEY": "x",
            # It makes no helper programs in a home below the temporary folder, and then its sandbox
            # runs nothing.
            "TMPDIR": str(self._temporary),
            "GEMBA_SESSION_ID": self.session,
            "GEMBA_AGENT_TYPE": "codex",
            "GEMBA_INTERACTION_MODE": "balanced",
        }

    @contextmanager
    def exec(self, *options: str, prompt: str = "go") -> Iterator[subprocess.Popen[str]]:
        """One turn without a terminal, while the block runs; gone after it."""
        argv = [self.program, "exec", VETTED, "--skip-git-repo-check", *options, prompt]
        process = subprocess.Popen(
            argv,
            cwd=self.folder,
            env=environment(self.environment),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            # The client starts others: they are ended by their group.
            start_new_session=True,
        )
        try:
            yield process
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
            process.communicate()

    def in_pane(self, tmux: TmuxServer, *options: str) -> Pane:
        """The interactive client in a pane, with a first prompt that has reached its model."""
        argv = [self.program, VETTED, "--cd", str(self.folder), *options, "go"]
        for _ in range(_STARTS):
            pane = tmux.new_pane(argv, self.environment)
            if self._has_begun(tmux, pane):
                return pane
            tmux.run("kill-pane", "-t", pane.pane_id)
        raise AssertionError(_REFUSED)

    def _has_begun(self, tmux: TmuxServer, pane: Pane) -> bool:
        def told() -> bool:
            return bool(self.model.requests) or _REFUSED in tmux.capture(pane)

        wait_until(told, timeout=30, what="the first request")
        return bool(self.model.requests)

    def close(self) -> None:
        """End what it started and left behind: some of its services outlive their client."""
        wait_until(self._is_alone, what="the end of what the client has left")

    def _is_alone(self) -> bool:
        """Whether nothing is left; what is, is killed. One that just began may show up late."""
        left = self._left()
        for pid in left:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        return not left

    def _left(self) -> list[int]:
        """The processes of its home, by their environment or their arguments."""
        home = os.fsencode(self.home)
        return [
            int(process.name)
            for process in Path("/proc").glob("[0-9]*")
            if home in _read(process / "environ") + _read(process / "cmdline")
        ]

    def permit_from_inbox(self, patience: float = 60) -> None:
        """Have permissions decided in the inbox, as the workspace says."""
        (self.folder / ".gemba").mkdir()
        (self.folder / ".gemba" / "agents.toml").write_text(
            '[[agent]]\nname = "codex"\nbinary = "codex"\npermissions = "inbox"\n'
            f"permission_timeout = {patience}\n"
        )

    def state(self) -> SessionState:
        """The session, by its log."""
        with Journal(self.session) as journal:
            journal.advance()
            return journal.state

    def asked(self, number: int = 1) -> Escalation:
        """The session's open escalation of that number, as soon as it is there."""

        def found() -> Escalation | None:
            items: list[Escalation] = oldest_first(self.state().open)
            return next((item for item in items if item.number == number), None)

        item = wait_until(found, timeout=30, what=f"escalation {number}")
        assert item is not None
        return item

    def closed(self, id: str) -> Escalation:
        """The escalation, as soon as it is settled."""
        item = wait_until(lambda: self.state().closed.get(id), timeout=30, what=f"the end of {id}")
        assert item is not None
        return item

    def held(self) -> None:
        """Wait until an answer is held for later."""
        wait_until(lambda: self.delivery() == "held", what="an answer to be held")

    def delivery(self) -> str | None:
        """The status of the answer that the agent does not have yet."""
        return next((one.status for one in oldest_first(self.state().answers)), None)

    def until(self, status: str) -> None:
        """Wait until the session has that status."""
        wait_until(lambda: self.state().status == status, timeout=30, what=f"status {status}")


def _read(path: Path) -> bytes:
    """What stands there; nothing, of a process that has ended or is another user's."""
    try:
        return path.read_bytes()
    except OSError:
        return b""


def answer(id: str, text: str) -> None:
    """The operator answers, and waits as long as the command does."""
    with answering(id, text):
        pass


@contextmanager
def answering(id: str, text: str) -> Iterator[None]:
    """The operator's command runs while the block does, and must then end well."""
    argv = [str(SCRIPTS / "gemba"), "escalations", "respond", id, "-"]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as process:
        assert process.stdin is not None
        process.stdin.write(text.encode())
        process.stdin.close()
        try:
            yield
        except BaseException:
            process.kill()
            raise
        assert process.wait(30) == 0


def delivery_of(id: str) -> dict[str, object]:
    """How the answer to that escalation fared, as an operator's program is told."""
    done = run_cli("gemba", "escalations", "show", id, "--json")
    assert done.returncode == 0, done.stderr
    delivery = json.loads(done.stdout)["delivery"]
    assert isinstance(delivery, dict), done.stdout
    return delivery
