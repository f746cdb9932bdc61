"""Tools by their own names, unknown ones by what looks like a path."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gemba_core.clients import CLAUDE, client_of
from gemba_core.surface import Surface, Touch, load, touches_of_call
from tests.guard.calls import Workspace, made

OUTSIDE = [
    ("claude", "Read", {"file_path": "{root}/secret/file"}),
    ("claude", "Read", {"file_path": "{root}/work/../secret/file"}),
    ("claude", "Read", {"file_path": "{root}/work/out/file"}),
    ("claude", "Read", {"file_path": "../secret/file"}),
    ("claude", "Read", {"file_path": "~/.ssh/id"}),
    ("claude", "Read", {"path": "{root}/secret/file"}),
    ("claude", "Write", {"file_path": "{root}/library/file"}),
    ("claude", "Write", {"file_path": "{root}/work/out/new"}),
    ("claude", "Edit", {"file_path": "{root}/library/file"}),
    ("claude", "MultiEdit", {"file_path": "{root}/library/file"}),
    ("claude", "NotebookEdit", {"notebook_path": "{root}/library/file"}),
    ("claude", "Glob", {"pattern": "{root}/secret/*"}),
    ("claude", "Glob", {"pattern": "../**/file"}),
    ("claude", "Glob", {"pattern": "*/../../secret/*"}),
    ("claude", "Glob", {"pattern": "*", "path": "{root}"}),
    ("claude", "Glob", {"pattern": "{a,../secret}/*"}),
    ("claude", "Glob", {"pattern": "{a,{b,/etc}}/*"}),
    ("claude", "Glob", {"pattern": "sub/{a,*}/{b,..}/../../secret/*"}),
    ("claude", "Grep", {"pattern": "x", "path": "{root}/secret"}),
    ("claude", "LS", {"path": "{root}"}),
    ("claude", "Bash", {"command": "cat ../secret/file"}),
    ("codex", "Bash", {"command": "cat ../secret/file"}),
    ("codex", "Bash", {"command": ["bash", "-lc", "cat ../secret/file"]}),
    ("codex", "exec_command", {"cmd": "cat file", "workdir": "{root}/secret"}),
    ("codex", "view_image", {"path": "{root}/secret/file"}),
    (
        "codex",
        "apply_patch",
        {"command": "*** Begin Patch\n*** Add File: ../new\n+x\n*** End Patch"},
    ),
    ("codex", "apply_patch", {"input": "*** Begin Patch\n*** Delete File: {root}/library/file\n"}),
    (
        "codex",
        "apply_patch",
        {"command": "*** Begin Patch\n*** Update File: file\n*** Move to: ../library/f\n"},
    ),
    ("codex", "Bash", {"command": "apply_patch <<'E'\n*** Begin Patch\n*** Add File: ../n\nE\n"}),
    ("gemini", "read_file", {"absolute_path": "{root}/secret/file"}),
    ("gemini", "read_file", {"file_path": "../secret/file"}),
    ("gemini", "write_file", {"file_path": "{root}/library/file", "content": ""}),
    ("gemini", "replace", {"file_path": "{root}/library/file"}),
    ("gemini", "list_directory", {"path": "{root}"}),
    ("gemini", "glob", {"pattern": "../*"}),
    ("gemini", "search_file_content", {"pattern": "x", "path": "{root}/secret"}),
    ("gemini", "read_many_files", {"paths": ["file", "../secret/*"]}),
    ("gemini", "run_shell_command", {"command": "cat file", "directory": "../secret"}),
    ("gemini", "run_shell_command", {"command": "cat ../secret/file"}),
    ("claude", "mcp__files__get", {"target": "{root}/secret/file"}),
    ("claude", "mcp__files__get", {"deep": [{"in": "../secret"}]}),
    ("claude", "mcp__files__get", {"uri": "file://{root}/secret/file"}),
    ("claude", "mcp__files__get", {"path": ".."}),
    ("claude", "mcp__files__get", {"path": "sub/../../secret/new"}),
    ("claude", "mcp__files__get", {"path": "new/../../secret/file"}),
    ("claude", "mcp__files__get", {"path": "out/../../secret/new"}),
    ("claude", "mcp__files__get", {"paths": ["file", "out/file"]}),
    ("claude", "mcp__files__get", {"path": "out"}),
    ("claude", "mcp__files__put", {"target": "{root}/library/file"}),
    ("claude", "mcp__files__put", {"path": ".claude/settings.json"}),
    ("claude", "mcp__shell__run", {"command": "cat ../secret/file"}),
    ("", "Anything", {"path": "~/x"}),
]
INSIDE = [
    ("claude", "Read", {"file_path": "{root}/work/file"}),
    ("claude", "Read", {"file_path": "{root}/library/file"}),
    ("claude", "Read", {"file_path": "{root}/work/../library/file"}),
    ("claude", "Read", {"file_path": "{root}/work/inner/file"}),
    ("claude", "Read", {"file_path": "file"}),
    ("claude", "Write", {"file_path": "{root}/work/new/file", "content": "{root}/secret"}),
    ("claude", "Edit", {"file_path": "{root}/work/file", "old_string": "/etc", "new_string": "~"}),
    ("claude", "Glob", {"pattern": "**/*.py"}),
    ("claude", "Grep", {"pattern": "/etc/passwd", "path": "{root}/library", "glob": "*.py"}),
    ("claude", "Grep", {"pattern": "/etc/passwd"}),
    ("claude", "Bash", {"command": "cat file ../library/file > sub/new", "description": "/etc"}),
    ("claude", "TodoWrite", {"todos": [{"content": "/etc/passwd"}]}),
    ("claude", "AskUserQuestion", {"questions": [{"question": "/etc or ~?"}]}),
    ("codex", "apply_patch", {"command": "*** Begin Patch\n*** Add File: sub/new\n+/etc/passwd\n"}),
    ("gemini", "read_many_files", {"paths": ["file", "sub/*"]}),
    ("gemini", "write_file", {"file_path": "{root}/work/file", "content": "/etc/passwd"}),
    ("claude", "mcp__files__get", {"target": "{root}/work/file", "pattern": "a/b"}),
    ("claude", "mcp__files__get", {"path": "sub/new", "text": "out/ or ../../secret, no path"}),
    ("claude", "mcp__web__get", {"url": "https://example.org/etc/passwd"}),
    ("claude", "mcp__web__get", {"url": "https://example.org/../../../etc/passwd"}),
]


def filled(value: Any, root: str) -> Any:
    """The input with the workspace's own path in it."""
    if isinstance(value, str):
        return value.replace("{root}", root)
    if isinstance(value, list):
        return [filled(one, root) for one in value]
    return {key: filled(one, root) for key, one in value.items()}


def refusals(place: Workspace, client: str, tool: str, given: dict[str, Any]) -> list[str]:
    """Why that call is refused."""
    surface = load(str(place.surface))
    arguments = filled(given, str(place.root))
    touches = touches_of_call(client_of(client), tool, arguments, str(place.work))
    return [said for touch in touches if (said := surface.refusal(touch))]


@pytest.mark.parametrize(("client", "tool", "given"), OUTSIDE)
def test_what_leads_out_is_refused(
    place: Workspace, client: str, tool: str, given: dict[str, Any]
) -> None:
    """By `..`, by a link, by a pattern, by a patch, or by naming it."""
    assert refusals(place, client, tool, given)


@pytest.mark.parametrize(("client", "tool", "given"), INSIDE)
def test_what_stays_within_is_not(
    place: Workspace, client: str, tool: str, given: dict[str, Any]
) -> None:
    """Texts that merely look like paths are no paths where the tool is known."""
    assert refusals(place, client, tool, given) == []


@pytest.mark.parametrize(
    "path",
    [
        ".claude/settings.json",
        ".claude/settings.local.json",
        "sub/.claude/settings.json",
        ".CLAUDE/Settings.json",
        ".codex/hooks.json",
        ".codex/config.toml",
        ".gemini/settings.json",
        "hooked",
    ],
)
def test_hooks_are_never_written(place: Workspace, path: str) -> None:
    """Whoever writes them could switch the guard off."""
    (place.work / "hooked").symlink_to(".claude/settings.json")
    assert refusals(place, "claude", "Write", {"file_path": path})
    assert refusals(place, "claude", "Read", {"file_path": path}) == []


def test_the_person_s_own_hooks_are_never_written(
    place: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever the clients' own folders are, even within the surface."""
    monkeypatch.setenv("CODEX_HOME", str(place.work / "codex"))
    assert refusals(place, "codex", "Bash", {"command": "tee codex/hooks.json"})
    assert refusals(place, "codex", "Bash", {"command": "rm -r codex"})
    assert refusals(place, "codex", "Bash", {"command": "tee codex/other"}) == []


def test_gemba_s_home_is_neither_read_nor_written(place: Workspace) -> None:
    """Not even where the surface has it."""
    place.limit(f'{{"read": ["{place.root}"], "write": ["{place.root}"]}}')
    for command in ("cat ../home/x", "touch ../home/x", "rm -r ..", "grep -r x .."):
        assert refusals(place, "claude", "Bash", {"command": command}), command
    assert refusals(place, "claude", "Grep", {"pattern": "x", "path": "{root}"})
    assert refusals(place, "claude", "Bash", {"command": "ls .."}) == []


steps = st.lists(
    st.sampled_from(["..", ".", "sub", "out", "inner", "file", "new", "work"]), max_size=8
)


@given(steps=steps, is_write=st.booleans())
def test_a_path_is_judged_by_where_it_really_leads(
    tmp_path_factory: pytest.TempPathFactory, steps: list[str], is_write: bool
) -> None:
    """Through links and `..`: allowed if, and only if, the real place is within."""
    place = made(tmp_path_factory.mktemp("place"))
    surface = Surface(read=(str(place.root / "library"),), write=(str(place.work),))
    path = "/".join(steps) or "."
    real = (place.work / path).resolve()
    touch = Touch(path, str(place.work), is_write)
    assert (surface.refusal(touch) is None) == real.is_relative_to(place.work)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=10,
)


@given(
    tool=st.sampled_from(sorted(CLAUDE.tools)) | st.text(),
    given=st.dictionaries(
        st.sampled_from(["file_path", "path", "pattern", "command", "glob"]) | st.text(),
        json_values,
        max_size=4,
    ),
)
def test_any_input_is_judged(tool: str, given: dict[str, Any]) -> None:
    """Whatever the client sends, every touch is one that can be looked at."""
    for touch in touches_of_call(CLAUDE, tool, given, "/"):
        assert isinstance(touch, Touch)
