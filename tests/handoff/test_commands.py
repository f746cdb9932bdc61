"""`gemba handoff` check, decide, render, schema."""

import json
import stat
import subprocess
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.commands import SCRIPTS, environment, run_cli
from tests.handoff.contracts import AGENT, OTHER, PASSED, fields, message, sound
from tests.handoff.desk import handoff, told


def test_check_says_that_a_contract_is_sound() -> None:
    """Exit 0, and one line."""
    done = handoff("check", input=message(sound("COMPLETE")))
    assert (done.returncode, done.stdout) == (0, f"COMPLETE {AGENT}: 0 findings\n")


def test_check_tells_all_findings(tmp_path: Path) -> None:
    """Exit 1 where one of them blocks; the same as an object."""
    file = tmp_path / "answer.md"
    file.write_text(message(fields("COMPLETE", agent="me", memory_suggestions=[1])))
    done = handoff("check", file)
    assert done.returncode == 1
    assert "blocking: AGENT_ID agent_status.agent_id: 'me'" in done.stdout
    found = told("check", file, code=1)
    assert (found["ok"], found["plan_status"], found["agent_id"]) == (False, "COMPLETE", None)
    assert [(one["code"], one["severity"]) for one in found["findings"]] == [
        ("AGENT_ID", "blocking"),
        ("VERIFICATION_RESULT_REQUIRED_FOR_COMPLETE", "blocking"),
        ("MEMORY_SUGGESTIONS", "advisory"),
    ]


def test_advisory_findings_are_exit_0() -> None:
    """They are told all the same."""
    found = told("check", "--agent", OTHER, "-", input=message(sound("COMPLETE")))
    assert found["ok"]
    assert [one["code"] for one in found["findings"]] == ["AGENT_ID"]


def test_check_can_ask_for_a_consolidation_report() -> None:
    """As an orchestrator of several agents does."""
    found = told("check", "--consolidation", code=1, input=message(sound("COMPLETE")))
    assert "CONSOLIDATION_REPORT" in [one["code"] for one in found["findings"]]


def test_a_message_without_a_contract_is_exit_1() -> None:
    """It has no status, and none is made up."""
    found = told("check", code=1, input="All done!")
    assert (found["plan_status"], [one["code"] for one in found["findings"]]) == (
        None,
        ["CONTRACT_MISSING"],
    )


def test_what_agents_write_paints_on_no_terminal() -> None:
    """In findings, decisions, pages."""
    evil = "\x1b[31m\u202eevil"
    text = message(fields(evil, agent=evil, next_action=evil))
    for command in ("check", "decide", "render"):
        done = handoff(command, input=text)
        assert "\x1b" not in done.stdout + done.stderr
        assert "\u202e" not in done.stdout + done.stderr
        assert "evil" in done.stdout


@pytest.mark.parametrize("command", ["check", "decide", "render", "raise"])
def test_a_file_that_is_not_there_is_told(command: str) -> None:
    """Exit 1, in one line."""
    done = handoff(command, "nowhere.md")
    assert (done.returncode, done.stderr) == (1, "gemba: nowhere.md: No such file or directory\n")


def test_a_message_that_is_too_long_is_refused() -> None:
    """A contract stands at its end."""
    done = handoff("check", input=b"x" * (1 << 20) + b"y")
    assert done.returncode == 2
    assert "give the end of the message" in done.stderr


def test_a_message_that_is_no_utf_8_is_read() -> None:
    """As far as it can be."""
    assert handoff("check", input=b"\xff\n" + message(sound("COMPLETE")).encode()).returncode == 0


def test_decide_says_what_to_do_next() -> None:
    """For whoever reads: which agent, and with what text."""
    done = handoff("decide", input=message(sound("IN_PROGRESS")))
    assert done.returncode == 0
    assert f"Resume the same agent, {AGENT}" in done.stdout
    assert "the second half" in done.stdout


def test_decide_as_json_has_every_field_of_the_reference() -> None:
    """Of a decision, of a step, of a summary."""
    found = told("decide", input=message(sound("COMPLETE", user_facing_summary="It is mended.")))
    assert found == {
        "turn": "relay",
        "waiting_for": 0,
        "steps": [
            {
                "action": "close",
                "agent_id": AGENT,
                "plan_status": "COMPLETE",
                "why": "complete and verified",
                "text": "",
                "findings": [],
            }
        ],
        "routes": [],
        "summary": {
            "words": "It is mended.",
            "verification": "- pass: 12 tests",
            "cross_layer_impacts": "",
            "open_gaps": "",
            "is_own": True,
            "text": "It is mended.\n\nVerified:\n- pass: 12 tests",
        },
        "suggestions": [],
    }


def test_decide_needs_no_session() -> None:
    """It asks nobody and writes nothing."""
    done = run_cli("gemba", "handoff", "decide", input=message(sound("NEEDS_INPUT")))
    assert done.returncode == 0


def test_the_history_counts_from_call_to_call(tmp_path: Path) -> None:
    """The third time in a row a person is asked; the file is nobody else's to read."""
    history = tmp_path / "history.json"
    actions = [
        told("decide", "--history", history, input=message(sound("IN_PROGRESS")))["steps"][0]
        for _ in range(3)
    ]
    assert [one["action"] for one in actions] == ["resume", "resume", "pause"]
    assert stat.S_IMODE(history.stat().st_mode) == 0o600


def test_no_count_is_lost_where_several_write(tmp_path: Path) -> None:
    """Each of eight at once is in the history."""
    history = tmp_path / "history.json"
    command = [str(SCRIPTS / "gemba"), "handoff", "decide", "--history", str(history)]
    agents = {f"a{number:05d}" for number in range(8)}
    with ExitStack() as running:
        calls = [
            running.enter_context(
                subprocess.Popen(
                    command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, env=environment()
                )
            )
            for _ in agents
        ]
        for call, agent in zip(calls, agents, strict=True):
            assert call.stdin is not None
            call.stdin.write(message(sound("IN_PROGRESS", agent=agent)).encode())
            call.stdin.close()
    assert [call.returncode for call in calls] == [0] * len(agents)
    assert set(json.loads(history.read_bytes())["agents"]) == agents


def test_no_folder_is_made_for_a_history(tmp_path: Path) -> None:
    """A path that leads nowhere is a mistake."""
    history = tmp_path / "nowhere" / "history.json"
    done = handoff("decide", "--history", history, input=message(sound("IN_PROGRESS")))
    assert done.returncode == 1
    assert f"{history}" in done.stderr
    assert not history.parent.exists()


@pytest.mark.parametrize("data", [b"{", b"[]", b'{"agents": {"a": {"repairs": "x"}}}', b"\xff"])
def test_a_history_that_cannot_be_read_is_told(tmp_path: Path, data: bytes) -> None:
    """It is not begun anew in silence: an agent would be sent back for ever."""
    history = tmp_path / "history.json"
    history.write_bytes(data)
    done = handoff("decide", "--history", history, input=message(sound("IN_PROGRESS")))
    assert done.returncode == 1
    assert f"{history}: no history of hand-offs" in done.stderr
    assert history.read_bytes() == data


def test_several_files_are_decided_together(tmp_path: Path) -> None:
    """Held until all are in."""
    files = [tmp_path / "one.md", tmp_path / "two.md"]
    for file, agent in zip(files, (AGENT, OTHER), strict=True):
        evidence = {"verification": PASSED, "key_outputs": [f"by {agent}"]}
        file.write_text(message(sound("COMPLETE", agent=agent, evidence=evidence)))
    held = told("decide", files[0], "--in-flight", "2")
    assert (held["turn"], held["waiting_for"], held["steps"]) == ("hold", 1, [])
    found = told("decide", *files, "--in-flight", "2")
    assert (found["turn"], len(found["steps"])) == ("relay", 2)
    assert found["summary"]["words"] == f"- by {AGENT}\n- by {OTHER}"


def test_an_agent_is_named_for_one_file_only(tmp_path: Path) -> None:
    """Whose would it be?"""
    done = handoff("decide", "one.md", "two.md", "--agent", AGENT)
    assert (done.returncode, "--agent goes with one FILE" in done.stderr) == (2, True)


def test_render_has_the_summary_first() -> None:
    """Then the proof, what else is touched, what is left; at the end what is wrong."""
    evidence = {
        "verification": PASSED,
        "key_outputs": ["Mended the leak"],
        "cross_layer_impacts": ["The docs"],
        "open_gaps": ["A flake"],
        "commands_run": [{"command": "make test", "result": "ok"}],
    }
    text = message(
        sound("COMPLETE", evidence=evidence, user_facing_summary="No leak.", memory_suggestions=[1])
    )
    shown = handoff("render", input=text).stdout
    parts = ["COMPLETE", "No leak.", "12 tests", "The docs", "A flake", "Mended", "make test → ok"]
    places = [shown.index(part) for part in (*parts, "MEMORY_SUGGESTIONS")]
    assert places == sorted(places)


def test_render_shows_what_is_to_be_approved() -> None:
    """All of the request."""
    shown = handoff("render", input=message(sound("APPROVAL_REQUEST"))).stdout
    assert "exact_content: git push origin topic" in shown
    assert "rollback: git push origin :topic" in shown


def test_render_says_that_there_is_nothing() -> None:
    """Not an empty page."""
    done = handoff("render", input="All done!")
    assert (done.returncode, "CONTRACT_MISSING" in done.stdout) == (0, True)


def test_schema_is_a_json_schema_of_the_contract() -> None:
    """With what is required, and the words that are known."""
    schema = json.loads(handoff("schema").stdout)
    assert schema["required"] == ["agent_status", "evidence_report"]
    status = schema["$defs"]["AgentStatus"]
    assert status["required"] == ["plan_status", "agent_id", "pending_steps", "next_action"]
    assert "NEEDS_VERIFICATION" in status["properties"]["plan_status"]["enum"]
    assert "class" in schema["$defs"]["MemorializeSuggestion"]["properties"]
