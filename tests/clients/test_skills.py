"""`$name` in what the real Codex is told, and in the plan that it writes."""

import json

from tests.clients.codex import FREE, Codex
from tests.clients.model import Step, run
from tests.inbox.scene import payloads
from tests.skills.mentions.library import write


def planning(step: str) -> Step:
    """Have the agent write down a plan of one step."""
    plan = [{"step": step, "status": "in_progress"}]
    arguments = json.dumps({"plan": plan})
    return {"type": "function_call", "name": "update_plan", "arguments": arguments}


def test_a_skill_that_the_prompt_mentions_reaches_the_model(codex: Codex) -> None:
    """Its body stands beside the prompt, which itself is unchanged."""
    write(codex.folder, "plan-b", body="Never deploy on a Friday.")
    with codex.exec(FREE, prompt="$plan-b go") as process:
        assert process.wait(60) == 0
    texts = codex.model.texts()
    assert sum("Using skill: plan-b\n\nNever deploy on a Friday." in text for text in texts) == 1
    assert "$plan-b go" in codex.model.prompts()
    assert [one["skill"] for one in payloads("GembaSkill", codex.session)] == ["plan-b"]


def test_a_skill_that_the_agent_s_plan_mentions_reaches_the_model(codex: Codex) -> None:
    """Once, however often the plan is written."""
    write(codex.folder, "plan-b", body="Never deploy on a Friday.")
    codex.model.then(planning("use $plan-b"), planning("use $plan-b"))
    with codex.exec(FREE, "-c", "tools.update_plan.enabled=true") as process:
        assert process.wait(60) == 0
    assert sum("Never deploy on a Friday." in text for text in codex.model.texts()) == 1


def test_a_skill_narrows_the_real_client_s_tools(codex: Codex) -> None:
    """The model is told why its call was refused, and the command has not run."""
    write(codex.folder, "careful", tools=["update_plan"])
    codex.model.then(run("touch ran"))
    with codex.exec(FREE, prompt="$careful go") as process:
        assert process.wait(60) == 0
    assert any("skill 'careful' leads this turn" in text for text in codex.model.texts())
    assert not (codex.folder / "ran").exists()
