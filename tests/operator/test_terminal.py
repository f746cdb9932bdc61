"""What only a terminal shows: inert text of agents, the editor, completion, help."""

import os
import pty
import subprocess
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path

import pytest

from gemba_core.frame.line import encode, members_of, new_event_id
from gemba_core.home import log_path, wait_lock_path
from gemba_core.lifelock import LifeLock
from gemba_core.log import append
from tests.commands import SCRIPTS, environment, run_cli
from tests.inbox.scene import ask, frames, hook, resolution, shown
from tests.operator.desk import escalations, gemba

EVIL = "\x1b]0;owned\x07\x1b[2J\x9b31m[bold red]x[/bold red][/]\r\x08"


def on_terminal(
    args: Sequence[str],
    env: Mapping[str, str] | None = None,
    reader: Callable[[bytes], None] = lambda sent: None,
) -> tuple[int, str]:
    """Run gemba on a terminal of its own; its exit code and everything that it sent there.

    `reader` sees after each piece what was sent so far.
    """
    mine, theirs = pty.openpty()
    with open(mine, "rb", buffering=0) as terminal:
        child = subprocess.Popen(
            [str(SCRIPTS / "gemba"), *args],
            env=environment({"TERM": "xterm-256color", "NO_COLOR": "1", **(env or {})}),
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
        )
        os.close(theirs)
        sent = b""
        try:
            while more := terminal.read(65536):
                sent += more
                reader(sent)
        except OSError:
            pass  # how Linux says that the other end is closed
    return child.wait(timeout=30), sent.decode("utf-8", "replace")


def evil_frame(hook: str, payload: dict[str, object], event_id: str | None = None) -> str:
    """A frame whose every free word tries to command the terminal."""
    line = encode(
        hook,
        members_of(payload),
        session_id=f"s{EVIL}",
        agent_type=EVIL,
        event_id=event_id or new_event_id(),
        ts="2026-11-21T10:00:00Z",
    )
    append(log_path(f"s{EVIL}"), line)
    return str(frames(session=f"s{EVIL}")[-1]["event_id"])


@pytest.fixture
def evil() -> tuple[str, str]:
    """An open and an answered escalation, and every other frame that is shown somewhere."""
    question: dict[str, object] = {"kind": "question", "role": "coach", "text": f"t{EVIL}\n{EVIL}"}
    asked = question | {
        "title": f"T{EVIL}",
        "bead_id": EVIL,
        "on_expiry": EVIL,
        "deadline": "2030-01-01T00:00:00Z",
        "options": [{"value": EVIL, "label": EVIL}],
    }
    open_one = evil_frame("GembaAsk", asked)
    answered = evil_frame("GembaAsk", asked)
    canceled = evil_frame("GembaAsk", question)
    evil_frame(
        "GembaResolve",
        {
            "escalation_ids": [answered],
            "resolution_id": EVIL,
            "kind": "modify",
            "value": EVIL + "v",
            "resolved_by": EVIL,
            "nonce": "n",
            "via": EVIL,
        },
    )
    delivery = {"resolution_id": EVIL, "attempt": 1, "status": "held", "by": EVIL, "detail": EVIL}
    evil_frame("GembaDelivery", dict(delivery))
    evil_frame("GembaDelivery", delivery | {"resolution_id": "none"}, event_id=EVIL)
    evil_frame("GembaCancel", {"escalation_id": canceled, "by": EVIL, "reason": EVIL})
    evil_frame("GembaState", {"state": "ready", "note": EVIL})
    evil_frame("GembaSession", {"close_reason": EVIL})
    evil_frame(f"Gemba{EVIL}", {"x": EVIL})
    evil_frame("PermissionRequest", {"tool_name": EVIL, "tool_input": {"command": EVIL}})
    return open_one, answered


@pytest.mark.parametrize(
    "args",
    [
        "escalations list",
        "escalations list --all",
        "escalations show {open}",
        "escalations show {answered}",
        "escalations respond {answered} x",
        "escalations respond {open} x",
        "sessions list",
        "sessions show {session}",
        "log show {session}",
        "log verify",
        "index status",
        "deliver",
    ],
)
def test_what_agents_write_cannot_command_the_terminal(evil: tuple[str, str], args: str) -> None:
    """Control characters never get through; markup is shown as it was written."""
    words = {"{open}": evil[0], "{answered}": evil[1], "{session}": f"s{EVIL}"}
    code, sent = on_terminal([words.get(arg, arg) for arg in args.split()])
    assert sent
    assert code in (0, 1, 5)
    assert "Traceback" not in sent
    # What the table's own styles send.
    own = sent.replace("\x1b[1m", "").replace("\x1b[2m", "").replace("\x1b[0m", "")
    assert not {"\x1b", "\x07", "\x9b", "\x08"} & set(own)
    assert "\r" not in own.replace("\r\n", "")


TURNING = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c"


@pytest.mark.parametrize(
    "args",
    ["escalations list", "escalations show {id}", "sessions list", "log show s1", "log verify"],
)
def test_what_agents_write_cannot_be_turned_around(args: str) -> None:
    """Marks of direction are left out where text is shown, and only there."""
    item = ask(f"rm {TURNING} -rf", title=f"ls {TURNING} -l", kind="blocker")
    hook("GembaState", state="ready", note=f"n{TURNING}")
    hook(f"Gemba{TURNING}", x=TURNING)
    page = gemba(*args.replace("{id}", item).split()).stdout
    assert page
    assert not set(TURNING) & set(page)
    assert shown(item).prompt == f"rm {TURNING} -rf"


def test_markup_is_shown_as_it_was_written() -> None:
    """Square brackets are the agent's own words."""
    item = ask("[bold]is [this] it?[/bold] [/]", title="[red]T[/red] :smile:")
    page = escalations("show", item).stdout
    assert "[bold]is [this] it?[/bold] [/]" in page
    assert "[red]T[/red] :smile:" in page
    assert "[red]T[/red] :smile:" in escalations("list", env={"COLUMNS": "160"}).stdout


def editor(tmp_path: Path, script: str) -> dict[str, str]:
    """An editor that does what the shell script says to the file `$1`."""
    path = tmp_path / "editor"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return {"EDITOR": str(path)}


def test_without_a_text_the_answer_is_written_in_the_editor(tmp_path: Path) -> None:
    """The question stands there; what is written below it is the answer."""
    item = ask("Which\ncolour?")
    seen = tmp_path / "seen"
    env = editor(tmp_path, f'cp "$1" {seen}; printf "deep\\nblue\\n" >> "$1"')
    code, sent = on_terminal(["escalations", "respond", item], env)
    assert (code, f"answered: {item}" in sent) == (0, True)
    assert "# Which\n# colour?\n" in seen.read_text()
    assert (resolution(item).value or "").strip() == "deep\nblue"


def test_a_command_that_needs_leave_stands_in_the_editor_line_by_line(tmp_path: Path) -> None:
    """As it is shown elsewhere, and not as JSON."""
    item = hook("PermissionRequest", tool_name="Bash", tool_input={"command": "ls\npwd"})
    seen = tmp_path / "seen"
    on_terminal(["escalations", "respond", item], editor(tmp_path, f'cp "$1" {seen}'))
    assert "# command:\n#   ls\n#   pwd\n" in seen.read_text()


@pytest.mark.parametrize(
    "script",
    [
        'printf "deep blue\\n" > "$1"',
        'printf "# Which\\ndeep blue\\n" > "$1"',
        'printf "deep blue\\n" | cat - "$1" > "$1.new"; mv "$1.new" "$1"',
    ],
)
def test_a_text_that_stands_elsewhere_in_the_buffer_is_an_answer_too(
    tmp_path: Path, script: str
) -> None:
    """The whole buffer replaced, or the text written above: only the question is left out."""
    item = ask("Which\ncolour?")
    code, _ = on_terminal(["escalations", "respond", item], editor(tmp_path, script))
    assert (code, (resolution(item).value or "").strip()) == (0, "deep blue")


def test_a_text_that_comes_too_late_is_shown_again(tmp_path: Path) -> None:
    """Somebody else was first: what was written in the editor is not lost."""
    item = ask()
    script = f'"{SCRIPTS / "gemba"}" escalations cancel {item}; printf "deep blue\\n" >> "$1"'
    code, sent = on_terminal(["escalations", "respond", item], editor(tmp_path, script))
    assert (code, "deep blue" in sent) == (5, True)


def test_an_editor_that_is_not_there_is_told(tmp_path: Path) -> None:
    """With the variable that names another one."""
    env = {"EDITOR": str(tmp_path / "nosuch")}
    code, sent = on_terminal(["escalations", "respond", ask()], env)
    assert (code, sent.startswith("gemba: ")) == (1, True)
    assert "set EDITOR" in sent


@pytest.mark.parametrize("script", ["true", 'printf "  \\n" >> "$1"', ': > "$1"'])
def test_nothing_written_in_the_editor_answers_nothing(tmp_path: Path, script: str) -> None:
    """Left as it is, blank or emptied: exit 2."""
    item = ask()
    code, sent = on_terminal(["escalations", "respond", item], editor(tmp_path, script))
    assert (code, "nothing was written" in sent) == (2, True)
    assert shown(item).state == "open"


def test_an_editor_that_fails_answers_nothing(tmp_path: Path) -> None:
    """And there is no traceback."""
    item = ask()
    code, sent = on_terminal(["escalations", "respond", item], editor(tmp_path, "exit 3"))
    assert (code, "Traceback" in sent) == (1, False)
    assert shown(item).state == "open"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_has_its_completion(shell: str) -> None:
    """A script that asks gemba itself."""
    done = gemba("completion", shell)
    assert done.returncode == 0
    assert "_GEMBA_COMPLETE" in done.stdout


def test_the_script_for_bash_is_one() -> None:
    """Bash can read it, and completes commands with it."""
    done = gemba("completion", "bash")
    subprocess.run(["bash", "-n"], input=done.stdout, text=True, check=True)


@pytest.mark.parametrize(
    ("words", "position", "expected"),
    [
        ("gemba esc", "1", {"escalations"}),
        ("gemba escalations re", "2", {"respond", "reopen", "redeliver"}),
        ("gemba escalations list --ur", "3", {"--urgency"}),
        ("gemba escalations list --urgency ", "4", {"blocking", "advisory"}),
    ],
)
def test_commands_and_options_are_completed(words: str, position: str, expected: set[str]) -> None:
    """As the shell's script asks for them."""
    assert expected <= completions(words, position)


@pytest.mark.parametrize("command", ["show", "respond", "approve"])
def test_ids_of_open_escalations_are_completed(command: str) -> None:
    """What is typed so far chooses among them."""
    item = ask()
    assert completions(f"gemba escalations {command} {item[:3]}", "3") == {item}


def completions(words: str, position: str) -> set[str]:
    """What bash is offered."""
    env = {"_GEMBA_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": position}
    return {row.split(",")[1] for row in gemba(env=env).stdout.splitlines()}


@pytest.mark.parametrize("script", ["gemba", "gemba-ask", "gemba-state"])
def test_each_command_tells_its_version(script: str) -> None:
    """The one that is installed."""
    done = run_cli(script, "--version")
    assert done.returncode == 0
    assert version("gemba-toolkit") in done.stdout


@pytest.mark.parametrize("args", [("escalate",), ("escalations", "answer"), ("--loud",)])
def test_a_command_that_does_not_exist_is_exit_2(args: tuple[str, ...]) -> None:
    """And it is named."""
    done = gemba(*args)
    assert (done.returncode, done.stdout) == (2, "")
    assert args[-1] in done.stderr


@pytest.mark.parametrize(
    ("args", "meant"),
    [(("escalation",), "escalations"), (("escalations", "responde"), "respond")],
)
def test_a_mistyped_command_is_told_what_was_meant(args: tuple[str, ...], meant: str) -> None:
    """The nearest name that there is."""
    said = gemba(*args).stderr.partition("Did you mean")[2]
    assert f"'{meant}'" in said


@pytest.mark.parametrize(
    "words",
    [
        ("gemba",),
        ("gemba", "escalations", "list"),
        ("gemba-ask",),
        ("gemba-state",),
        ("gemba-bridge",),
    ],
    ids=" ".join,
)
def test_h_is_help(words: tuple[str, ...]) -> None:
    """The same as --help."""
    short, long = (run_cli(*words, option) for option in ("-h", "--help"))
    assert (short.returncode, short.stdout) == (0, long.stdout)
    assert long.stdout


@pytest.mark.parametrize("args", [("list", "--json"), ("list", "--all")])
@pytest.mark.parametrize("redirection", ["| head -c 1 >/dev/null", ">&-"])
def test_a_reader_that_left_early_is_no_error(args: tuple[str, ...], redirection: str) -> None:
    """No traceback, no complaint of the interpreter."""
    # More than a pipe holds.
    for _ in range(300):
        ask("x" * 1000)
    script = f'"{SCRIPTS / "gemba"}" escalations "$@" {redirection}'
    command = ["bash", "-c", script, "-", *args]
    done = subprocess.run(command, env=environment(), capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_person_is_told_what_a_long_delivery_waits_for() -> None:
    """And that nothing is lost by not waiting for it."""
    item = ask()
    lock = LifeLock(wait_lock_path("s1", item))
    assert lock.take()

    def reader(sent: bytes) -> None:
        if b"recorded; waiting for its agent" in sent:
            lock.release()

    code, sent = on_terminal(["escalations", "respond", item, "blue"], reader=reader)
    assert code == 0
    assert "Ctrl-C: don't wait" in sent
    assert "held: no pane to type into" in sent
