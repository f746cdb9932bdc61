"""gemba-bridge: any input becomes one frame, and no agent ever notices a failure."""

import fcntl
import hashlib
import json
import os
import stat
import subprocess
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from gemba_core.home import log_path
from tests.commands import SCRIPTS, environment, run_cli
from tests.inbox.scene import frames, log_bytes, shown

SESSION = {"GEMBA_SESSION_ID": "s1", "GEMBA_AGENT_TYPE": "claude"}
MIB = 1 << 20


def bridge(
    *args: str, input: str | bytes = "{}", env: dict[str, str] | None = None
) -> CompletedProcess[str]:
    """One hook call; it must end well and say nothing to the agent, whatever happened."""
    done = run_cli("gemba-bridge", *args, input=input, env={**SESSION, **(env or {})})
    assert (done.returncode, done.stdout) == (0, "")
    return done


def in_shell(redirection: str, env: dict[str, str]) -> CompletedProcess[str]:
    """A hook call with some of its streams closed."""
    script = f'exec "{SCRIPTS / "gemba-bridge"}" Stop {redirection}'
    done = subprocess.run(
        ["bash", "-c", script], env=environment(env), input="{}", capture_output=True, text=True
    )
    assert (done.returncode, done.stdout) == (0, "")
    return done


def test_an_object_is_kept_as_it_came() -> None:
    """The payload's own bytes, with line breaks between tokens made spaces."""
    bridge("PreToolUse", input='{"b": 1.50,\n "a":\t"x\\n\\u00fc ü"}\n')
    [line] = log_bytes().splitlines()
    assert b'"payload":{"b": 1.50,  "a":\t"x\\n\\u00fc \xc3\xbc"}' in line
    [frame] = frames()
    assert (frame["hook"], frame["session_id"], frame["agent_type"]) == (
        "PreToolUse",
        "s1",
        "claude",
    )
    assert list(frame) == ["ts", "session_id", "agent_type", "hook", "event_id", "payload"]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n\n",
        b"null",
        b"[1]",
        b'{"a": NaN}',
        b'{"a": 1e999}',
        b'{"a": "\\ud800"}',
        b'{"a": 1} trailing',
        b'{"a":' * 300 + b"1" + b"}" * 300,
        b"[" * 100_000,
        b"plain words \x00\x1b[2J",
        "ü\u2028".encode(),
    ],
)
@pytest.mark.parametrize("hook", ["PreToolUse", "PermissionRequest", "Stop"])
def test_what_is_no_plain_object_is_kept_as_text(hook: str, data: bytes) -> None:
    """One frame that a strict reader decodes, with nothing dropped."""
    assert bridge(hook, input=data).stderr == ""
    [frame] = frames()
    assert frame["payload_raw"].encode() == data
    assert "payload" not in frame


def test_bytes_that_are_no_text_can_be_restored() -> None:
    """They are kept as Latin-1, and the frame says so."""
    data = bytes(range(256))
    bridge("PostToolUse", input=data)
    [frame] = frames()
    assert frame["payload_raw"].encode("latin-1") == data
    assert frame["payload_raw_encoding"] == "latin-1"


def test_a_mebibyte_is_kept_whole() -> None:
    """The limit itself is within the limit."""
    data = json.dumps({"a": "x" * (MIB - 9)}).encode()
    assert len(data) == MIB
    bridge("PostToolUse", input=data)
    assert len(frames()[0]["payload"]["a"]) == MIB - 9


def test_longer_input_is_cut_and_marked() -> None:
    """Its beginning, its full length and its SHA-256."""
    data = b"0123456789abcdef" * (MIB // 16) + b"the rest" * 100_000
    bridge("PostToolUse", input=data)
    [frame] = frames()
    assert frame["payload_raw"].encode() == data[:MIB]
    assert frame["payload_cut"] is True
    assert frame["payload_length"] == len(data)
    assert frame["payload_sha256"] == hashlib.sha256(data).hexdigest()


@pytest.mark.parametrize(
    ("env", "args", "data", "hook"),
    [
        ("Environment", ("Argument",), '{"hook_event_name": "Input"}', "Environment"),
        ("", ("Argument",), '{"hook_event_name": "Input"}', "Argument"),
        ("", (), '{"hook_event_name": "Input"}', "Input"),
        ("", (), '{"hook_event_name": 7}', "unknown"),
        ("", (), "[]", "unknown"),
        ("", (), "no JSON", "unknown"),
    ],
)
def test_the_hook_is_named_by_environment_argument_or_input(
    env: str, args: tuple[str, ...], data: str, hook: str
) -> None:
    """In this order; else it is unknown, and kept all the same."""
    bridge(*args, input=data, env={"GEMBA_HOOK_EVENT": env})
    assert frames()[0]["hook"] == hook


def test_the_start_of_a_session_carries_its_processes_and_its_pane() -> None:
    """The caller comes first, then its ancestors: that tells a child agent from a new one."""
    env = {"TMUX": "/tmp/sock,77,0", "TMUX_PANE": "%3"}
    bridge("SessionStart", input='{"session_id": "c1", "source": "startup"}', env=env)
    [frame] = frames()
    assert [pid for pid, _ in frame["processes"][:2]] == [os.getpid(), os.getppid()]
    assert frame["reply_to"] == {
        "tmux_socket": "/tmp/sock",
        "tmux_server_pid": 77,
        "tmux_pane": "%3",
    }


def test_the_start_of_a_session_outside_tmux_has_no_pane() -> None:
    """There is no address to be had."""
    bridge("SessionStart")
    assert "reply_to" not in frames()[0]


def test_other_hooks_do_not_pay_for_processes() -> None:
    """Only the start of a session carries them."""
    bridge("PreToolUse", env={"TMUX": "/tmp/sock,77,0", "TMUX_PANE": "%3"})
    assert not {"processes", "reply_to"} & set(frames()[0])


def test_a_permission_request_is_in_the_inbox() -> None:
    """What the hook says is what the operator sees."""
    data = {"tool_name": "Bash", "tool_input": {"command": "rm -rf build"}}
    bridge("PermissionRequest", input=json.dumps(data))
    item = shown(frames()[0]["event_id"])
    assert (item.source, item.channel, item.urgency) == (
        "permission_prompt",
        "notification",
        "blocking",
    )
    assert "rm -rf build" in item.prompt


def test_standard_input_that_is_closed_breaks_no_agent() -> None:
    """There is nothing to record, and standard error says so."""
    assert "not recorded" in in_shell("<&-", SESSION).stderr


def test_closed_output_streams_break_no_agent() -> None:
    """It never writes to standard output, and can do without standard error."""
    in_shell(">&- 2>&-", SESSION)
    assert frames()[0]["hook"] == "Stop"


def test_a_reason_never_goes_to_standard_output() -> None:
    """Also where standard error is closed: agents take standard output for an answer."""
    in_shell("2>&-", {})


def test_without_a_session_the_reason_is_said() -> None:
    """Nothing is written anywhere."""
    done = bridge("Stop", env={"GEMBA_SESSION_ID": ""})
    assert "GEMBA_SESSION_ID" in done.stderr
    assert not Path(os.environ["GEMBA_HOME"]).exists()


def _home_is_a_file(home: Path) -> None:
    home.write_text("mine")


def _home_is_below_a_file(home: Path) -> None:
    home.symlink_to("/dev/null/nowhere")


def _log_is_a_folder(home: Path) -> None:
    Path(log_path("s1")).mkdir(parents=True)


def _log_is_a_link(home: Path) -> None:
    Path(log_path("s1")).parent.mkdir(parents=True)
    Path(log_path("s1")).symlink_to(home / "elsewhere")


@pytest.mark.parametrize(
    "spoil", [_home_is_a_file, _home_is_below_a_file, _log_is_a_folder, _log_is_a_link]
)
def test_where_nothing_can_be_written_no_agent_breaks(spoil: Callable[[Path], None]) -> None:
    """Exit 0, and one line of standard error names the place."""
    home = Path(os.environ["GEMBA_HOME"])
    spoil(home)
    said = bridge("Stop").stderr
    assert str(home) in said
    assert len(said.splitlines()) == 1
    assert not (home / "elsewhere").exists()


def test_a_lock_that_is_never_released_does_not_hang_an_agent() -> None:
    """After a second it appends without the lock, on a line of its own."""
    bridge("First")
    with open(log_path("s1"), "ab") as log:
        fcntl.flock(log, fcntl.LOCK_EX)
        log.write(b'{"torn":')
        log.flush()
        bridge("Second")
    assert [json.loads(line)["hook"] for line in log_bytes().splitlines()[::2]] == [
        "First",
        "Second",
    ]


@pytest.mark.parametrize(
    "session", ["a/b", "../../escape", "line\nbreak", "x" * 5000, ".", "ü\udcff", "tmux:%42"]
)
def test_any_session_id_has_its_log_and_is_kept_as_given(session: str) -> None:
    """The file's name is made safe; the frame carries the id, undecodable bytes shown escaped."""
    bridge("Stop", env={"GEMBA_SESSION_ID": session})
    [path] = (Path(os.environ["GEMBA_HOME"]) / "sessions").iterdir()
    [frame] = [json.loads(line) for line in path.read_bytes().splitlines()]
    assert frame["session_id"] == session.replace("\udcff", "\\xff")
    assert Path(log_path(frame["session_id"])) == path


def test_the_log_is_private() -> None:
    """0600 in 0700, also where a careless hand had opened it to others."""
    bridge("Stop")
    path = Path(log_path("s1"))
    path.chmod(0o644)
    bridge("Stop")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_help_is_for_people() -> None:
    """The only thing that ever stands on standard output."""
    done = run_cli("gemba-bridge", "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert "Example:" in done.stdout
