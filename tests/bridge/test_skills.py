"""`$name` at the agent's hooks: the skill's body is handed to the agent, and its tools narrowed."""

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from gemba_core import home
from gemba_core.journal import Journal
from gemba_core.offer import lay_out
from gemba_core.skills import lead
from gemba_core.skills.lead import Lead
from tests.commands import run_cli
from tests.inbox.scene import answer, ask, frames, payloads
from tests.operator.desk import told
from tests.skills.mentions.library import write

BODY = "Write the test first."
PROMPTS = {"claude": "UserPromptSubmit", "codex": "UserPromptSubmit", "gemini": "BeforeAgent"}
TOOLS = {"claude": "PreToolUse", "codex": "PreToolUse", "gemini": "BeforeTool"}


class Agent:
    """A client's own session within session s1, and the hooks that it calls."""

    def __init__(self, workspace: Path, client: str = "claude", id: str = "c1") -> None:
        self.workspace = workspace
        self.client = client
        self.id = id

    def hook(self, name: str, **more: object) -> Any:
        """What is printed at that hook, decoded; None for nothing."""
        call = {"session_id": self.id, "cwd": str(self.workspace), **more}
        return self.hook_with(name, json.dumps(call).encode())

    def hook_with(self, name: str, given: bytes) -> Any:
        """The same, with that input."""
        env = {"GEMBA_SESSION_ID": "s1", "GEMBA_AGENT_TYPE": self.client}
        done = run_cli("gemba-bridge", name, input=given, env=env)
        assert (done.returncode, done.stderr) == (0, "")
        return json.loads(done.stdout) if done.stdout else None

    def prompt(self, text: str) -> Any:
        return self.hook(PROMPTS[self.client or "claude"], prompt=text)

    def tool(self, tool_name: str, **tool_input: object) -> Any:
        name = TOOLS[self.client or "claude"]
        return self.hook(name, tool_name=tool_name, tool_input=tool_input)

    def may(self, tool_name: str, **tool_input: object) -> bool:
        """Whether the tool may be called."""
        answer = self.tool(tool_name, **tool_input)
        return answer is None or "deny" not in (answer.get("decision"), _decision(answer))


def _decision(answer: Mapping[str, Any]) -> str | None:
    decision: str | None = answer.get("hookSpecificOutput", {}).get("permissionDecision")
    return decision


def context(answer: Any) -> str:
    """What the agent is told."""
    return str(answer["hookSpecificOutput"]["additionalContext"])


@pytest.fixture
def agent(tmp_path: Path) -> Agent:
    """A Claude Code in a workspace with some skills."""
    write(tmp_path, "tdd", body=BODY)
    write(tmp_path, "careful", tools=["Read", "Bash(git log:*)", "mcp__docs__*"])
    write(tmp_path, "silent", tools=[])
    return Agent(tmp_path)


@pytest.mark.parametrize("client", ["claude", "codex", "gemini", ""])
def test_a_prompt_brings_the_skill_in_the_client_s_shape(agent: Agent, client: str) -> None:
    """The body for the agent, a line for the person, and no key more: Codex refuses others."""
    agent.client = client
    assert agent.prompt("Use $tdd here") == {
        "hookSpecificOutput": {
            "hookEventName": PROMPTS[client or "claude"],
            "additionalContext": f"Using skill: tdd\n\n{BODY}\n",
        },
        "systemMessage": "Using skill: tdd",
    }


def test_the_activation_is_on_the_record_after_the_prompt(agent: Agent) -> None:
    """The prompt itself is kept as it was typed."""
    agent.prompt("Use $tdd here")
    assert [frame["hook"] for frame in frames()] == ["UserPromptSubmit", "GembaSkill"]
    assert payloads("UserPromptSubmit")[0]["prompt"] == "Use $tdd here"
    path = agent.workspace / ".gemba" / "skills" / "tdd.md"
    assert payloads("GembaSkill") == [{"skill": "tdd", "path": str(path), "client": "c1"}]


@pytest.mark.parametrize(
    "text", ["no mention", "it costs $5", "`$tdd`", r"\$tdd", "look at $PATH", "```\n$tdd"]
)
def test_a_prompt_without_a_mention_is_answered_with_nothing(agent: Agent, text: str) -> None:
    """Whatever dollar signs are in it."""
    assert agent.prompt(text) is None
    assert payloads("GembaSkill") == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("$nope", "No skill named 'nope'. Run gemba skills list to see available skills."),
        ("$tdd $careful", "Choose one skill to lead this turn: $tdd or $careful."),
    ],
)
def test_a_diagnosis_blocks_no_prompt(agent: Agent, text: str, said: str) -> None:
    """The agent and the person are told, and nothing leads."""
    answer = agent.prompt(text)
    assert (context(answer), answer["systemMessage"]) == (said, said)
    assert set(answer) == {"hookSpecificOutput", "systemMessage"}
    assert payloads("GembaSkill") == []


def test_what_the_client_put_into_the_prompt_is_not_scanned(agent: Agent) -> None:
    """Only what a person typed."""
    injected = "<hook_prompt id='1'>$careful</hook_prompt> <system-reminder>$silent"
    assert agent.prompt(injected) is None
    assert context(agent.prompt(f"$tdd {injected}")).startswith("Using skill: tdd\n")


def test_a_long_skill_is_told_by_its_head_and_its_path(agent: Agent) -> None:
    """Within what the client takes; the person's line is not cut."""
    path = write(agent.workspace, "long", body="word " * 5_000)
    answer = agent.prompt("$long")
    assert len(context(answer)) == 9_000
    assert context(answer).startswith("Using skill: long\n\nword word")
    assert context(answer).endswith(f"read all of {path}]\n")
    assert answer["systemMessage"] == "Using skill: long"


def test_nothing_of_a_skill_is_run(agent: Agent) -> None:
    """Commands in its body are text."""
    ran = agent.workspace / "ran"
    write(agent.workspace, "bad", body=f"!`touch {ran}`\n```!\ntouch {ran}\n```\n$(touch {ran})")
    assert f"touch {ran}" in context(agent.prompt("$bad"))
    assert not ran.exists()


@pytest.mark.parametrize(
    ("client", "tool", "given"),
    [
        ("claude", "TodoWrite", {"todos": [{"content": "use $tdd", "status": "pending"}]}),
        ("claude", "ExitPlanMode", {"plan": "1. Use $tdd\n2. Be done"}),
        ("codex", "update_plan", {"plan": [{"step": "use $tdd"}, {"step": "say ` and $tdd"}]}),
    ],
)
def test_a_plan_brings_the_skill_once(
    agent: Agent, client: str, tool: str, given: dict[str, object]
) -> None:
    """Before the tool, without a decision about it; a plan is written again and again."""
    agent.client = client
    first = agent.tool(tool, **given)
    assert _decision(first) is None
    assert context(first) == f"Using skill: tdd\n\n{BODY}\n"
    assert agent.tool(tool, **given) is None
    assert len(payloads("GembaSkill")) == 1


def test_a_plan_s_diagnosis_is_told_once(agent: Agent) -> None:
    """In the turn; the next turn is told again."""
    assert "No skill named 'nope'." in context(agent.tool("ExitPlanMode", plan="$nope"))
    assert agent.tool("ExitPlanMode", plan="$nope") is None
    agent.hook("Stop")
    assert agent.tool("ExitPlanMode", plan="$nope") is not None


@pytest.mark.parametrize("tool", ["Bash", "Write"])
def test_other_tools_are_no_plans(agent: Agent, tool: str) -> None:
    """A command or a file may hold any dollar sign, and the name of a plan's tool too."""
    assert agent.tool(tool, command='echo $tdd "ExitPlanMode"', content="$tdd") is None


def test_a_skill_narrows_the_tools_while_it_leads(agent: Agent) -> None:
    """By name, by pattern, and by a plain command's beginning."""
    agent.prompt("$careful go")
    assert agent.may("Read", file_path="x")
    assert agent.may("mcp__docs__search", query="x")
    assert agent.may("Bash", command="git log")
    assert agent.may("Bash", command="git log -3")
    assert not agent.may("Write", file_path="x")
    assert not agent.may("Bash", command="git logs")
    assert not agent.may("Bash", command="rm x")


@pytest.mark.parametrize(
    "more", ["; rm x", "&& rm x", "| sh", "$(rm x)", "`rm x`", "\nrm x", "> x"]
)
def test_more_than_one_command_is_beyond_a_command_s_pattern(agent: Agent, more: str) -> None:
    """Only what is plainly one command is compared with it."""
    agent.prompt("$careful go")
    assert not agent.may("Bash", command=f"git log {more}")


@pytest.mark.parametrize("client", ["claude", "codex", "gemini"])
def test_a_refusal_tells_why_in_the_client_s_shape(agent: Agent, client: str) -> None:
    """Which skill, what it allows, and when that ends."""
    agent.client = client
    agent.prompt("$careful go")
    answer = agent.tool("Write", file_path="x")
    if client == "gemini":
        reason = answer.pop("reason")
        assert answer == {"decision": "deny"}
    else:
        said = answer.pop("hookSpecificOutput")
        reason = said.pop("permissionDecisionReason")
        assert (answer, said) == ({}, {"hookEventName": "PreToolUse", "permissionDecision": "deny"})
    assert reason == (
        "Gemba: skill 'careful' leads this turn and allows Read, Bash(git log:*), mcp__docs__*; "
        "this call of Write is not among them. The limit ends with the turn."
    )


def test_a_skill_may_allow_no_tool_at_all(agent: Agent) -> None:
    """An empty list is a limit too."""
    agent.prompt("$silent go")
    assert not agent.may("Read", file_path="x")


def test_a_skill_without_a_limit_narrows_nothing(agent: Agent) -> None:
    """`allowed-tools` alone says what is allowed without asking, not what is forbidden."""
    path = agent.workspace / ".agents" / "skills" / "reader" / "SKILL.md"
    path.parent.mkdir(parents=True)
    said = "name: reader\ndescription: Reads.\nallowed-tools: Read\n"
    path.write_text(f"---\n{said}---\nRead it.\n")
    assert agent.prompt("$reader go") is not None
    assert agent.may("Write", file_path="x")
    path.write_text(f"---\n{said}narrow-tools: true\n---\nRead it.\n")
    agent.prompt("$reader go")
    assert not agent.may("Write", file_path="x")


@pytest.mark.parametrize(
    ("hook", "more"),
    [
        ("Stop", {}),
        ("StopFailure", {}),
        ("SessionEnd", {"reason": "logout"}),
        ("SessionStart", {"source": "startup"}),
        ("UserPromptSubmit", {"prompt": "go on"}),
        ("UserPromptSubmit", {"prompt": "$tdd"}),
    ],
)
def test_the_limit_ends_with_the_turn_or_the_next_prompt(
    agent: Agent, hook: str, more: dict[str, object]
) -> None:
    """An interrupt has no hook, so the next prompt ends it too; nothing is left behind."""
    agent.prompt("$careful go")
    agent.hook(hook, **more)
    assert agent.may("Write", file_path="x")
    agent.hook("Stop")
    assert not Path(home.leads_dir("s1")).exists()


@pytest.mark.parametrize(
    ("hook", "more"),
    [
        ("Stop", {"background_tasks": [{"id": 1}]}),
        ("SubagentStop", {}),
        ("SessionStart", {"source": "compact"}),
        ("PostToolUse", {"tool_name": "Read"}),
    ],
)
def test_a_pause_ends_no_limit(agent: Agent, hook: str, more: dict[str, object]) -> None:
    """The turn goes on."""
    agent.prompt("$careful go")
    agent.hook(hook, **more)
    assert not agent.may("Write", file_path="x")
    assert told("sessions", "show", "s1")["lead"]["skill"] == "careful"


def test_the_session_shows_what_leads(agent: Agent) -> None:
    """The skill and its tools, by the log; nothing after the turn."""
    agent.prompt("$careful go")
    assert told("sessions", "show", "s1")["lead"] == {
        "skill": "careful",
        "tools": ["Read", "Bash(git log:*)", "mcp__docs__*"],
    }
    page = run_cli("gemba", "sessions", "show", "s1").stdout
    assert "careful (tools: Read, Bash(git log:*), mcp__docs__*)" in page
    agent.hook("Stop")
    assert told("sessions", "show", "s1")["lead"] is None


def test_a_child_neither_is_narrowed_nor_ends_the_limit(agent: Agent) -> None:
    """It inherited the session; its prompts are its own."""
    agent.prompt("$careful go")
    child = Agent(agent.workspace, id="c2")
    assert context(child.prompt("$tdd go")).startswith("Using skill: tdd")
    assert child.may("Write", file_path="x")
    child.hook("Stop")
    assert not agent.may("Write", file_path="x")
    assert told("sessions", "show", "s1")["lead"]["skill"] == "careful"


def test_an_agent_does_not_free_itself_by_its_plan(agent: Agent) -> None:
    """The skill that it names waits, and it is told so."""
    write(agent.workspace, "planned", tools=["ExitPlanMode"])
    agent.prompt("$planned go")
    said = context(agent.tool("ExitPlanMode", plan="$tdd"))
    assert said == "Skill 'planned' leads this turn and limits its tools: $tdd waits."
    assert not agent.may("Write", file_path="x")


@pytest.mark.parametrize("held", [b"", b"{", b"[]", b"{}", b'{"skill": 1}'])
def test_a_limit_that_cannot_be_read_refuses_every_call(agent: Agent, held: bytes) -> None:
    """Until the turn ends."""
    agent.prompt("$careful go")
    Path(home.lead_path("s1", "c1")).write_bytes(held)
    assert not agent.may("Read", file_path="x")
    agent.hook("Stop")
    assert agent.may("Read", file_path="x")


@pytest.mark.parametrize("given", [b"", b"{", b"[]", b'"$tdd"', b'{"prompt": 7, "x": "$"}'])
@pytest.mark.parametrize("hook", ["UserPromptSubmit", "Stop"])
def test_any_input_ends_well(agent: Agent, hook: str, given: bytes) -> None:
    """Also while a skill leads."""
    agent.prompt("$careful go")
    assert agent.hook_with(hook, given) is None


def test_what_leads_is_private(agent: Agent) -> None:
    """0600 in 0700, as everything below the home."""
    agent.prompt("$careful go")
    path = Path(home.lead_path("s1", "c1"))
    assert (path.stat().st_mode & 0o777, path.parent.stat().st_mode & 0o777) == (0o600, 0o700)


def test_where_it_cannot_be_written_what_leads_nothing_leads(agent: Agent) -> None:
    """A skill that limits tools is not handed over without its limit."""
    agent.hook("SessionStart")
    Path(home.leads_dir("s1")).write_text("in the way")
    done = run_cli(
        *("gemba-bridge", "UserPromptSubmit"),
        input=json.dumps({"session_id": "c1", "cwd": str(agent.workspace), "prompt": "$careful"}),
        env={"GEMBA_SESSION_ID": "s1"},
    )
    assert (done.returncode, done.stdout) == (0, "")
    assert "no skill leads" in done.stderr


@pytest.mark.parametrize(
    ("tools", "tool", "given", "is_allowed"),
    [
        (["Bash(git *)"], "Bash", {"command": "git log"}, True),
        (["Bash(git log:*)"], "Bash", {"command": ["git", "log"]}, False),
        (["Bash()"], "Bash", {"command": "ls"}, False),
        (["Read(src/*)"], "Read", {"file_path": "src/a"}, False),
        (["read"], "Read", {}, False),
        (["*"], "Anything", {}, True),
    ],
)
def test_an_argument_is_judged_for_shell_commands_alone(
    tools: Sequence[str], tool: str, given: dict[str, object], is_allowed: bool
) -> None:
    """What cannot be judged is not allowed."""
    assert (Lead("x", tuple(tools)).refusal(tool, given) is None) == is_allowed


def test_what_leads_is_read_back() -> None:
    """And its end can come twice."""
    os.makedirs(home.sessions_dir())
    leading = Lead("x", ("Read",), ("Using skill: x",))
    lead.begin("s1", "c", leading)
    assert (lead.current("s1", "c"), lead.current("s1", "other")) == (leading, None)
    lead.end("s1", "c")
    lead.end("s1", "c")
    assert lead.current("s1", "c") is None


@pytest.mark.parametrize("hook", ["PostToolUse", "Stop"])
def test_an_answer_in_mid_turn_brings_its_skill_along(
    agent: Agent, hook: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No prompt's hook would; it leads the rest of the turn, also one that was about to end."""
    monkeypatch.chdir(agent.workspace)
    agent.hook("SessionStart", source="startup")
    agent.prompt("go")
    answer(ask(), value="Use $careful, please")
    with Journal("s1") as journal:
        journal.advance()
        lay_out("s1", journal.state, journal.position)
    said = agent.hook(hook, tool_name="Bash")
    text = said["reason"] if hook == "Stop" else context(said)
    assert text.endswith(":\nUse $careful, please\n\n---\nUsing skill: careful\n\nDo it well.\n")
    assert not agent.may("Write", file_path="x")
    assert told("sessions", "show", "s1")["lead"]["skill"] == "careful"
