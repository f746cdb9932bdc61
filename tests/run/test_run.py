"""`gemba run`, with a real process, a real terminal and the log."""

import json
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gemba_core import home
from tests.commands import SCRIPTS, run_cli
from tests.tmux_server import TmuxServer
from tests.waiting import wait_until

# An agent that says what it was started with, and asks.
AGENT = """#!/bin/sh
{ pwd; for word in "$@"; do echo "arg=$word"; done; env; } > "$0.tmp"
mv "$0.tmp" "$0.out"
exec cat
"""


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A folder with two agents, of which `codex` is a program of ours."""
    program = tmp_path / "bin" / "codex"
    program.parent.mkdir()
    program.write_text(AGENT)
    program.chmod(0o755)
    folder = tmp_path / "work"
    (folder / ".gemba").mkdir(parents=True)
    (folder / ".gemba" / "agents.toml").write_text(
        f'[[agent]]\nname = "one"\nbinary = "{program}"\npreamble = "Begin;"\n'
        f'interaction_mode = "cautious"\n[[agent]]\nname = "two"\nbinary = "{program}"\n'
    )
    return folder


def reported(workspace: Path) -> dict[str, str]:
    """The environment that the agent saw, its folder as `pwd` and its words as `args`."""
    path = workspace.parent / "bin" / "codex.out"
    wait_until(path.exists, what="the agent's report")
    folder, *lines = path.read_text().splitlines()
    words = [line.removeprefix("arg=") for line in lines if line.startswith("arg=")]
    seen = dict(line.partition("=")[::2] for line in lines if not line.startswith("arg="))
    return {**seen, "pwd": folder, "args": " ".join(words)}


def frames(session_id: str) -> list[dict[str, Any]]:
    """The session's log."""
    return [json.loads(line) for line in Path(home.log_path(session_id)).read_text().splitlines()]


def test_the_agent_takes_the_commands_place(workspace: Path) -> None:
    """Its input, output and exit code are those of the call; its environment says who it is."""
    done = run_cli("gemba", "run", "--agent", "one", "--", "-x", cwd=workspace, input="hello")
    assert (done.returncode, done.stdout) == (0, "hello")
    seen = reported(workspace)
    assert seen["args"] == "-x -- Begin;"
    assert seen["GEMBA_SESSION_ID"].startswith("one-")
    assert (seen["GEMBA_AGENT_TYPE"], seen["GEMBA_INTERACTION_MODE"]) == ("codex", "cautious")
    assert seen["GEMBA_HOME"] == home.home()
    assert f"session {seen['GEMBA_SESSION_ID']} (cautious)" in done.stderr


def test_the_start_prompt_answers_no_question(workspace: Path) -> None:
    """It is announced in the log, so the client's report of it closes nothing."""
    run_cli("gemba", "run", "--agent", "one", cwd=workspace)
    session = reported(workspace)["GEMBA_SESSION_ID"]
    env = {"GEMBA_SESSION_ID": session, "GEMBA_AGENT_TYPE": "codex"}
    run_cli("gemba-ask", *["--kind", "question", "--role", "coach", "--text", "Which?"], env=env)
    for prompt in ("Begin;", "Blue."):
        hook = json.dumps({"session_id": "c", "turn_id": prompt, "prompt": prompt})
        run_cli("gemba-bridge", "UserPromptSubmit", env=env, input=hook)
        if prompt == "Begin;":
            listed = run_cli("gemba", "escalations", "list", "--json")
            assert [one["state"] for one in json.loads(listed.stdout)] == ["open"]
    listed = run_cli("gemba", "escalations", "list", "--all", "--json")
    assert [one["resolution"]["value"] for one in json.loads(listed.stdout)] == ["Blue."]


def test_a_work_item_goes_before_everything(workspace: Path) -> None:
    """`--bead` is on the record before the agent starts."""
    run_cli("gemba", "run", "--agent", "two", "--bead", "gm-7", cwd=workspace)
    session = reported(workspace)["GEMBA_SESSION_ID"]
    shown = run_cli("gemba", "sessions", "show", session, "--json")
    told = json.loads(shown.stdout)
    assert (told["status"], told["work_item_id"]) == ("initializing", "gm-7")


@pytest.mark.parametrize(
    ("args", "code", "what"),
    [
        ([], 2, "which agent? give --agent with one of one, two"),
        (["--agent", "three"], 2, "no agent is named 'three'"),
        (["--agent", "one", "--mode", "wild"], 2, "wild"),
    ],
)
def test_a_wrong_call_is_told(workspace: Path, args: list[str], code: int, what: str) -> None:
    """Before anything is started or recorded."""
    done = run_cli("gemba", "run", *args, cwd=workspace)
    assert done.returncode == code
    assert what in done.stderr
    assert not Path(home.sessions_dir()).exists()


def test_without_a_workspace_it_says_what_to_do(tmp_path: Path) -> None:
    """`gemba init` makes one; exit 1, for the call was right."""
    done = run_cli("gemba", "run", cwd=tmp_path)
    assert done.returncode == 1
    assert "gemba init" in done.stderr


def test_an_invalid_file_is_told_with_all_its_problems(workspace: Path) -> None:
    """One line each, exit 1."""
    path = workspace / ".gemba" / "agents.toml"
    path.write_text('[[agent]]\nname = "a"\n[[agent]]\nbinary = "b"\n')
    done = run_cli("gemba", "run", cwd=workspace)
    assert done.returncode == 1
    assert f"{path}:1: no program" in done.stderr
    assert f"{path}:3: name is missing" in done.stderr


def test_in_tmux_it_gets_a_pane_of_its_own(workspace: Path, tmux: TmuxServer) -> None:
    """Beside the caller's pane, with the new pane as its return address, in the same folder."""
    mine = tmux.new_pane(["cat"])
    env = tmux.environment(mine)
    done = run_cli(
        *("gemba", "run", "--agent", "one", "--tmux", "--", "-a b;"), cwd=workspace, env=env
    )
    assert done.returncode == 0, done.stderr
    session = done.stdout.splitlines()[0]
    seen = reported(workspace)
    assert seen["GEMBA_SESSION_ID"] == session
    assert seen["TMUX_PANE"] != mine.pane_id
    assert f"pane {seen['TMUX_PANE']}." in done.stdout
    assert (seen["pwd"], seen["args"]) == (str(workspace), "-a b; -- Begin;")
    assert seen["GEMBA_HOME"] == home.home()
    assert [frame["hook"] for frame in frames(session)] == ["GembaEcho"]


def test_where_no_pane_fits_it_gets_a_window(workspace: Path, tmux: TmuxServer) -> None:
    """A pane of two lines cannot be split."""
    mine = tmux.new_pane(["cat"], height=2)
    done = run_cli(
        *("gemba", "run", "--agent", "two", "--tmux"), cwd=workspace, env=tmux.environment(mine)
    )
    assert done.returncode == 0, done.stderr
    assert reported(workspace)["TMUX_PANE"] != mine.pane_id
    assert len(tmux.run("list-windows", "-a").splitlines()) == 2


@pytest.fixture
def own_sockets() -> Iterator[Path]:
    """The folder of tmux's default socket, for this test alone."""
    if shutil.which("tmux") is None:
        pytest.skip("tmux is not installed")
    folder = Path(tempfile.mkdtemp(prefix="gemba-tmux-", dir="/tmp"))
    yield folder
    subprocess.run(
        ["tmux", "kill-server"],
        env={"TMUX_TMPDIR": str(folder), "PATH": "/usr/local/bin:/usr/bin:/bin"},
        capture_output=True,
        check=False,
    )
    shutil.rmtree(folder)


def test_outside_tmux_it_gets_a_session_to_attach_to(workspace: Path, own_sockets: Path) -> None:
    """Detached; the printed command names it as tmux does."""
    path = workspace / ".gemba" / "agents.toml"
    path.write_text(path.read_text().replace('"two"', '"t.w.o"'))
    sockets = {"TMUX_TMPDIR": str(own_sockets)}
    done = run_cli("gemba", "run", "--agent", "t.w.o", "--tmux", cwd=workspace, env=sockets)
    assert done.returncode == 0, done.stderr
    assert reported(workspace)["GEMBA_SESSION_ID"] == done.stdout.splitlines()[0]
    target = done.stdout.rpartition("-t ")[2].strip()
    shell = f"TMUX_TMPDIR={own_sockets} tmux has-session -t {target}"
    assert subprocess.run(["sh", "-c", shell], capture_output=True, check=False).returncode == 0


def test_without_tmux_it_says_so(workspace: Path, tmp_path: Path) -> None:
    """Nothing was started."""
    path = tmp_path / "empty"
    path.mkdir()
    (path / "python3").symlink_to(SCRIPTS / "python3")
    env = {"PATH": str(path)}
    done = run_cli("gemba", "run", "--agent", "two", "--tmux", cwd=workspace, env=env)
    assert done.returncode == 1
    assert "is it installed?" in done.stderr
