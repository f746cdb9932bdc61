"""Machines as they are found in public run unchanged."""

import pytest

from tests.workflow.project import Project

# Spec 002, "Example: Minimal 2-Phase Skill", with its indentation restored and nothing else.
MINIMAL = """\
#!/usr/bin/env python3
import json, sys
from pathlib import Path

workspace = Path(sys.argv[1])
progress = workspace / "progress.json"
state = json.loads(progress.read_text()) if progress.exists() else {"phase": "gather"}

if state["phase"] == "gather":
    if not (workspace / "notes.md").exists():
        print(json.dumps({
            "type": "spawn",
            "prompt": "Gather information per the phase instructions.",
            "context_files": ["skills/simple-research/phases/GATHER.md"],
            "context_data": {"workspace": str(workspace)},
            "output_file": "notes.md"
        }))
    else:
        state["phase"] = "synthesize"
        progress.write_text(json.dumps(state))
        print(json.dumps({"type": "continue"}))
elif state["phase"] == "synthesize":
    if not (workspace / "FINAL.md").exists():
        print(json.dumps({
            "type": "spawn",
            "prompt": "Synthesize findings per the phase instructions.",
            "context_files": ["skills/simple-research/phases/SYNTHESIZE.md", f"{workspace}/notes.md"],
            "context_data": {"workspace": str(workspace)},
            "output_file": "FINAL.md"
        }))
    else:
        state["phase"] = "done"
        progress.write_text(json.dumps(state))
        print(json.dumps({"type": "done"}))
else:
    print(json.dumps({"type": "done"}))
"""  # noqa: E501 - a line of the spec's own

# The shape of public research skills: questions are read from the scout's output, each is marked
# as researched before its agent has run, and every citation gets a verifier.
RESEARCH = """\
import json, re, sys
from pathlib import Path

workspace = Path(sys.argv[1])
progress = workspace / "progress.json"
state = {"phase": "scout", "researched": [], "verified": []}
if progress.exists():
    state = json.loads(progress.read_text())
PHASES = "skills/wide-research/phases"


def save():
    progress.write_text(json.dumps(state, indent=2))


def order(prompt, files, output, **data):
    print(json.dumps({
        "type": "spawn", "prompt": prompt, "context_files": files,
        "context_data": {"workspace": str(workspace), **data}, "output_file": output,
    }))


def fail(reason):
    print(json.dumps({"type": "gate_failed", "reason": reason}))


def main():
    if state["phase"] == "scout":
        scout = workspace / "00-scout.md"
        if not scout.exists():
            return order("Scout.", [f"{PHASES}/SCOUT.md"], "00-scout.md")
        found = re.findall(r"^### \\d+\\. (.*)$", scout.read_text(), re.M)
        if not found:
            return fail("Scout produced no sub-questions")
        state["questions"], state["phase"] = found, "research"
        save()
    if state["phase"] == "research":
        for number, question in enumerate(state["questions"]):
            if number in state["researched"]:
                continue
            output = f"{number + 1:02}-{re.sub(r'[^a-z0-9]+', '-', question.lower()).strip('-')}.md"
            order(f"Research this: {question}",
                  [f"{PHASES}/RESEARCH.md", f"{workspace}/00-scout.md"], output, question=question)
            state["researched"].append(number)
            return save()
        written = [one for one in workspace.glob("[0-9][0-9]-*.md") if one.name != "00-scout.md"]
        if len(written) < len(state["questions"]):
            return fail(f"Only {len(written)}/{len(state['questions'])} answered")
        state["phase"] = "assemble"
        save()
    if state["phase"] == "assemble":
        if not (workspace / "FINAL.md").exists():
            files = sorted(str(one) for one in workspace.glob("[0-9][0-9]-*.md"))
            return order("Assemble.", [f"{PHASES}/ASSEMBLE.md", *files], "FINAL.md")
        state["phase"] = "verify"
        save()
    if state["phase"] == "verify":
        text = (workspace / "FINAL.md").read_text()
        for number in sorted(set(re.findall(r"<sup>\\[(\\d+)\\]</sup>", text)), key=int):
            if number not in state["verified"]:
                order(f"Verify [{number}].", [f"{PHASES}/VERIFY.md", f"{workspace}/FINAL.md"],
                      f"verify-{number}.txt", citation=number)
                state["verified"].append(number)
                return save()
        state["phase"] = "done"
        save()
    print(json.dumps({"type": "done"}))


main()
"""
_RESEARCHER = """\
case "$out" in
00-scout.md) printf '### 1. How fast?\\n\\n### 2. How safe?\\n' ;;
FINAL.md) printf 'Fast.<sup>[1]</sup> Safe.<sup>[2]</sup>\\n' ;;
*) echo "result of $out" ;;
esac
"""


@pytest.fixture(params=["relative", "absolute"])
def workspace(request: pytest.FixtureRequest, project: Project) -> str:
    """As a person may write it."""
    return "planning/topic" if request.param == "relative" else str(project.root / "planning/topic")


def test_the_specs_minimal_example_runs(project: Project, workspace: str) -> None:
    """Both of its phases run once, each with its instructions filled, the second with the notes."""
    phases = {"GATHER.md": "Gather for {{workspace}}.", "SYNTHESIZE.md": "Synthesize."}
    project.skill(MINIMAL, phases, name="simple-research")
    done = project.run(skill="simple-research", workspace=workspace)
    assert done.returncode == 0, done.stderr
    assert project.runs() == ["notes.md", "FINAL.md"]
    actions = project.root / "planning/topic/.workflow/actions"
    assert f"Gather for {workspace}." in (actions / "1.1/prompt.md").read_text()
    assert "result of notes.md" in (actions / "3.1/prompt.md").read_text()
    files = project.files("planning/topic")
    assert files["FINAL.md"] == b"result of FINAL.md\n"
    assert files["progress.json"] == b'{"phase": "done"}'


def test_a_research_skill_of_the_public_shape_runs(project: Project, workspace: str) -> None:
    """Scout, one agent for each question, assemble, one verifier for each citation."""
    phases = dict.fromkeys(("SCOUT.md", "RESEARCH.md", "ASSEMBLE.md", "VERIFY.md"), "{{workspace}}")
    project.skill(RESEARCH, phases, name="wide-research")
    project.agent(_RESEARCHER)
    done = project.run(skill="wide-research", workspace=workspace)
    assert done.returncode == 0, done.stderr
    assert project.runs() == [
        "00-scout.md",
        "01-how-fast.md",
        "02-how-safe.md",
        "FINAL.md",
        "verify-1.txt",
        "verify-2.txt",
    ]
    assert b"result of verify-2.txt" in project.files("planning/topic")["verify-2.txt"]
