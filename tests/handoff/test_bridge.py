"""SubagentStop: a contract is checked and recorded where the operator wants that."""

import json
import os
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from gemba_core import home
from tests.commands import run_cli
from tests.handoff.contracts import AGENT, OTHER, TAG, fields, message, sound
from tests.inbox.scene import frames, payloads
from tests.test_startup import imported

SESSION = {"GEMBA_SESSION_ID": "s1", "GEMBA_AGENT_TYPE": "claude"}


def switch(value: str = "true") -> None:
    """Write the operator's configuration."""
    path = Path(home.config_path())
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"[handoff]\ncheck = {value}\n")


def call(text: str, **more: object) -> str:
    """What the client writes to the hook."""
    return json.dumps({"session_id": "c1", "last_assistant_message": text, **more})


def returns(given: str, hook: str = "SubagentStop") -> CompletedProcess[str]:
    """The hook call; it ends well and prints nothing, whatever was returned."""
    done = run_cli("gemba-bridge", hook, env=SESSION, input=given)
    assert (done.returncode, done.stdout) == (0, "")
    assert len(frames(hook)) == 1
    return done


def test_a_contract_is_checked_and_the_findings_recorded() -> None:
    """With its agent and its status; `gemba log show` has them."""
    switch()
    returns(call(message(fields("COMPLETE"))))
    [found] = payloads("GembaHandoff")
    assert (found["agent_id"], found["plan_status"]) == (AGENT, "COMPLETE")
    [finding] = found["findings"]
    assert finding == {
        "code": "VERIFICATION_RESULT_REQUIRED_FOR_COMPLETE",
        "field": "evidence_report.verification",
        "detail": finding["detail"],
        "severity": "blocking",
    }
    shown = run_cli("gemba", "log", "show", "s1", "--hook", "GembaHandoff").stdout
    assert "VERIFICATION_RESULT_REQUIRED_FOR_COMPLETE" in shown
    assert run_cli("gemba", "log", "verify").returncode == 0


def test_a_sound_contract_is_recorded_too() -> None:
    """With no finding; that another agent was expected is one."""
    switch()
    returns(call(message(sound("COMPLETE")), agent_id=OTHER))
    [found] = payloads("GembaHandoff")
    assert [one["code"] for one in found["findings"]] == ["AGENT_ID"]


def test_no_record_is_larger_than_a_log_can_hold() -> None:
    """Of a thousand findings the first ones."""
    switch()
    returns(call(message(sound("COMPLETE", memory_suggestions=[1] * 1000))))
    [found] = payloads("GembaHandoff")
    assert len(found["findings"]) == 50


def test_a_malformed_contract_is_recorded() -> None:
    """By the agent that the client names; without a status."""
    switch()
    returns(call(f"```{TAG}\n{{\n```", agent_id=OTHER))
    [found] = payloads("GembaHandoff")
    assert (found["agent_id"], found.get("plan_status")) == (OTHER, None)
    assert [one["code"] for one in found["findings"]] == ["CONTRACT_MALFORMED"]


@pytest.mark.parametrize("text", ["All done.", f"I have no {TAG}.", "the agent_status is fine"])
def test_of_a_message_without_a_contract_nothing_is_recorded(text: str) -> None:
    """Not every sub-agent hands its work back by one."""
    switch()
    returns(call(text))
    assert payloads("GembaHandoff") == []


@pytest.mark.parametrize("value", [None, "false"])
def test_it_is_off_by_default(value: str | None) -> None:
    """Nothing is checked unless the operator says so."""
    if value is not None:
        switch(value)
    done = returns(call(message(fields("COMPLETE"))))
    assert (payloads("GembaHandoff"), done.stderr) == ([], "")


def test_a_wrong_setting_means_off_and_is_said() -> None:
    """As with every setting."""
    switch('"yes"')
    done = returns(call(message(fields("COMPLETE"))))
    assert payloads("GembaHandoff") == []
    assert "handoff.check must be true or false" in done.stderr


def test_only_a_sub_agents_end_is_looked_at() -> None:
    """The agent's own Stop is none."""
    switch()
    returns(call(message(fields("COMPLETE"))), hook="Stop")
    assert payloads("GembaHandoff") == []


@pytest.mark.parametrize(
    "given",
    [
        f"no JSON {TAG}",
        f'{{"last_assistant_message": {{"{TAG}": 1}}}}',
        f'["{TAG}"]',
        call(message(fields(note="x" * (2 << 20)))),
    ],
    ids=["no json", "an object", "a list", "too long"],
)
def test_an_odd_call_is_recorded_and_goes_on(given: str) -> None:
    """The hook itself is what counts."""
    switch()
    returns(given)
    assert payloads("GembaHandoff") == []


def test_a_large_message_is_checked_in_time() -> None:
    """A thousand fences and half a megabyte."""
    switch()
    text = "```\n" * 1001 + "x" * (500 << 10) + "\n" + message(fields("COMPLETE"))
    returns(call(text))
    assert len(payloads("GembaHandoff")) == 1


def test_a_check_that_takes_too_long_is_given_up(tmp_path: Path) -> None:
    """The hook ends well, and says so."""
    switch()
    given = tmp_path / "call.json"
    given.write_text(call(message(fields("COMPLETE"))))
    code = f"""
import os, time
import gemba_bridge.handoff as bridge, gemba_core.handoff as room
bridge._SECONDS = 0.2
room.parse = lambda text: time.sleep(600)
os.dup2(os.open({str(given)!r}, os.O_RDONLY), 0)
from gemba_bridge.cli import main
sys.argv[1:] = ["SubagentStop"]
assert main() == 0
"""
    imported("import sys\n" + code, env={**os.environ, **SESSION})
    assert len(frames("SubagentStop")) == 1
    assert payloads("GembaHandoff") == []


@pytest.mark.parametrize("text", ["All done.", message(fields("COMPLETE"))])
def test_where_it_is_off_the_hook_knows_nothing_of_hand_offs(text: str) -> None:
    """No model, no decoder; without a configuration no TOML either."""
    code = "from gemba_bridge.cli import main; main()"
    used = imported(code, "SubagentStop", env=SESSION, input=call(text))
    assert not any(name.startswith("gemba_core.handoff") for name in used)
    assert not {name.partition(".")[0] for name in used} & {"pydantic", "msgspec", "tomllib"}
    assert ("gemba_bridge.handoff" in used) == (TAG in text)
