"""Whether a pane may be typed into, asked of a real tmux."""

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from gemba_core.panes import PaneAddress, look
from gemba_core.processes import ancestry, is_alive
from tests.panes.conftest import PROGRAMS, Program, Start
from tests.tmux_server import Pane, TmuxServer
from tests.waiting import wait_until

INTERACTIVE_SHELL = ["bash", "--norc", "--noprofile", "-i"]


@pytest.fixture
def second_server() -> Iterator[TmuxServer]:
    """Another tmux server beside the test's own."""
    server = TmuxServer()
    try:
        yield server
    finally:
        server.close()


def no_agent(server: TmuxServer, pane: Pane) -> PaneAddress:
    return PaneAddress(str(server.socket), server.server_pid, pane.pane_id, None)


def below_a_shell(server: TmuxServer, record: Path) -> Program:
    """The line reader, started by hand from an interactive shell in a pane."""
    shell = server.new_pane([*INTERACTIVE_SHELL], {"PS1": "READY "})
    wait_until(lambda: "READY" in server.capture(shell), what="the shell's prompt")
    command = f"{sys.executable} {PROGRAMS / 'line_reader.py'} {record}"
    server.send_keys(shell, command, literal=True)
    server.send_keys(shell, "Enter")
    program = Program(server, shell, record)
    program.tells("ready")
    return program


def child_of(pid: int) -> tuple[int, int]:
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return ancestry(int(children[0]))[0]


def test_a_program_at_its_prompt_is_free(start: Start) -> None:
    """A living agent in the foreground of its own pane may be typed to."""
    seen = look(start("composer.py").address)
    assert (seen.verdict, seen.why, seen.prompt, seen.cursor) == ("free", "", "> ", (2, 0))


def test_a_look_holds_the_whole_screen(start: Start) -> None:
    """Size and rows of the pane are what tmux shows, with wide characters and blank rows."""
    program = start("line_reader.py", width=50, height=12)
    program.server.send_keys(program.pane, "日本 ; x", literal=True)
    wait_until(lambda: "x" in program.server.capture(program.pane), what="the typed text")
    seen = look(program.address)
    assert seen.size == (50, 12)
    assert seen.screen == ("? 日本 ; x", *[""] * 11)
    assert seen.prompt == "? 日本 ; x"


def test_a_pane_in_two_sessions_is_seen_once(start: Start) -> None:
    """tmux lists a shared pane for each of its sessions; the screen is read right all the same."""
    program = start("composer.py")
    session = program.server.run("display-message", "-p", "-t", program.pane.pane_id, "#S").strip()
    program.server.run("new-session", "-d", "-t", session)
    assert look(program.address).prompt == "> "


def test_copy_mode_is_held(start: Start) -> None:
    """Copy mode swallows keys: the pane is held, and the reason names it."""
    program = start("composer.py")
    program.server.run("copy-mode", "-t", program.pane.pane_id)
    seen = look(program.address)
    assert seen.verdict == "held"
    assert "copy mode" in seen.why


def test_a_pane_without_input_is_held(start: Start) -> None:
    """tmux drops a paste into a pane whose input is off without a word: the pane is held."""
    program = start("composer.py")
    program.server.run("select-pane", "-d", "-t", program.pane.pane_id)
    assert look(program.address).verdict == "held"


def test_a_suspended_agent_is_held(tmux: TmuxServer, tmp_path: Path) -> None:
    """After Ctrl-Z a shell reads what is typed, so the pane is held until the agent is back."""
    program = below_a_shell(tmux, tmp_path / "record.jsonl")
    address = replace(no_agent(tmux, program.pane), agent=child_of(program.pane.pid))
    assert look(address).verdict == "free"
    tmux.send_keys(program.pane, "C-z")
    wait_until(lambda: look(address).verdict == "held", what="the suspended agent")
    assert "suspended" in look(address).why


def test_a_shell_that_outlived_its_agent_is_failed(tmux: TmuxServer, tmp_path: Path) -> None:
    """The agent's end shows by its process, not by what the pane runs now."""
    program = below_a_shell(tmux, tmp_path / "record.jsonl")
    address = replace(no_agent(tmux, program.pane), agent=child_of(program.pane.pid))
    tmux.send_keys(program.pane, "C-d")
    wait_until(lambda: look(address).verdict == "failed", what="the end of the agent")
    assert "has ended" in look(address).why


def test_a_bare_shell_without_a_known_agent_is_failed(tmux: TmuxServer) -> None:
    """Nothing is ever typed into a shell's prompt."""
    seen = look(no_agent(tmux, tmux.new_pane(INTERACTIVE_SHELL)))
    assert seen.verdict == "failed"
    assert "shell" in seen.why


def test_a_shell_script_without_a_known_agent_is_free(tmux: TmuxServer, tmp_path: Path) -> None:
    """A script is no prompt that runs what is typed, whatever interprets it."""
    script = tmp_path / "agent.sh"
    script.write_text("echo started; while read -r line; do :; done\n")
    pane = tmux.new_pane(["bash", str(script)])
    wait_until(lambda: "started" in tmux.capture(pane), what="the script")
    assert look(no_agent(tmux, pane)).verdict == "free"


def test_an_agent_that_is_an_interactive_shell_is_failed(tmux: TmuxServer) -> None:
    """Where a person asked from a shell's prompt, the answer would be run as a command."""
    pane = tmux.new_pane(INTERACTIVE_SHELL)
    seen = look(replace(no_agent(tmux, pane), agent=ancestry(pane.pid)[0]))
    assert seen.verdict == "failed"
    assert "command" in seen.why


def test_a_dead_pane_is_failed(tmux: TmuxServer) -> None:
    """A pane that stayed after its program is not typed into."""
    tmux.run("set-option", "-g", "remain-on-exit", "on")
    pane = tmux.new_pane(["true"])
    dead = ("display-message", "-p", "-t", pane.pane_id, "#{pane_dead}")
    wait_until(lambda: tmux.run(*dead).strip() == "1", what="the dead pane")
    seen = look(no_agent(tmux, pane))
    assert (seen.verdict, seen.why) == ("failed", f"the program in pane {pane.pane_id} has ended")


def test_a_missing_pane_is_failed(start: Start) -> None:
    """tmux may answer for another pane; that answer is not taken."""
    program = start("composer.py")
    seen = look(replace(program.address, tmux_pane="%99"))
    assert (seen.verdict, seen.why) == ("failed", "the pane %99 is gone")


def test_the_same_pane_of_a_restarted_server_is_failed(start: Start, tmux: TmuxServer) -> None:
    """After a restart the first pane is %0 again, and not the one that asked."""
    address = start("composer.py").address
    server = ancestry(tmux.server_pid)[0]
    tmux.run("kill-server")
    wait_until(lambda: not is_alive(server), what="the end of the server")
    assert tmux.new_pane(["sleep", "1000"]).pane_id == address.tmux_pane
    seen = look(address)
    assert seen.verdict == "failed"
    assert "restarted" in seen.why


def test_the_same_pane_of_a_second_server_is_failed(
    start: Start, second_server: TmuxServer
) -> None:
    """An agent in another server's %0 does not make this server's %0 its pane."""
    program = start("composer.py")
    other = second_server.new_pane(["sleep", "1000"])
    assert other.pane_id == program.pane.pane_id
    seen = look(replace(program.address, agent=ancestry(other.pid)[0]))
    assert seen.verdict == "failed"
    assert "does not run in pane" in seen.why


def test_an_agent_whose_pid_was_given_away_is_failed(start: Start) -> None:
    """A process of the same pid with another start time is another process."""
    address = start("composer.py").address
    assert address.agent is not None
    pid, started = address.agent
    assert look(replace(address, agent=(pid, started - 1))).verdict == "failed"


def test_no_server_is_failed(tmp_path: Path) -> None:
    """A socket without a server is a clear verdict, and no server is started for it."""
    socket = tmp_path / "none"
    seen = look(PaneAddress(str(socket), 1, "%0", None))
    assert seen.verdict == "failed"
    assert "no tmux server" in seen.why
    assert not socket.exists()


def test_a_missing_tmux_is_failed(
    start: Start, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Without the program the verdict says so."""
    address = start("composer.py").address
    with monkeypatch.context() as patched:
        patched.setenv("PATH", str(tmp_path))
        seen = look(address)
    assert seen.verdict == "failed"
    assert "installed" in seen.why
