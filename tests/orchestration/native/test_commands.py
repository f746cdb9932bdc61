"""gemba sessions start, pause, resume, end, attach, and topology: the native adaptor, by hand."""

import json
import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.commands import SCRIPTS, environment, run_cli
from tests.inbox.scene import ask
from tests.orchestration.native.conftest import git
from tests.waiting import wait_until
from tests.web.served import serving

# It reports, leaves work behind, and then does what it is told by a file.
AGENT = """
gemba-state ready
echo "$GEMBA_PROMPT" > told
while [ ! -e stop ]; do sleep 0.05; done
exit $(cat stop)
"""


@pytest.fixture
def project(bwrap: None, repository: Path) -> Path:
    """A repository with one agent, which waits until it is told to stop."""
    (repository / ".gemba").mkdir()
    script = json.dumps(AGENT)
    (repository / ".gemba" / "agents.toml").write_text(
        f'[[agent]]\nname = "worker"\ncommand = ["bash", "-c", {script}]\n'
    )
    return repository


def gemba(project: Path, *args: str, code: int = 0) -> str:
    """What the command prints, run in the project."""
    done = run_cli("gemba", *args, cwd=project, env=_path(), timeout=60)
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout


def _path() -> dict[str, str]:
    return {"PATH": f"{SCRIPTS}:{os.environ['PATH']}"}


@contextmanager
def foreground(project: Path, *args: str) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """`gemba sessions start` as it is typed, and the id of its session, which is ready."""
    command = [str(SCRIPTS / "gemba"), "sessions", "start", *args]
    with subprocess.Popen(
        command,
        env=environment(_path()),
        cwd=project,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        try:
            assert process.stdout is not None
            id = process.stdout.readline().decode().strip()
            assert id, process.communicate()[1].decode()
            wait_until(lambda: session(project, id)["status"] == "ready", what="the agent")
            yield process, id
        finally:
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=60)


def session(project: Path, id: str) -> dict[str, object]:
    """The session as `show` tells it."""
    told: dict[str, object] = json.loads(gemba(project, "sessions", "show", id, "--json"))
    return told


def worktree(project: Path, id: str) -> Path:
    """Where it works."""
    observed = json.loads(gemba(project, "topology", "--json"))["observed"]
    [found] = [one["worktree_path"] for one in observed["workspaces"] if one["id"] == id]
    return Path(found)


def stop(folder: Path) -> None:
    """Have the agent there end well. All at once: it must not read an empty file."""
    (folder / "fresh").write_text("0")
    (folder / "fresh").rename(folder / "stop")


def test_a_session_runs_in_the_foreground_until_its_agent_ends(project: Path) -> None:
    """The command says how it ended; what was not committed is on its branch."""
    with foreground(project, "--prompt", "Do it.") as (process, id):
        folder = worktree(project, id)
        wait_until((folder / "told").exists, what="the prompt")
        assert "Do it." in (folder / "told").read_text()
        stop(folder)
        out, err = process.communicate(timeout=60)
        assert out.decode() == f"{id}: completed (provider_exit)\n"
        assert f"Its work: on gemba/{id}\n" in err.decode()
        assert process.returncode == 0
    assert not folder.exists()
    assert "told" in git(project, "ls-tree", "--name-only", f"gemba/{id}")


def test_an_agent_that_fails_by_itself_leaves_its_last_words(project: Path) -> None:
    """With its exit status, as the note of the session; the command fails with it."""
    (project / ".gemba" / "agents.toml").write_text(
        '[[agent]]\nname = "dies"\ncommand = ["bash", "-c", "echo no licence; exit 7"]\n'
    )
    done = run_cli("gemba", "sessions", "start", cwd=project, env=_path(), timeout=60)
    id, ended = done.stdout.splitlines()
    assert (done.returncode, ended) == (1, f"{id}: failed (provider_exit)")
    assert f"gemba: {id}: the session has failed: exit 7: no licence" in done.stderr
    assert (session(project, id)["status"], session(project, id)["note"]) == (
        *("failed", "exit 7: no licence"),
    )


def test_an_agent_that_cannot_begin_is_not_left_running(project: Path) -> None:
    """A detached start fails with it, and says why."""
    (project / ".gemba" / "agents.toml").write_text(
        '[[agent]]\nname = "dies"\ncommand = ["bash", "-c", "echo no licence; exit 7"]\n'
    )
    words = ("sessions", "start", "--detach")
    done = run_cli("gemba", *words, cwd=project, env=_path(), timeout=60)
    assert done.returncode == 1
    assert "the session has failed: exit 7: no licence" in done.stderr


def test_a_work_item_that_is_not_known_is_pointed_out(project: Path) -> None:
    """The session is started all the same, and has it."""
    (project / ".gemba" / "agents.toml").write_text(
        '[[agent]]\nname = "brief"\ncommand = ["bash", "-c", "exit 0"]\n'
    )
    words = ("sessions", "start", "--work", "w99", "--workspace", "none")
    done = run_cli("gemba", *words, cwd=project, env=_path(), timeout=60)
    assert (done.returncode, "gemba: --work w99: 'w99': no such" in done.stderr) == (0, True)
    assert session(project, done.stdout.splitlines()[0])["work_item_id"] == "w99"


def test_an_interrupt_ends_the_session_with_the_command(project: Path) -> None:
    """Nothing of it is left."""
    with foreground(project) as (process, id):
        folder = worktree(project, id)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
        assert process.returncode == 1
        assert f"Its work: on gemba/{id}\n" in err.decode()
        assert "interrupted" in err.decode()
    assert session(project, id)["close_reason"] == "user_stop"
    assert not folder.exists()


def test_another_terminal_pauses_resumes_and_ends_it(project: Path) -> None:
    """The command that started it leaves with the end."""
    with foreground(project) as (process, id):
        assert gemba(project, "sessions", "pause", id) == f"{id}: suspended\n"
        assert session(project, id)["status"] == "suspended"
        assert gemba(project, "sessions", "pause", id) == f"{id}: suspended; already paused\n"
        sent = run_cli("gemba", "sessions", "send", id, "Go on.")
        assert (sent.returncode, f"gemba sessions resume {id}" in sent.stderr) == (1, True)
        assert gemba(project, "sessions", "resume", id) == f"{id}: ready\n"
        assert gemba(project, "sessions", "resume", id) == f"{id}: ready; it was not paused\n"
        asked = ask("Need a key.", session=id, kind="blocker")
        assert gemba(project, "sessions", "resume", id) == (
            f"{id}: suspended; it was not paused; it waits for you ({asked[:8]})\n"
        )
        told = json.loads(gemba(project, "sessions", "end", id, "--mode", "failed", "--json"))
        assert (told["status"], told["close_reason"]) == ("failed", "user_stop")
        process.communicate(timeout=60)
    done = run_cli("gemba", "sessions", "end", id, cwd=project, env=_path(), timeout=60)
    assert done.stdout == f"{id}: failed (user_stop)\n"
    assert done.stderr == f"Its work: on gemba/{id}\n"
    gemba(project, "sessions", "pause", id, code=5)


def test_a_detached_session_outlives_the_command(project: Path) -> None:
    """A process of its own keeps it, and goes with it."""
    id = gemba(project, "sessions", "start", "--detach").strip()
    try:
        wait_until(lambda: session(project, id)["status"] == "ready", what="the agent")
        assert session(project, id)["kept"] is True
        stop(worktree(project, id))
        wait_until(lambda: session(project, id)["kept"] is False, what="its end")
        assert session(project, id)["close_reason"] == "provider_exit"
    finally:
        gemba(project, "sessions", "end", id)


def test_topology_shows_who_runs_and_what_is_not_declared(project: Path) -> None:
    """Exit 3 where what runs is not what is declared."""
    with foreground(project) as (_, id):
        page = gemba(project, "topology")
        assert [row.split() for row in page.splitlines()][1] == ["worker", "yes", id, "ready"]
        (project / ".gemba" / "agents.toml").write_text(
            '[[agent]]\nname = "other"\nbinary = "bash"\n'
        )
        assert "its agent worker is not declared" in gemba(project, "topology", code=3)
        (project / ".gemba" / "agents.toml").unlink()
        page = gemba(project, "topology")
        assert ["worker", "no", id, "ready"] in [row.split() for row in page.splitlines()]
        assert "Nothing is declared here" in page


def test_topology_marks_an_agent_whose_program_is_missing(project: Path) -> None:
    """It could not be started."""
    (project / ".gemba" / "agents.toml").write_text('[[agent]]\nname = "a"\nbinary = "no-such"\n')
    assert "program not found" in gemba(project, "topology")


@pytest.mark.parametrize(
    ("args", "code", "told"),
    [
        (("--agent", "nobody"), 4, "it has: worker"),
        (("--repository", "/nowhere"), 2, "/nowhere"),
        (("--workspace", "vm"), 2, "vm"),
    ],
)
def test_a_session_that_cannot_start_leaves_nothing(
    project: Path, args: tuple[str, ...], code: int, told: str
) -> None:
    """No reservation, no workspace; the message says what to do."""
    done = run_cli("gemba", "sessions", "start", *args, cwd=project, env=_path(), timeout=60)
    assert (done.returncode, told in done.stderr) == (code, True), done.stderr
    observed = json.loads(gemba(project, "topology", "--json"))["observed"]
    assert gemba(project, "sessions", "list", "--json") == "[]\n"
    assert observed["workspaces"] == []
    assert [one for one in observed["assignments"] if one["status"] == "pending"] == []


def test_a_session_without_a_plane_is_not_kept(project: Path) -> None:
    """Pause, resume and end are for those that Gemba runs."""
    run_cli("gemba-state", "ready", env={"GEMBA_SESSION_ID": "s1"})
    assert session(project, "s1")["kept"] is False
    for name in ("pause", "resume", "end"):
        gemba(project, "sessions", name, "s1", code=4)


def test_the_api_starts_a_session_that_its_server_owns(project: Path) -> None:
    """In a workspace of its own; it ends with the server."""
    with serving("--orchestration", "native", env=_path(), cwd=project) as running:
        answer = running.server.post(
            "orchestration/push_session", agent_id="worker", kind="worktree", prompt={"text": "Go."}
        )
        assert answer.status_code == 200, answer.text
        id = answer.json()["id"]
        wait_until(lambda: session(project, id)["status"] == "ready", what="the agent")
        assert running.end()[0] == 0
    assert session(project, id)["close_reason"] == "user_stop"
