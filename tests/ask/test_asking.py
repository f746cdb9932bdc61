"""gemba-ask without --wait: one frame, the id, and what now follows."""

import json
import os
import stat
import subprocess
from pathlib import Path

import pytest

from tests.ask.agent import QUESTION, SESSION, gemba_ask
from tests.commands import SCRIPTS, environment, run_cli
from tests.inbox.scene import frames, payloads, shown


@pytest.mark.parametrize(
    ("args", "kind", "role", "text", "urgency"),
    [
        (
            'gemba-ask --kind question --role coach --text "Default to test key or fail hard?"',
            "question",
            "coach",
            "Default to test key or fail hard?",
            "advisory",
        ),
        (
            "gemba-ask --kind blocker --role manager "
            '--text "Need STRIPE_SECRET_KEY to finish webhook path."',
            "blocker",
            "manager",
            "Need STRIPE_SECRET_KEY to finish webhook path.",
            "blocking",
        ),
        (
            'gemba-ask --kind question --role manager --text "…"',
            "question",
            "manager",
            "…",
            "advisory",
        ),
        (
            "gemba-ask --kind blocker --role manager \\\n--bead gm-7 \\\n"
            '--text "<one-line description of the conflict>"',
            "blocker",
            "manager",
            "<one-line description of the conflict>",
            "blocking",
        ),
    ],
)
def test_the_commands_of_the_contract_work_as_they_stand_there(
    args: str, kind: str, role: str, text: str, urgency: str
) -> None:
    """Each command line of the skill authoring contract opens the escalation that it describes."""
    env = environment({**SESSION, "PATH": f"{SCRIPTS}:{os.environ['PATH']}"})
    done = subprocess.run(["bash", "-c", args], env=env, capture_output=True, text=True, check=True)
    item = shown(done.stdout.splitlines()[0])
    assert (item.source, item.role, item.prompt, item.urgency) == (kind, role, text, urgency)
    assert (item.channel, item.state, item.session_id) == ("tool_call", "open", "s1")


def test_the_id_is_printed_alone_on_the_first_line() -> None:
    """An agent reads the id with `head -1`."""
    first = gemba_ask(*QUESTION).stdout.splitlines()[0]
    assert first == frames("GembaAsk")[0]["event_id"]


@pytest.mark.parametrize(
    ("mode", "kind", "advice"),
    [
        ("balanced", "question", "Keep working with your best guess"),
        ("balanced", "blocker", "Call `gemba-state prompting` and wait"),
        ("cautious", "question", "Call `gemba-state prompting` and wait"),
        ("cautious", "blocker", "Call `gemba-state prompting` and wait"),
    ],
)
def test_the_second_line_says_what_follows_from_the_mode(mode: str, kind: str, advice: str) -> None:
    """The stack decides by kind and mode, and tells the agent."""
    env = {"GEMBA_INTERACTION_MODE": mode}
    done = gemba_ask("--kind", kind, "--role", "manager", "--text", "x", env=env)
    assert done.returncode == 0
    assert advice in done.stdout.splitlines()[1]


def test_every_option_reaches_the_operator() -> None:
    """Title, work item, options with and without label, and the key."""
    done = gemba_ask(
        *QUESTION,
        *("--title", "Colour", "--bead", "gm-12", "--key", "colour"),
        *("--option", "blue=Deep blue", "--option", "green", "--option", "a=b=c"),
    )
    item = shown(done.stdout.splitlines()[0])
    assert (item.title, item.work_item_id) == ("Colour", "gm-12")
    assert item.options == [
        {"value": "blue", "label": "Deep blue"},
        {"value": "green", "label": "green"},
        {"value": "a", "label": "b=c"},
    ]
    assert payloads("GembaAsk")[0]["key"] == "colour"


def test_without_a_title_the_first_line_of_the_text_is_the_title() -> None:
    """A long text needs no headline of its own."""
    done = gemba_ask("--kind", "question", "--role", "coach", "--text", "\n  One?\nTwo.")
    item = shown(done.stdout.splitlines()[0])
    assert (item.title, item.prompt) == ("One?", "\n  One?\nTwo.")


def test_the_text_may_come_from_standard_input() -> None:
    """`--text -` takes it whole, line breaks and all."""
    done = gemba_ask("--kind", "question", "--role", "coach", "--text", "-", input="one\ntwo ü\n")
    assert shown(done.stdout.splitlines()[0]).prompt == "one\ntwo ü\n"


def test_the_text_may_come_from_a_file(tmp_path: Path) -> None:
    """`--text-file` takes it whole; bytes that are not UTF-8 are shown as such."""
    file = tmp_path / "question.md"
    file.write_bytes(b"one\ntwo \xff")
    done = gemba_ask("--kind", "question", "--role", "coach", "--text-file", str(file))
    assert shown(done.stdout.splitlines()[0]).prompt == "one\ntwo �"


def test_a_text_that_begins_with_a_dash_is_a_text() -> None:
    """Only a lone dash means standard input."""
    done = gemba_ask("--kind", "question", "--role", "coach", "--text", "-x or -y?")
    assert shown(done.stdout.splitlines()[0]).prompt == "-x or -y?"


def test_json_says_the_same_as_one_object() -> None:
    """For programs: id, session, urgency, state and what follows."""
    told = json.loads(gemba_ask(*QUESTION, "--json").stdout)
    assert told.pop("next").startswith("Keep working")
    assert told == {
        "id": frames("GembaAsk")[0]["event_id"],
        "session_id": "s1",
        "urgency": "advisory",
        "state": "open",
        "asked_again": False,
    }


def test_asking_again_with_the_key_is_the_same_escalation() -> None:
    """The first id is printed again, and the second one is an alias that commands accept."""
    first = gemba_ask(*QUESTION, "--key", "k").stdout.splitlines()[0]
    again = gemba_ask(*QUESTION, "--key", "k")
    assert again.stdout.splitlines()[0] == first
    assert "Asked again" in again.stdout
    alias = frames("GembaAsk")[1]["event_id"]
    assert alias != first
    done = run_cli("gemba", "escalations", "show", alias, "--json")
    told = json.loads(done.stdout)
    assert (told["id"], told["asked_count"]) == (first, 2)


def test_another_key_or_none_is_another_escalation() -> None:
    """Equal texts alone are never folded."""
    asked = [gemba_ask(*QUESTION, *key) for key in (["--key", "k"], ["--key", "l"], [], [])]
    assert len({done.stdout.splitlines()[0] for done in asked}) == 4


def test_in_a_pane_the_answer_comes_as_a_prompt_and_knows_where_to() -> None:
    """TMUX and TMUX_PANE make the return address; the caller is the agent in it."""
    server = os.getppid()
    env = {"TMUX": f"/tmp/sock,{server},0", "TMUX_PANE": "%3"}
    done = gemba_ask(*QUESTION, env=env)
    assert "comes as a prompt" in done.stdout
    address = payloads("GembaAsk")[0]["reply_to"]
    agent = address.pop("agent")
    assert address == {"tmux_socket": "/tmp/sock", "tmux_server_pid": server, "tmux_pane": "%3"}
    assert agent[0] == os.getpid()


def test_where_the_pane_is_not_among_its_ancestors_the_caller_is_not_named() -> None:
    """In a sandbox with process ids of its own, the caller's means another process outside."""
    gemba_ask(*QUESTION, env={"TMUX": "/tmp/sock,4194305,0", "TMUX_PANE": "%3"})
    assert "agent" not in payloads("GembaAsk")[0]["reply_to"]


def test_without_a_session_id_the_pane_is_the_session() -> None:
    """A plain tmux pane needs no set-up."""
    env = {"GEMBA_SESSION_ID": "", "TMUX": "/tmp/sock,77,0", "TMUX_PANE": "%3"}
    done = gemba_ask(*QUESTION, env=env)
    assert shown(done.stdout.splitlines()[0]).session_id == "tmux:%3"


def test_the_workspace_names_the_mode_of_the_agent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a mode in the environment, `.gemba/agents.toml` of a parent folder tells it."""
    (tmp_path / ".gemba").mkdir()
    (tmp_path / ".gemba" / "agents.toml").write_text(
        '[[agent]]\nname = "bob"\ninteraction_mode = "cautious"\n'
    )
    (tmp_path / "below").mkdir()
    monkeypatch.chdir(tmp_path / "below")
    env = {"GEMBA_INTERACTION_MODE": "", "GEMBA_AGENT_TYPE": "bob"}
    done = gemba_ask(*QUESTION, env=env)
    assert "(blocking)" in done.stdout
    assert done.stderr == ""


def test_an_assumed_mode_is_said() -> None:
    """Without any mode it is balanced, and standard error says so."""
    done = gemba_ask(*QUESTION, env={"GEMBA_INTERACTION_MODE": ""})
    assert (done.returncode, payloads("GembaAsk")[0]["mode"]) == (0, "balanced")
    assert "balanced" in done.stderr


def test_it_needs_no_index() -> None:
    """Asking, with a key too, makes nothing but the log."""
    gemba_ask(*QUESTION, "--key", "k")
    home = Path(os.environ["GEMBA_HOME"])
    assert sorted(str(path.relative_to(home)) for path in home.rglob("*")) == [
        "sessions",
        "sessions/s1.jsonl",
    ]


def test_what_it_writes_is_private() -> None:
    """0600 and 0700 whatever the umask says: logs hold prompts and secrets."""
    script = f'umask 0; exec "{SCRIPTS / "gemba-ask"}" "$@"'
    subprocess.run(["bash", "-c", script, "-", *QUESTION], env=environment(SESSION), check=True)
    home = Path(os.environ["GEMBA_HOME"])
    modes = [
        stat.S_IMODE(path.stat().st_mode)
        for path in (home, home / "sessions", home / "sessions" / "s1.jsonl")
    ]
    assert modes == [0o700, 0o700, 0o600]


@pytest.mark.parametrize("redirection", [">&-", ">/dev/full", "| true"])
def test_an_ask_counts_also_where_its_id_cannot_be_printed(redirection: str) -> None:
    """It was written, so it is no failure; standard error names the id."""
    script = f'"{SCRIPTS / "gemba-ask"}" "$@" {redirection}; exit "${{PIPESTATUS[0]}}"'
    command = ["bash", "-c", script, "-", *QUESTION]
    done = subprocess.run(command, env=environment(SESSION), capture_output=True, text=True)
    assert done.returncode == 0
    assert "Traceback" not in done.stderr
    # A pipe's reader may be there long enough to take it.
    assert redirection == "| true" or frames("GembaAsk")[0]["event_id"] in done.stderr


def test_an_agent_that_may_not_see_its_pane_is_told_that_it_is_answered_there() -> None:
    """Whoever runs it knows the pane: it need not fetch what is typed to it."""
    told = gemba_ask(*QUESTION, env={"GEMBA_ANSWERS": "typed"}).stdout
    assert "the answer comes as a prompt of yours" in told
