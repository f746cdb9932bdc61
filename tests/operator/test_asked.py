"""What an agent asks leave for, as the operator reads it in a terminal."""

import pytest

from tests.inbox.scene import hook
from tests.operator.desk import escalations


def page_of(tool: str, **tool_input: object) -> str:
    """The page of a permission to use that tool with that input."""
    item = hook("PermissionRequest", agent_type="claude", tool_name=tool, tool_input=tool_input)
    return escalations("show", item).stdout


def test_a_command_that_needs_leave_is_shown_in_its_own_lines() -> None:
    """And never cut or wrapped; what else the tool was given follows."""
    long = "echo " + "x" * 300
    page = page_of("Bash", command=f"rm -rf /x\n{long}", description="Tidy up", timeout=9)
    assert f"\ncommand:\n  rm -rf /x\n  {long}\ndescription: Tidy up\ntimeout: 9\n" in page


def test_an_edit_that_needs_leave_is_shown_as_a_diff() -> None:
    """What stays, goes and comes, with its indentation."""
    page = page_of(
        "Edit",
        file_path="/a.py",
        old_string="    x = 1\n    y = 2\n",
        new_string="    x = 1\n    y = 3\n",
        replace_all=False,
    )
    change = "      x = 1\n-     y = 2\n+     y = 3\n"
    assert f"\nfile_path: /a.py\n{change}" in page
    assert "\nreplace_all: false\n" in page


def test_each_of_several_edits_is_shown_as_a_diff() -> None:
    """In their order, behind the file that they are made in."""
    edits = [
        {"old_string": "a", "new_string": "b", "replace_all": True},
        {"old_string": "c", "new_string": ""},
    ]
    page = page_of("MultiEdit", file_path="/a", edits=edits)
    assert "\nfile_path: /a\n- a\n+ b\nreplace_all: true\n- c\n" in page


def test_an_input_without_a_form_of_its_own_is_shown_as_json() -> None:
    """Nothing that the tool was given is left out."""
    page = page_of("mcp__x", where={"path": ["é", 1]}, edits=[1], old_string="x", new_string=2)
    given = 'where: {"path":["é",1]}\nedits: [1]\nold_string: x\nnew_string: 2\n'
    assert given in page


def test_what_a_terminal_would_hide_is_named_in_what_needs_leave() -> None:
    """A person approves what they see: control characters, and marks that turn the order."""
    page = page_of("Bash", command="ls\x1b[2K\r\u202e # \u00a0x", **{"a\nb": 1})
    assert "command: ls<U+001B>[2K<U+000D><U+202E> # <U+00A0>x\na<U+000A>b: 1\n" in page
    assert "\x1b" not in page


def test_a_request_of_no_known_form_is_shown_as_it_stands() -> None:
    """Some clients tell a sentence, and no input."""
    item = hook(
        "Notification",
        agent_type="gemini",
        notification_type="ToolPermission",
        message="May I run ls?",
    )
    assert escalations("show", item).stdout.startswith("May I run ls?\n\n")


def test_a_change_that_is_too_large_to_compare_is_shown_whole() -> None:
    """All that goes before all that comes, and the command does not hang."""
    before, after = "a\nb\n" * 1000, "a\na\nb\n" * 700
    page = page_of("Edit", old_string=before.strip(), new_string=after.strip())
    assert "- a\n- b\n" * 1000 + "+ a\n+ a\n+ b\n" * 700 in page


@pytest.mark.parametrize("command", ["ls\nrm -rf /x", "ls\rrm -rf /x\n"])
def test_the_list_says_that_a_command_has_more_lines(command: str) -> None:
    """Its title is the first one, and might be all that somebody reads."""
    hook("PermissionRequest", tool_name="Bash", tool_input={"command": command})
    assert "(2 lines) Bash: ls" in escalations("list").stdout


def test_a_command_of_one_line_has_no_such_remark() -> None:
    """Its title says it all."""
    hook("PermissionRequest", tool_name="Bash", tool_input={"command": "ls\n"})
    assert " Bash: ls" in escalations("list").stdout
    assert "line" not in escalations("list").stdout
