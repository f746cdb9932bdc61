"""What a phase leaves: its result only where it succeeded, its own file where it wrote one."""

import json
import os

import pytest

from tests.commands import SCRIPTS, run_cli
from tests.workflow.project import SAY_WELL, Project, has_ended, orders, spawn

# The run ends where an agent fails: nobody is asked.
ALONE = ("--mode", "dangerous")


def test_what_a_phase_prints_becomes_its_output(project: Project) -> None:
    """With exit 0, in a folder that is made for it."""
    project.skill(orders(spawn("notes/a.md")))
    assert project.run().returncode == 0
    assert project.files()["notes/a.md"] == b"result of notes/a.md\n"


@pytest.mark.parametrize(
    ("does", "why"),
    [
        ("echo half; echo no network >&2; exit 7", "exit 7: no network"),
        ("echo half; kill -9 $$", "ended by signal 9"),
        ('echo half; respond failed "no sources"', "the agent said: no sources"),
        ('respond failed first; respond success "yet fine"', "the agent said: yet fine"),
        ("echo half; sleep 60", "ended after 1 s"),
        ('echo half > "ws/$out"; exit 1', "exit 1"),
        (f"{SAY_WELL}; echo half; sleep 60", "ended after 1 s"),
        (f"{SAY_WELL}; echo half; kill -9 $$", "ended by signal 9"),
    ],
)
def test_a_failed_phase_leaves_no_output(project: Project, does: str, why: str) -> None:
    """Not what it printed, and not what it wrote itself: no gate takes it for a result."""
    project.agent(does)
    project.skill(orders(spawn("a.md", timeout=1)))
    done = project.run(*ALONE)
    assert done.returncode == 3
    assert why in done.stderr
    assert "a.md" not in project.files()


def test_what_a_failed_phase_wrote_over_is_put_back(project: Project) -> None:
    """And what it wrote is kept beside, for people."""
    project.agent('echo half > "ws/$out"; exit 1')
    project.skill(orders(spawn("a.md")))
    (project.root / "ws").mkdir()
    (project.root / "ws" / "a.md").write_text("whole\n")
    project.run(*ALONE)
    assert project.files()["a.md"] == b"whole\n"
    assert (project.root / "ws/.workflow/actions/1.1/left").read_text() == "half\n"


def test_a_file_that_the_phase_wrote_itself_stays(project: Project) -> None:
    """What it printed goes to the journal."""
    project.agent('echo "by my own hand" > "ws/$out"; echo "I wrote it."')
    project.skill(orders(spawn("a.md")))
    assert project.run().returncode == 0
    assert project.files()["a.md"] == b"by my own hand\n"
    assert project.told("reported")[0]["response"] == "I wrote it.\n"


def test_an_output_of_before_is_replaced(project: Project) -> None:
    """A file that was there when the phase began is none that it wrote."""
    project.skill(orders(spawn("a.md")))
    (project.root / "ws").mkdir()
    (project.root / "ws" / "a.md").write_text("old\n")
    project.run()
    assert project.files()["a.md"] == b"result of a.md\n"


def test_success_that_was_said_counts_more_than_the_exit_code(project: Project) -> None:
    """`respond success` is the phase's completion call; its message is on the record."""
    project.agent('echo "as said"; respond success "Scout complete"; exit 1')
    project.skill(orders(spawn("a.md")))
    assert project.run().returncode == 0
    assert project.files()["a.md"] == b"as said\n"
    assert project.told("reported")[0]["detail"] == "Scout complete"


def test_a_phase_is_tried_as_often_as_it_may(project: Project) -> None:
    """The third attempt succeeds; each is on the record."""
    project.agent('[ "$(wc -l < runs)" -ge 3 ] && echo third || exit 1')
    project.skill(orders(spawn("a.md", attempts=3)))
    assert project.run().returncode == 0
    assert project.files()["a.md"] == b"third\n"
    assert [one["is_done"] for one in project.told("reported")] == [False, False, True]


def test_the_time_limit_ends_the_whole_group(project: Project) -> None:
    """A child that the agent has left in the background goes with it."""
    project.agent("(sleep 30; touch late) & echo $! > child; wait")
    project.skill(orders(spawn("a.md")))
    done = project.run(*ALONE, "--timeout", "1s")
    assert "ended after 1 s" in done.stderr
    assert has_ended(int((project.root / "child").read_text()))


def test_what_an_agent_leaves_in_the_background_ends_with_it(project: Project) -> None:
    """It would work beside the next phase, and write into this one's output."""
    project.agent("sleep 60 & echo $! > child; echo result")
    project.skill(orders(spawn("a.md")))
    assert project.run().returncode == 0
    assert has_ended(int((project.root / "child").read_text()))


def test_a_file_that_was_said_to_be_done_counts_though_its_agent_was_killed(
    project: Project,
) -> None:
    """What it would have printed yet is not its result."""
    project.agent(f'echo whole > "ws/$out"; {SAY_WELL}; kill -9 $$')
    project.skill(orders(spawn("a.md")))
    assert project.run(*ALONE).returncode == 0
    assert project.files()["a.md"] == b"whole\n"


@pytest.mark.parametrize("name", ["file/a.md", "x" * 300, "pipe"])
def test_an_output_that_cannot_be_written_ends_the_run_on_the_record(
    project: Project, name: str
) -> None:
    """The path is named, and the workflow's session does not go on working for ever."""
    project.skill(orders(spawn(name)))
    (project.root / "ws").mkdir()
    (project.root / "ws" / "file").touch()
    os.mkfifo(project.root / "ws" / "pipe")
    done = project.run()
    assert done.returncode == 1
    assert name in done.stderr
    assert project.told("concluded")[0]["ended"] == "failed"
    session = project.told("begun")[0]["session"]
    shown = json.loads(run_cli("gemba", "sessions", "show", session, "--json").stdout)
    assert shown["status"] == "stalled"


def test_an_agent_has_a_session_of_its_own_and_no_pane(project: Project) -> None:
    """What it asks is its own; what is typed into our pane does not reach it."""
    project.agent('echo "$GEMBA_SESSION_ID ${TMUX_PANE-none} $GEMBA_INTERACTION_MODE"')
    project.skill(orders(spawn("a.md"), spawn("b.md")))
    env = {"TMUX_PANE": "%7", "TMUX": "/nowhere,1,0", "GEMBA_SESSION_ID": "parent"}
    assert project.gemba("run", "probe", "ws", "--mode", "cautious", env=env).returncode == 0
    first, second = (project.files()[name].decode().split() for name in ("a.md", "b.md"))
    assert first[0] != second[0]
    assert first[0].startswith("scripted-")
    assert first[1:] == ["none", "cautious"]


@pytest.mark.parametrize("more", ["exit 0", "exit 1"])
def test_an_agents_session_ends_with_its_process(project: Project, more: str) -> None:
    """Nobody takes it for one that works on."""
    project.agent(f"{SCRIPTS / 'gemba-state'} working; {more}")
    project.skill(orders(spawn("a.md")))
    project.run(*ALONE)
    session = project.told("started")[0]["session"]
    shown = json.loads(run_cli("gemba", "sessions", "show", session, "--json").stdout)
    assert shown["status"] == "completed"


def test_a_prompt_may_go_into_an_argument(project: Project) -> None:
    """`{prompt}` in `one_shot` is the prompt; standard input is empty then."""
    project.agent("", "one_shot = ['-c', 'cat; printf %s \"$1\" | head -n 1', 'x', '{prompt}']")
    entry = project.root / ".gemba" / "agents.toml"
    entry.write_text(entry.read_text().replace(f', "{project.root}/agent.sh"', ""))
    project.skill(orders(spawn("a.md")))
    assert project.run().returncode == 0
    assert project.files()["a.md"] == b"Write a.md.\n"


def test_responding_outside_of_a_phase_is_refused(project: Project) -> None:
    """It says what it is for."""
    done = project.gemba("respond", "success", "x")
    assert done.returncode == 2
    assert "GEMBA_WORKFLOW_ACTION" in done.stderr


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ('command = "CLAUDE"\nargs = ["--allowedTools", "Bash"]', "-p --allowedTools Bash"),
        ('command = "CODEX"\nargs = ["--sandbox", "read-only"]', "exec --sandbox read-only"),
        ('command = "GEMINI"\nmodel = "fast"\npreamble = "Hello."', "--model fast"),
        ('command = "OTHER"\none_shot = "--once -"\nargs = ["-x"]', "--once - -x"),
        ('command = "OTHER"', ""),
    ],
)
def test_each_agent_is_run_in_its_own_way(project: Project, entry: str, words: str) -> None:
    """The prompt is its standard input; it is told nothing else."""
    for name in ("claude", "codex", "gemini", "other"):
        program = project.root / name
        program.write_text('#!/bin/sh\necho "$@"\nhead -n 1\n')
        program.chmod(0o755)
        entry = entry.replace(name.upper(), str(program))
    (project.root / ".gemba" / "agents.toml").write_text(f'[[agent]]\nname = "a"\n{entry}\n')
    project.skill(orders(spawn("a.md")))
    done = project.run()
    assert done.returncode == 0, done.stderr
    assert project.files()["a.md"].decode() == f"{words}\nWrite a.md.\n"


def test_a_prompt_that_is_too_long_for_an_argument_is_told(project: Project) -> None:
    """With what to do instead."""
    (project.root / "long.md").write_text("x" * 200_000)
    project.agent("", "one_shot = ['{prompt}']")
    project.skill(orders(spawn("a.md", context_files=["long.md"])))
    done = project.run()
    assert done.returncode == 1
    assert "leave {prompt} out of one_shot" in done.stderr


def test_a_prompt_that_no_argument_can_hold_is_told(project: Project) -> None:
    """A NUL ends an argument."""
    project.agent("", "one_shot = ['{prompt}']")
    project.skill(orders(spawn("a.md") | {"prompt": "a\0b"}))
    done = project.run()
    assert done.returncode == 1
    assert "leave {prompt} out of one_shot" in done.stderr


def test_an_agent_that_is_not_there_is_told_before_anything_begins(project: Project) -> None:
    """The workspace can be used once it is installed."""
    project.skill(orders(spawn("a.md")))
    agents = project.root / ".gemba" / "agents.toml"
    agents.write_text('[[agent]]\nname = "a"\nbinary = "no-such-program"\n')
    done = project.run()
    assert done.returncode == 1
    assert "no-such-program" in done.stderr
    assert not (project.root / "ws").exists()
