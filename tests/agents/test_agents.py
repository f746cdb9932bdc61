"""agents.toml: what is accepted, and every problem at once with its line."""

from pathlib import Path

import pytest

from gemba_core.agents import choose, load
from gemba_core.errors import GembaError, UsageError
from gemba_core.toml_file import TomlInvalid


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Where the file under test is written."""
    return tmp_path / "agents.toml"


def problems(file: Path, text: str) -> list[str]:
    """`line: what` of each problem that is found."""
    file.write_text(text)
    with pytest.raises(TomlInvalid) as caught:
        load(str(file))
    assert str(caught.value).count(f"{file}:") == len(caught.value.problems)
    return [f"{one.line}: {one.what}" for one in caught.value.problems]


def test_an_entry_has_its_values(file: Path) -> None:
    """Every key is taken as it stands; what is left out has its default."""
    file.write_text(
        '[[agent]]\nname = "a"\nbinary = "claude"\nargs = ["-x"]\nmodel = "m"\npreamble = "Go."\n'
        'hooks = false\ninteraction_mode = "cautious"\npermissions = "inbox"\n'
        'permission_timeout = 5\n[[agent]]\nname = "b"\nbinary = "b"\n'
    )
    full, bare = load(str(file))
    assert (full.args, full.model, full.preamble) == (("-x",), "m", "Go.")
    assert (full.hooks, full.interaction_mode) == (False, "cautious")
    assert (full.permissions, full.permission_timeout) == ("inbox", 5.0)
    assert (bare.args, bare.hooks, bare.permissions) == ((), True, "native")
    assert (bare.interaction_mode, bare.permission_timeout) == (None, None)


@pytest.mark.parametrize(
    ("program", "words"),
    [
        ('binary = "/opt/my tools/x"', ("/opt/my tools/x",)),
        ("command = \"npx '@openai/codex' --x\"", ("npx", "@openai/codex", "--x")),
        ('command = ["a b", "c"]', ("a b", "c")),
    ],
)
def test_a_command_is_split_as_a_shell_would(
    file: Path, program: str, words: tuple[str, ...]
) -> None:
    """A binary and a list are taken as they are."""
    file.write_text(f'[[agent]]\nname = "a"\n{program}\n')
    assert load(str(file))[0].program == words


@pytest.mark.parametrize(
    ("program", "client"),
    [
        ('binary = "/usr/bin/claude"', "claude"),
        ('command = "npx @openai/codex"', "codex"),
        ('command = "/bin/bash agent.sh"', "shell-only"),
        ('binary = "aider"', "mine"),
    ],
)
def test_the_kind_of_agent_comes_from_its_program(file: Path, program: str, client: str) -> None:
    """Known clients and shells by their program, anything else by the agent's name."""
    file.write_text(f'[[agent]]\nname = "mine"\n{program}\n')
    assert load(str(file))[0].client == client


def test_all_problems_are_told_at_once_with_their_lines(file: Path) -> None:
    """Unknown keys, wrong values, missing ones and a repeated name, in several entries."""
    text = (
        '# comment\n[[agent]]\nname = "one"\nbinary = "claude"\nhook = true\n'
        'interaction_mode = "wild"\npermission_timeout = 9999\n\n'
        '[[agent]]\nname = "one"\ncommand = "x \'y"\n\n[[agent]]\nbinary = "x"\n'
        '\n[[agents]]\nname = "q"\n'
    )
    assert problems(file, text) == [
        "5: unknown key: hook (did you mean hooks?)",
        "6: interaction_mode: 'wild' is no mode; one of dangerous, balanced, cautious",
        "7: permission_timeout: 9999: it should be less than or equal to 570",
        "10: a second agent named 'one'; rename one of them",
        "11: command: No closing quotation",
        "13: name is missing; add name = …",
        "16: unknown: agents (did you mean agent?); each agent is an [[agent]] table",
    ]


def test_text_within_a_string_is_no_line_of_the_file(file: Path) -> None:
    """A preamble that looks like TOML does not shift the lines."""
    text = '[[agent]]\nname = "a"\nbinary = "x"\npreamble = """\n[[agent]]\nnme = 1\n"""\nnme = 1\n'
    assert problems(file, text) == ["8: unknown key: nme (did you mean name?)"]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('[[agent]]\nname = "a"\n', "1: no program; give binary or command"),
        ('[[agent]]\nname = "a"\nbinary = "b"\ncommand = "c"\n', "4: binary and command"),
        ('[[agent]]\nname = "a"\nbinary = ""\n', "3: binary is empty"),
        ('[[agent]]\nname = "a"\ncommand = []\n', "3: command is empty"),
        ('[[agent]]\nname = "a/b"\nbinary = "x"\n', "2: name: 'a/b': a name begins"),
        ('[[agent]]\nname = "a"\nbinary = "x"\nmodel = "m"\n', "4: a model is known to"),
        ('[[agent]]\nname = "a"\nbinary = "x"\nhooks = "yes"\n', "4: hooks: 'yes': it should"),
        ('[[agent]]\nname = "a"\nbinary = "x"\n[agent.more]\nk = 1\n', "4: unknown key: more"),
        ('[agent]\nname = "a"\n', "1: one agent only; write [[agent]]"),
        ('agent = [\n  {name = "a"},\n]\n', "1: no program"),
        ('[[agent]]\nname = "a"\nbinary = x\n', "3: not valid TOML"),
        ('[[agent]]\nname = "a\n', "2: not valid TOML"),
    ],
)
def test_a_problem_says_where_and_what(file: Path, text: str, problem: str) -> None:
    """One fault, one line, and a way out."""
    assert [one[: len(problem)] for one in problems(file, text)] == [problem]


def test_a_file_in_another_encoding_is_told(file: Path) -> None:
    """With the line of the first byte that is not UTF-8."""
    file.write_bytes(b'# ok\nname = "\xe9"\n')
    with pytest.raises(TomlInvalid, match=r":2: not UTF-8"):
        load(str(file))


def test_a_name_chooses_and_the_only_one_needs_none(file: Path) -> None:
    """With several agents a name has to be given."""
    file.write_text('[[agent]]\nname="a"\nbinary="x"\n[[agent]]\nname="b"\nbinary="y"\n')
    both = load(str(file))
    assert choose(both, "b", "f").name == "b"
    assert choose(both[:1], None, "f").name == "a"
    with pytest.raises(UsageError, match=r"which agent.* a, b"):
        choose(both, None, "f")
    with pytest.raises(UsageError, match="'c'; there is a, b"):
        choose(both, "c", "f")
    with pytest.raises(GembaError, match="no agent is declared") as caught:
        choose((), None, "f")
    assert caught.value.exit_code == 1
