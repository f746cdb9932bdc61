"""`gemba work` as people and agents type it."""

import json
import os
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest

from gemba_core.home import log_path
from gemba_core.log import append
from gemba_core.orchestration.work.report import said_done
from tests.builders import frame
from tests.commands import SCRIPTS, environment
from tests.inbox.scene import hook
from tests.operator.desk import gemba, told
from tests.operator.test_terminal import completions
from tests.work.conftest import Tracker

ROOT = Path(__file__).parents[2]
ADAPTOR = "tests.work.programs.adaptor"


def work(*args: str, **how: Any) -> subprocess.CompletedProcess[str]:
    """`gemba work ...`"""
    return gemba("work", *args, **how)


def add(title: str = "Do it", *options: str) -> str:
    """A new item; its id."""
    done = work("add", title, *options)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def read(id: str) -> Any:
    """The item as a program sees it."""
    return told("work", "show", id)


def configure(text: str) -> Path:
    """The operator's configuration."""
    path = Path(os.environ["GEMBA_HOME"]) / "config.toml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    return path


def test_an_item_has_what_was_said_of_it(tmp_path: Path) -> None:
    """Its repository is named by its absolute path, its text may come from standard input."""
    where = os.path.relpath(tmp_path)
    words = ("--kind", "bug", "--priority", "0", "--label", "a", "--label", "b", "--sprint", "s1")
    done = work(
        "add", "Do it", *words, "--repository", where, "--description", "-", input="All\nof it."
    )
    item = read(done.stdout.strip())
    assert (
        item
        | {
            "id": "w1",
            "title": "Do it",
            "kind": "bug",
            "priority": 0,
            "labels": ["a", "b"],
            "sprint_id": "s1",
            "repository": str(tmp_path),
            "description": "All\nof it.",
            "state_category": "ready",
            "assignee": None,
        }
        == item
    )


@pytest.mark.parametrize(
    "args",
    [("add", " "), ("add", "x", "--priority", "5"), ("list", "--ready", "--all"), ("claim",)],
)
def test_a_wrong_call_is_exit_2(args: tuple[str, ...]) -> None:
    """And it is said what is wrong."""
    done = work(*args)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr


def test_more_than_an_agent_can_be_told_is_exit_2() -> None:
    """At once, with what to do; not at each dispatch."""
    done = work("add", "x", "--description", "-", input="é" * 52_000)
    assert (done.returncode, done.stdout) == (2, "")
    assert "104,001 bytes" in done.stderr
    assert "put them into a file" in done.stderr


def test_an_item_from_ready_to_done() -> None:
    """Claimed, given back, claimed by another, done; each says how it stands."""
    id = add()
    assert "in_progress, ada has it" in work("claim", id, "--as", "ada").stdout
    assert [item["id"] for item in told("work", "list", "--ready")] == []
    assert "open" in work("release", id).stdout
    assert told("work", "claim", id, "--as", "bob")["assignee"] == "bob"
    assert told("work", "done", id, "--reason", "merged")["state_category"] == "done"
    assert told("work", "list") == []
    assert [item["id"] for item in told("work", "list", "--all")] == [id]


def test_what_somebody_has_is_exit_5() -> None:
    """Who has it is said; the same nonce is the same claim."""
    id = add()
    assert work("claim", id, "--as", "ada", "--nonce", "n1").returncode == 0
    refused = work("claim", id, "--as", "bob")
    assert refused.returncode == 5
    assert "ada has it" in refused.stderr
    assert work("claim", id, "--as", "ada", "--nonce", "n1").returncode == 0


def test_an_item_leads_to_what_has_its_work() -> None:
    """Dispatched, it is claimed under the id of the session."""
    id = add()
    work("claim", id, "--as", "ada", "--nonce", "ada-1")
    left = {"branches": ["gemba/ada-1"]}
    gone = {"id": "ada-1", "kind": "worktree", "status": "released", "provider_metadata": left}
    hook("GembaReservation", "ada-1", op="claimed", reservation_id="ada-1", agent_id="ada")
    hook("GembaWorkspace", "ada-1", op="released", workspace=gone)
    assert "on gemba/ada-1" in work("show", id).stdout


@pytest.mark.parametrize("command", ["show", "claim", "release", "done"])
def test_an_unknown_item_is_exit_4(command: str) -> None:
    """Whatever is asked of it."""
    done = work(command, "w9")
    assert (done.returncode, done.stdout) == (4, "")
    assert "w9" in done.stderr


def test_an_agent_claims_for_its_session() -> None:
    """Under its session's name, and no other."""
    id = add()
    env = {"GEMBA_SESSION_ID": "codex-1"}
    assert work("claim", id, "--as", "ada", env=env).returncode == 1
    assert "codex-1 has it" in work("claim", id, env=env).stdout


def test_the_list_shows_what_was_chosen() -> None:
    """The most urgent first; what agents wrote cannot paint on the terminal."""
    add("Later \x1b[31m", "--priority", "3", "--label", "api")
    add("Sooner", "--priority", "1", "--label", "api")
    add("Other")
    done = work("list", "--label", "api")
    assert [line.split()[0] for line in done.stdout.splitlines()] == ["ID", "w2", "w1"]
    assert "\x1b" not in done.stdout
    assert "No work item" in work("list", "--kind", "epic").stdout


def test_ids_are_completed() -> None:
    """Of what the command takes."""
    free, taken = add(), add()
    work("claim", taken, "--as", "ada")
    assert completions("gemba work claim ", "3") == {free}
    assert completions("gemba work release ", "3") == {taken}
    assert completions("gemba work show ", "3") == {free, taken}


def test_beads_is_bound_where_the_operator_says_so(
    tracker: Tracker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The commands are the same; but adding is left to Beads' own."""
    configure(f'[work]\nplane = "beads"\nbd = "{tracker.bd}"\n')
    monkeypatch.chdir(tracker.folder)
    tracker.add("gm-1")
    assert work("claim", "gm-1", "--as", "ada").returncode == 0
    assert tracker.issues()["gm-1"]["assignee"] == "ada"
    refused = work("add", "More")
    assert refused.returncode == 2
    assert "bd create" in refused.stderr


def test_a_wrong_setting_is_told_with_its_line() -> None:
    """Another tracker than the one that is meant must not be taken instead."""
    path = configure('[ask]\n\n[work]\nplane = "jira"\nbead = "x"\n')
    done = work("list")
    assert done.returncode == 1
    assert f"{path}:4: plane" in done.stderr
    assert f"{path}:5: unknown key: bead (did you mean bd?)" in done.stderr


def dispatch(*args: str, adaptor: str = "open_lonely") -> subprocess.CompletedProcess[str]:
    """`gemba work dispatch` with that adaptor."""
    words = ("dispatch", "--adaptor", f"{ADAPTOR}:{adaptor}", *args)
    return work(*words, env={"PYTHONPATH": str(ROOT)})


def test_dispatch_gives_the_next_item_to_the_agent() -> None:
    """And stays until its session has ended."""
    id = add()
    done = dispatch()
    assert done.returncode == 0, done.stderr
    assert "Ada works on it" in done.stdout
    assert f"{id}: done" in done.stdout
    assert done.stderr == ""
    assert read(id)["assignee"] == "ada"


def test_dispatch_tells_a_program_the_start_and_the_end() -> None:
    """One object a line."""
    id = add()
    started, ended = map(json.loads, dispatch("--json").stdout.splitlines())
    assert (started["state"], started["item"]["id"]) == ("started", id)
    assert started["workspace"]["assignment_id"] == started["session"]["assignment_id"]
    assert (ended["state"], ended["item"]["status"]) == ("ended", "done")
    assert ended["session"]["status"] == "completed"


def test_work_that_is_not_said_to_be_done_is_pointed_out() -> None:
    """It stays with the agent that had it, for a person to look at."""
    id = add("leave")
    done = dispatch()
    assert done.returncode == 0
    assert done.stderr.splitlines() == [
        f"gemba: Ada has ended without saying that {id} is done. "
        f"Done: gemba work done {id}. Not done: gemba work release {id}."
    ]
    assert "in_progress" not in done.stdout
    assert read(id)["state_category"] == "started"


def test_what_the_agent_says_in_its_log_is_passed_on() -> None:
    """It may see nothing else from within its sandbox."""
    id = add("say")
    done = dispatch()
    assert done.returncode == 0, done.stderr
    assert f"{id}: done" in done.stdout


def test_an_agent_that_does_not_see_the_items_says_it_in_its_log() -> None:
    """Of the item that it was started for, and of no other."""
    claimed = {"op": "claimed", "reservation_id": "s1", "agent_id": "ada", "work_item_id": "w7"}
    append(log_path("s1"), frame("GembaReservation", claimed, session="s1"))
    inside = {"GEMBA_SESSION_ID": "s1"}
    assert work("done", "w8", env=inside).returncode == 4
    assert said_done("s1", "w8") is None
    done = work("done", "w7", "--reason", "merged", env=inside)
    assert done.returncode == 0, done.stderr
    assert "passed on" in done.stdout
    assert said_done("s1", "w7") == "merged"
    assert work("done", "w7").returncode == 4


@pytest.mark.parametrize("args", [("add", b"\xff"), ("claim", "w1", "--nonce", b"\xff")])
def test_what_is_not_utf_8_is_exit_2(args: tuple[str | bytes, ...]) -> None:
    """And nothing is kept of it."""
    add()
    assert work(*args).returncode == 2  # type: ignore[arg-type]  # bytes are what is tried
    assert [item["state_category"] for item in told("work", "list")] == ["ready"]


def test_a_failed_session_gives_the_item_back() -> None:
    """Exit 1, and why."""
    id = add("fail")
    done = dispatch()
    assert done.returncode == 1
    assert "provider_exit" in done.stderr
    assert read(id)["state_category"] == "ready"


def test_an_item_without_a_repository_blocks_no_other() -> None:
    """It is pointed out when it is added, and when it is passed over; alone, it is exit 2."""
    added = work("add", "Elsewhere", "--priority", "0", "--repository", "/none")
    bad, good = added.stdout.strip(), add()
    assert "gemba: /none: no such folder" in added.stderr
    done = dispatch()
    assert (done.returncode, done.stderr) == (
        0,
        f"gemba: {bad}: /none: no such folder; it is passed over\n",
    )
    assert f"{good}: done" in done.stdout
    refused = dispatch()
    assert (refused.returncode, refused.stdout) == (2, "")
    assert f"{bad}: /none: no such folder" in refused.stderr


def test_dispatch_takes_what_was_chosen() -> None:
    """Nothing of the kind is exit 4."""
    add("One", "--label", "ui")
    id = add("Two", "--label", "api")
    assert f"{id}: done" in dispatch("--label", "api").stdout
    refused = dispatch("--label", "api")
    assert (refused.returncode, refused.stdout) == (4, "")
    assert "nothing is ready" in refused.stderr


@pytest.mark.parametrize(
    ("args", "code"), [((), 2), (("--agent", "eve"), 4), (("--agent", "bob"), 0)]
)
def test_the_agent_is_chosen_by_name_or_id(args: tuple[str, ...], code: int) -> None:
    """Of several one must be named; who there is, is said."""
    id = add()
    done = dispatch(*args, adaptor="open_prompt")
    assert done.returncode == code
    if code:
        assert "Ada, Bob" in done.stderr
        assert read(id)["state_category"] == "ready"
    else:
        assert read(id)["assignee"] == "bob"


def test_an_unknown_adaptor_is_exit_4() -> None:
    """And what is installed is said."""
    done = work("dispatch", "--adaptor", "no-such")
    assert done.returncode == 4
    assert "installed" in done.stderr


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_dispatch_gives_the_item_back(number: signal.Signals) -> None:
    """Its session is ended, and nothing is left but the record."""
    id = add("stay")
    words = ("work", "dispatch", "--adaptor", f"{ADAPTOR}:open_lonely", "--json")
    with subprocess.Popen(
        [str(SCRIPTS / "gemba"), *words],
        env=environment({"PYTHONPATH": str(ROOT)}),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as running:
        assert running.stdout is not None
        assert json.loads(running.stdout.readline())["state"] == "started"
        assert read(id)["assignee"] == "ada"
        running.send_signal(number)
        output, errors = running.communicate(timeout=30)
    assert (running.returncode, output) == (1, "")
    assert "ready again" in errors
    assert "Traceback" not in errors
    assert read(id)["state_category"] == "ready"
