"""The installed hooks, in the real Codex CLI."""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gemba_core import home
from tests.commands import SCRIPTS, run_cli
from tests.install import codex_client

CODEX = codex_client.find()
pytestmark = pytest.mark.skipif(
    CODEX is None,
    reason="the Codex CLI is not installed: `make clients`, or name it: GEMBA_TEST_CODEX",
)

ASK = f"{SCRIPTS}/gemba-ask --kind question --role coach --text 'Blue or green?'"
TURN = ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", "SessionEnd"]
VETTED = ["--dangerously-bypass-hook-trust", "--skip-git-repo-check"]


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A repository, in which codex has the scripted model; its own folder is ~/.codex."""
    path = tmp_path / "project"
    path.mkdir()
    subprocess.run(["git", "init", "-q"], cwd=path, check=True)
    with codex_client.scripted_model(ASK) as config:
        (Path.home() / ".codex").mkdir()
        (Path.home() / ".codex" / "config.toml").write_text(config)
        yield path


def frames(session_id: str) -> list[dict[str, Any]]:
    """The session's log."""
    path = Path(home.log_path(session_id))
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def hooks(session_id: str) -> list[str]:
    """The names of the client's own hooks, as they were recorded."""
    return [frame["hook"] for frame in frames(session_id) if not frame["hook"].startswith("Gemba")]


def codex_exec(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """One turn of the client in a session called `s`."""
    assert CODEX is not None
    argv = [CODEX, "exec", *VETTED, *options, "go"]
    return codex_client.run(argv, folder, {"GEMBA_SESSION_ID": "s"})


def test_hooks_of_the_user_fire(folder: Path) -> None:
    """Each once, and the agent's own ask is among them."""
    run_cli("gemba", "install-bridge", "--agent", "codex", "--scope", "user", cwd=folder)
    done = codex_exec(folder, "--dangerously-bypass-approvals-and-sandbox")
    assert done.returncode == 0, done.stderr
    assert "clamping" not in done.stderr
    assert "failed to parse" not in done.stderr
    assert hooks("s") == TURN
    assert [one["hook"] for one in frames("s") if one["hook"] == "GembaAsk"] == ["GembaAsk"]


def test_hooks_of_a_project_fire_once_it_is_trusted(folder: Path) -> None:
    """`.codex/hooks.json` is read, but only in a folder that the person trusts."""
    run_cli("gemba", "install-bridge", "--agent", "codex", cwd=folder)
    codex_exec(folder, "--dangerously-bypass-approvals-and-sandbox")
    assert hooks("s") == []
    with codex_client.scripted_model(ASK) as config:
        trusted = f'\n[projects."{folder}"]\ntrust_level = "trusted"\n'
        (Path.home() / ".codex" / "config.toml").write_text(config + trusted)
        codex_exec(folder, "--dangerously-bypass-approvals-and-sandbox")
    assert hooks("s") == TURN


def test_a_sandboxed_agent_can_ask(folder: Path) -> None:
    """The log's folder is writable to it, and the rest of the home is not."""
    (folder / "try.sh").write_text(f"{ASK}\ntouch {home.home()}/forged\n")
    with codex_client.scripted_model(f"sh {folder}/try.sh") as config:
        (Path.home() / ".codex" / "config.toml").write_text(config)
        # The test's own folder lies below /tmp, which the sandbox leaves open.
        with (Path.home() / ".codex" / "config.toml").open("a") as file:
            file.write("\n[sandbox_workspace_write]\nexclude_slash_tmp = true\n")
        run_cli("gemba", "install-bridge", "--agent", "codex", "--scope", "user", cwd=folder)
        done = codex_exec(folder, "--sandbox", "workspace-write")
    assert "GembaAsk" in [frame["hook"] for frame in frames("s")], done.stderr
    assert "forged" not in {path.name for path in Path(home.home()).iterdir()}


def test_what_the_client_writes_meanwhile_survives_the_uninstall(folder: Path) -> None:
    """Codex keeps trust and more in the file that has our folder."""
    config = Path.home() / ".codex" / "config.toml"
    before = config.read_text()
    run_cli("gemba", "install-bridge", "--agent", "codex", "--scope", "user", cwd=folder)
    with config.open("a") as file:
        file.write(f'\n[hooks.state."{config.parent}/hooks.json:stop:0:0"]\ntrusted_hash = "x"\n')
    written = config.read_text()
    ours = f'[sandbox_workspace_write]\nwritable_roots = ["{home.sessions_dir()}"]\n'
    run_cli(
        *("gemba", "install-bridge", "--agent", "codex", "--scope", "user", "--uninstall"),
        cwd=folder,
    )
    assert config.read_text().split() == written.replace(ours, "").split()
    assert config.read_text().startswith(before)
    assert not (config.parent / "hooks.json").exists()


def test_gemba_run_starts_it_with_a_session_of_its_own(folder: Path) -> None:
    """The hooks report to that session, and the start prompt is the one that was announced."""
    run_cli("gemba", "install-bridge", "--agent", "codex", "--scope", "user", cwd=folder)
    args = json.dumps(["exec", *VETTED, "--dangerously-bypass-approvals-and-sandbox"])
    (folder / ".gemba").mkdir()
    (folder / ".gemba" / "agents.toml").write_text(
        f'[[agent]]\nname = "c"\nbinary = "{CODEX}"\nargs = {args}\npreamble = "-Go.\\nNow."\n'
    )
    done = codex_client.run([f"{SCRIPTS}/gemba", "run"], folder, {})
    assert done.returncode == 0, done.stderr
    [log] = [path.stem for path in Path(home.sessions_dir()).glob("c-*.jsonl")]
    assert hooks(log) == TURN
    [prompt] = [one["payload"]["prompt"] for one in frames(log) if one["hook"] == TURN[1]]
    assert prompt == "-Go.\nNow."
    [echo] = [one["payload"] for one in frames(log) if one["hook"] == "GembaEcho"]
    assert echo["length"] == len(prompt)
