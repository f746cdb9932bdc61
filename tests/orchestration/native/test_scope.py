"""What a program in a workspace can reach: by trying."""

import os
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from gemba_core import home
from gemba_core.agents import Agent
from gemba_core.launch import compose
from gemba_core.log import record
from gemba_core.orchestration.error import AdaptorError, ErrorKind
from gemba_core.orchestration.native import bubblewrap, view, workspaces
from gemba_core.orchestration.native.manifest import manifest
from gemba_core.orchestration.workspace import WorkspaceKind, WorkspaceRequest
from tests.orchestration.native.conftest import Acquire, RunIn, git
from tests.tmux_server import TmuxServer
from tests.waiting import wait_until


@pytest.fixture
def elsewhere() -> Iterator[Path]:
    """A folder that is not below /tmp, where everything is hidden anyway."""
    with TemporaryDirectory(dir=Path(__file__).parent) as folder:
        yield Path(folder)


KINDS = [WorkspaceKind.WORKTREE, WorkspaceKind.SUBPROCESS]


@pytest.mark.parametrize("kind", KINDS)
def test_its_own_folder_is_writable(acquire: Acquire, run_in: RunIn, kind: WorkspaceKind) -> None:
    """A program begins in its workspace and writes there."""
    workspace = acquire(kind=kind)

    done = run_in(workspace, "pwd && echo here > mine")

    assert done.stdout.strip() == workspace.worktree_path
    assert Path(str(workspace.worktree_path), "mine").read_text() == "here\n"


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_outside_can_be_written(
    acquire: Acquire, run_in: RunIn, tmp_path: Path, kind: WorkspaceKind
) -> None:
    """Neither the system, nor a folder of everybody's, nor the repository's own files change."""
    workspace = acquire(kind=kind)
    outside = tmp_path / "outside"
    outside.mkdir()
    places = (outside, "/etc", "/usr", "/var/lib", "/var/tmp", "/dev/shm", tmp_path / "repository")

    for place in places:
        run_in(workspace, f"mkdir -p {place}; echo x > {place}/gemba-was-here")

        assert not Path(place, "gemba-was-here").exists()


@pytest.mark.parametrize("kind", KINDS)
def test_another_workspace_is_not_there(
    acquire: Acquire, run_in: RunIn, kind: WorkspaceKind
) -> None:
    """A workspace neither sees nor changes another one, nor Gemba's own files."""
    one, other = acquire("a1", kind), acquire("a2", kind)
    Path(str(other.worktree_path), "secret").write_text("42")

    done = run_in(one, f"cat {other.worktree_path}/secret; echo x > {other.worktree_path}/g")
    gemba = run_in(one, f"find {home.home()} -name '*a2*' -o -name record.json -o -name '*.db'")

    assert done.returncode != 0
    assert "42" not in done.stdout
    assert not Path(str(other.worktree_path), "g").exists()
    assert gemba.stdout == ""


def test_another_sessions_log_is_not_there(
    acquire: Acquire, run_in: RunIn, elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another session's log is neither read nor written."""
    monkeypatch.setenv("GEMBA_HOME", str(elsewhere / "gemba"))
    record("a2", "GembaState", {"state": "ready", "note": "a secret"})
    before = Path(home.log_path("a2")).read_bytes()

    done = run_in(acquire(), f"cat {home.log_path('a2')}; echo x >> {home.log_path('a2')}")

    assert "a secret" not in done.stdout
    assert Path(home.log_path("a2")).read_bytes() == before


def test_the_persons_files_are_hidden(
    acquire: Acquire, run_in: RunIn, elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the home folder nothing is seen but what the agent needs; what it writes there is lost."""
    monkeypatch.setenv("HOME", str(elsewhere))
    user = elsewhere
    (user / ".ssh").mkdir()
    (user / ".ssh" / "id_ed25519").write_text("a private key")
    (user / ".gitconfig").write_text("[user]\n\tname = Someone\n")

    done = run_in(acquire(), f"cat {user}/.ssh/*; git config user.name; echo x > {user}/new")

    assert "private" not in done.stdout
    assert not (user / "new").exists()
    assert set(os.listdir(user)) == {".ssh", ".gitconfig"}


def test_the_clients_state_is_there_and_its_settings_are_fixed(
    acquire: Acquire, run_in: RunIn
) -> None:
    """A client keeps its state, but cannot change a hook that would run outside."""
    folder = Path.home() / ".codex"
    folder.mkdir()
    (folder / "config.toml").write_text("# mine\n")
    script = f"echo s > {folder}/state; echo x > {folder}/config.toml; mv {folder}/state {folder}/b"

    run_in(acquire(), script, agent="codex")

    assert (folder / "b").read_text() == "s\n"
    assert (folder / "config.toml").read_text() == "# mine\n"


def test_agents_toml_names_more(acquire: Acquire, run_in: RunIn) -> None:
    """`readable` and `writable` bring back folders of the person's."""
    notes, cache = Path.home() / "notes", Path.home() / "cache"
    for one in (notes, cache):
        one.mkdir()
    (notes / "n").write_text("a note")
    keys = {"readable": ["~/notes"], "writable": ["~/cache"]}

    done = run_in(acquire(), "cat ~/notes/n; echo c > ~/cache/c; echo x > ~/notes/n", **keys)

    assert "a note" in done.stdout
    assert (cache / "c").read_text() == "c\n"
    assert (notes / "n").read_text() == "a note"


def test_gembas_folder_is_not_brought_back(acquire: Acquire, run_in: RunIn) -> None:
    """An agent that names Gemba's own folder is refused: every session's log would be there."""
    with pytest.raises(AdaptorError) as refused:
        run_in(acquire(), "true", writable=[f"{home.home()}/sessions"])

    assert refused.value.kind is ErrorKind.VALIDATION


def test_gembas_folder_stays_hidden_below_a_folder_that_is_shown(
    acquire: Acquire, run_in: RunIn, tmp_path: Path
) -> None:
    """Naming the folder around it does not show other sessions' logs."""
    record("a2", "GembaState", {"state": "ready"})

    done = run_in(acquire(), f"ls {tmp_path}; ls {home.sessions_dir()}", writable=[str(tmp_path)])

    assert "repository" in done.stdout
    assert "a2.jsonl" not in done.stdout


def test_tmux_is_out_of_reach(acquire: Acquire, run_in: RunIn, tmux: TmuxServer) -> None:
    """A program cannot type into the operator's panes: neither by its variables nor by a path."""
    tmux.new_pane(["sleep", "60"])

    done = run_in(acquire(), f"echo [$TMUX$TMUX_PANE]; tmux -S {tmux.socket} list-panes -a")

    assert done.stdout == "[]\n"
    assert done.returncode != 0


def test_a_socket_that_is_named_is_out_of_reach(bwrap: None, elsewhere: Path) -> None:
    """The folder of another server's socket, wherever it lies, is empty inside."""
    path = elsewhere / "s"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(os.path.relpath(path))  # a socket's full path may not be long

        words = bubblewrap.wrapped(
            ["ls", str(elsewhere)], folder="/", mounts=view.hides([str(path)])
        )
        done = subprocess.run(words, capture_output=True, check=True, timeout=30)

    assert done.stdout == b""


def test_processes_outside_are_not_seen(acquire: Acquire, run_in: RunIn) -> None:
    """It has a process table of its own: nobody else can be signalled or traced."""
    done = run_in(acquire(), "ls /proc")

    assert max(int(name) for name in done.stdout.split() if name.isdigit()) < 8


def test_it_runs_in_a_pane_and_ends_with_it(acquire: Acquire, tmux: TmuxServer) -> None:
    """As a pane's own program it has the terminal, and nothing of it outlives the pane."""
    workspace = acquire()
    script = "trap '' HUP; test -t 0 && echo there; sleep 123.75 & sleep 123.75"
    agent = Agent.model_validate({"name": "a", "command": ["sh", "-c", script]})
    launch = compose(agent, os.environ, session_id="a1")
    words = workspaces.wrap(workspace, launch, agent, sockets=[str(tmux.socket)])
    pane = tmux.new_pane(words)
    wait_until(lambda: "there" in tmux.capture(pane), what="the program in the pane")
    wait_until(lambda: len(_running("123.75")) == 2, what="its processes")

    tmux.run("kill-pane", "-t", pane.pane_id)

    wait_until(lambda: not _running("123.75"), what="the end of all its processes")


def test_no_privilege_is_left(acquire: Acquire, run_in: RunIn) -> None:
    """Also where root runs it, it can mount nothing and keeps no capability."""
    done = run_in(acquire(), "grep CapEff /proc/self/status; umount /tmp || mount -o remount,rw /")

    assert done.returncode != 0
    assert done.stdout.split()[1].strip("0") == ""


def test_without_bubblewrap_nothing_is_offered(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where it is not installed no kind is on offer, the reason is said, and acquire is refused."""
    monkeypatch.setenv("PATH", "/nowhere")
    bubblewrap.unavailable.cache_clear()
    try:
        request = WorkspaceRequest(assignment_id="a1", repository=str(repository))
        with pytest.raises(AdaptorError, match="not installed") as refused:
            manifest().chosen_kind(request)
        assert refused.value.kind is ErrorKind.UNSUPPORTED
        assert manifest().workspace_kinds == ()
    finally:
        bubblewrap.unavailable.cache_clear()


def test_git_is_seen_but_not_changed_from_a_worktree(
    acquire: Acquire, run_in: RunIn, repository: Path
) -> None:
    """Hooks, settings, refs and objects of the repository stay as they are, whatever git does."""
    kept = _files(repository / ".git")
    script = """
        common=$(git rev-parse --git-common-dir)
        echo 'touch /tmp/x' > $common/hooks/post-checkout
        git config core.fsmonitor evil; git config core.hooksPath /tmp
        git branch -D other; git update-ref refs/heads/main $(git hash-object -w /etc/hostname)
        rm -rf $common/objects/* $common/refs/* $common/base-objects/*
    """

    run_in(acquire(), script)

    now = _files(repository / ".git")
    assert {name: now.get(name) for name in kept} == kept
    assert git(repository, "fsck", "--no-dangling") == ""


def _files(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def _running(word: str) -> list[str]:
    """The processes whose program is `sleep WORD`."""
    wanted = f"sleep\0{word}\0".encode()
    return [
        path.parent.name for path in Path("/proc").glob("[0-9]*/cmdline") if _read(path) == wanted
    ]


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""  # it has ended
