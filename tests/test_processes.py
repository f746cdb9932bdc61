"""Processes, told apart by pid and start time, and who called whom."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from gemba_core import processes
from tests.tmux_server import TmuxServer
from tests.waiting import wait_until

pytestmark = pytest.mark.skipif(
    not os.path.exists("/proc/self/stat"), reason="processes are read from /proc"
)

REPORT = """
import json, os, sys
from gemba_core.processes import caller_ancestry
text = json.dumps([os.getpid(), os.getppid(), caller_ancestry()])
with open(sys.argv[1], "w") as file:
    file.write(text + "\\n")
"""


@contextmanager
def running(argv: Sequence[str]) -> Iterator[subprocess.Popen[bytes]]:
    """A child process, gone afterwards."""
    child = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        yield child
    finally:
        child.kill()
        child.communicate()


def reported(path: Path) -> tuple[int, int, list[tuple[int, int]]]:
    """What REPORT wrote: its pid, its parent's pid, and the ancestry of its caller."""
    wait_until(lambda: path.exists() and path.read_text().endswith("\n"), what="the report")
    pid, parent, chain = json.loads(path.read_text())
    return pid, parent, [(pid, started) for pid, started in chain]


@pytest.fixture
def report(tmp_path: Path) -> tuple[str, Path]:
    """A shell command that reports who called it, and where it does so."""
    script, path = tmp_path / "report.py", tmp_path / "report.json"
    script.write_text(f"import sys\nsys.path.insert(0, {os.getcwd()!r})\n{REPORT}")
    return f"{sys.executable} {script} {path}", path


def test_ancestry_begins_with_the_process_itself() -> None:
    """The nearest comes first: the process, then its parent."""
    chain = processes.ancestry(os.getpid())
    assert [pid for pid, _ in chain[:2]] == [os.getpid(), os.getppid()]


def test_ancestry_of_no_process_is_empty() -> None:
    """A pid that is not in use has no ancestry."""
    with running(["true"]) as child:
        child.wait()
    assert processes.ancestry(child.pid) == []


def test_a_name_with_spaces_and_parentheses_is_read_right(tmp_path: Path) -> None:
    """The kernel puts the command's name in the middle of the fields, unescaped."""
    program = tmp_path / "a ) S 1 (b"
    program.symlink_to("/bin/sleep")
    with running([str(program), "1000"]) as child:
        comm = Path(f"/proc/{child.pid}/comm")
        wait_until(lambda: ")" in comm.read_text(), what="the new name")
        assert [pid for pid, _ in processes.ancestry(child.pid)[:2]] == [child.pid, os.getpid()]


def test_a_shell_that_only_passes_a_command_on_is_not_the_caller(report: tuple[str, Path]) -> None:
    """`sh -c` between agent and call is skipped, however many there are."""
    command, path = report
    subprocess.run(["bash", "-lc", f"sh -c '{command}; true'; true"], check=True)
    assert reported(path)[2][0] == processes.ancestry(os.getpid())[0]


def test_a_shell_that_runs_a_script_is_the_caller(report: tuple[str, Path], tmp_path: Path) -> None:
    """An agent may be a shell script."""
    command, path = report
    script = tmp_path / "agent.sh"
    script.write_text(f"{command}\ntrue\n")
    subprocess.run(["bash", "-e", str(script), "-c"], check=True)
    _, parent, chain = reported(path)
    assert chain[0][0] == parent
    assert chain[1] == processes.ancestry(os.getpid())[0]


def test_a_shell_that_somebody_types_into_is_the_caller(
    report: tuple[str, Path], tmux: TmuxServer
) -> None:
    """An interactive shell is kept, and told by `is_interactive_shell`."""
    command, path = report
    pane = tmux.new_pane(["bash", "--norc", "--noprofile", "-i"], {"PS1": "READY "})
    wait_until(lambda: "READY" in tmux.capture(pane), what="the shell's prompt")
    tmux.send_keys(pane, command, literal=True)
    tmux.send_keys(pane, "Enter")
    assert reported(path)[2][0][0] == pane.pid
    assert processes.is_interactive_shell(pane.pid)


@pytest.mark.parametrize(
    "argv",
    [
        ["sh", "-c", "read line; true"],
        ["bash", "-o", "pipefail", "-ec", "read line; true"],
        ["bash", "/dev/stdin"],
        ["cat"],
    ],
)
def test_what_runs_a_command_or_a_script_is_no_interactive_shell(argv: list[str]) -> None:
    """Only a shell without script and command is interactive."""
    with running(argv) as child:
        name = Path(f"/proc/{child.pid}/comm")
        wait_until(lambda: name.read_text().strip() == argv[0], what="the program's start")
        assert not processes.is_interactive_shell(child.pid)


@pytest.mark.parametrize(
    "argv", [["bash"], ["sh", "-i"], ["bash", "--rcfile", "/dev/null"], ["bash", "-o", "vi"]]
)
def test_a_shell_without_script_and_command_is_interactive(argv: list[str]) -> None:
    """Options alone, with or without a word of their own, make no script."""
    with running(argv) as child:
        name = Path(f"/proc/{child.pid}/comm")
        wait_until(lambda: name.read_text().strip() == argv[0], what="the program's start")
        assert processes.is_interactive_shell(child.pid)


def test_a_process_is_alive_until_it_ends() -> None:
    """One that has ended is not alive, even while its parent has not asked how it ended."""
    with running(["cat"]) as child:
        process = processes.ancestry(child.pid)[0]
        assert processes.is_alive(process)
        child.kill()
        wait_until(lambda: not processes.is_alive(process), what="the end of the child")


def test_another_process_of_the_same_pid_is_not_the_one_that_was_alive() -> None:
    """The start time tells them apart."""
    pid, started = processes.ancestry(os.getpid())[0]
    assert not processes.is_alive((pid, started - 1))
    assert not processes.is_below((pid, started - 1), pid)


def test_a_process_is_below_itself_and_its_ancestors_only() -> None:
    """The tree is followed upwards from the process."""
    with running(["cat"]) as child:
        process = processes.ancestry(child.pid)[0]
        assert processes.is_below(process, child.pid)
        assert processes.is_below(process, os.getpid())
        assert not processes.is_below(processes.ancestry(os.getpid())[0], child.pid)


def test_foreground_is_the_group_that_its_terminal_reads_for(tmux: TmuxServer) -> None:
    """A job in the background does not get what is typed; the shell in front does."""
    pane = tmux.new_pane(["bash", "--norc", "--noprofile", "-i"], {"PS1": "READY "})
    wait_until(lambda: "READY" in tmux.capture(pane), what="the shell's prompt")
    tmux.send_keys(pane, "sleep 1000 &", literal=True)
    tmux.send_keys(pane, "Enter")
    children = Path(f"/proc/{pane.pid}/task/{pane.pid}/children")
    child = int(wait_until(lambda: children.read_text().split(), what="the job")[0])
    wait_until(
        lambda: not processes.is_in_foreground(processes.ancestry(child)[0]), what="its own group"
    )
    wait_until(
        lambda: processes.is_in_foreground(processes.ancestry(pane.pid)[0]), what="the shell"
    )
    assert processes.foreground_leader(child) == pane.pid


def test_a_process_without_a_terminal_is_in_the_foreground() -> None:
    """Where nothing is known of a terminal, nothing speaks against typing."""
    child = subprocess.Popen(["cat"], stdin=subprocess.PIPE, start_new_session=True)
    try:
        process = processes.ancestry(child.pid)[0]
        assert processes.is_in_foreground(process)
        assert processes.foreground_leader(child.pid) is None
    finally:
        child.kill()
        child.communicate()


def test_without_proc_nothing_is_known_and_nothing_raises(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each question has its documented answer on a system without /proc."""
    monkeypatch.setattr(processes, "_read", lambda path: b"")
    assert processes.ancestry(os.getpid()) == []
    assert processes.caller_ancestry() == []
    assert not processes.is_interactive_shell(os.getpid())
    assert not processes.is_alive((os.getpid(), 1))
    assert not processes.is_below((os.getpid(), 1), os.getpid())
    assert processes.is_in_foreground((os.getpid(), 1))
    assert processes.foreground_leader(os.getpid()) is None


def test_it_imports_os_alone() -> None:
    """Small hook binaries pay for nothing else at every tool call."""
    program = "import os, sys; before = set(sys.modules); import gemba_core.processes; "
    program += "print(sorted(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.strip() == "['gemba_core', 'gemba_core.processes']"


def test_a_process_has_a_parent_until_it_has_ended() -> None:
    """One that waits to be collected has none any more."""
    assert processes.parent(os.getpid()) == os.getppid()
    with subprocess.Popen(["true"]) as ended:
        wait_until(lambda: processes.parent(ended.pid) is None, what="its end")


def test_the_environment_is_that_of_the_start() -> None:
    """Of a process that is gone it is empty."""
    with subprocess.Popen(["sleep", "100"], env={"A": "1", "PATH": os.environ["PATH"]}) as child:
        wait_until(lambda: b"A=1" in processes.environment(child.pid), what="its environment")
        child.kill()
    assert processes.environment(child.pid) == []
