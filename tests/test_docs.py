"""Documentation cannot rot: every command has help, an example and its place in the docs."""

import re
import shlex
from collections.abc import Iterator
from importlib import import_module
from importlib.metadata import distribution
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from tests.commands import run_cli

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
CLI = ROOT / "docs" / "cli.md"
ENDS = frozenset({"|", "||", "&", "&&", ";", ";;", "(", ")", "<", "<<", "<<<", ">", ">>", ">&"})


def roots() -> dict[str, click.Command]:
    """The click command behind each console script that has one."""
    found = {}
    for script in distribution("gemba-toolkit").entry_points.select(group="console_scripts"):
        module = import_module(script.module)
        name = script.name.replace("gemba-", "")
        command = getattr(module, script.attr)
        command = command if isinstance(command, click.Command) else getattr(module, name, None)
        if isinstance(command, click.Command):
            found[script.name] = command
    return found


def walk(path: tuple[str, ...], command: click.Command) -> Iterator[tuple[str, ...]]:
    """Every command from there on, by its words."""
    yield path
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            child = command.get_command(context, name)
            assert child is not None
            yield from walk((*path, name), child)


COMMANDS = [words for name, root in roots().items() for words in walk((name,), root)]
ALL = [*COMMANDS, ("gemba-bridge",)]


def code_lines(page: Path) -> list[str]:
    """The command lines in the page's code blocks: all, or those behind a `$` where it has any."""
    lines: list[str] = []
    for block in re.findall(r"^```[^\n]*\n(.*?)^```", page.read_text(), re.MULTILINE | re.DOTALL):
        joined = [line.strip() for line in block.replace("\\\n", " ").splitlines()]
        prompted = [line[2:] for line in joined if line.startswith("$ ")]
        # Behind a gap a block may say what the command is for; backticks are within sentences.
        unprompted = [re.split(r"\s{3,}", line)[0] for line in joined if "`" not in line]
        lines += prompted or unprompted
    return lines


def calls(line: str) -> Iterator[list[str]]:
    """The calls of Gemba's commands in that line, each as its words."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars=True)
    try:
        words = list(lexer)
    except ValueError:
        return  # not a command line: an answer with an apostrophe in it
    names = {words[0] for words in ALL}
    for start, word in enumerate(words):
        if word in names:
            end = next((n for n in range(start, len(words)) if words[n] in ENDS), len(words))
            yield words[start:end]


def help_of(words: tuple[str, ...]) -> str:
    """What the command says of itself; `make smoke` asks each of them as a process."""
    root = roots().get(words[0])
    if root is None:
        return run_cli(*words, "--help").stdout
    said = CliRunner().invoke(root, [*words[1:], "--help"], prog_name=words[0])
    assert said.exit_code == 0
    return said.stdout


def test_the_walk_finds_the_commands() -> None:
    """Else every test below would pass by finding nothing."""
    assert {("gemba", "escalations", "respond"), ("gemba-ask",), ("gemba-state",)} <= set(COMMANDS)


@pytest.mark.parametrize("words", ALL, ids=" ".join)
def test_every_command_has_help_and_an_example(words: tuple[str, ...]) -> None:
    """What it is for, and how it is typed."""
    said = help_of(words)
    assert re.search(r"Examples?:", said)
    assert len(said.replace("Usage:", "", 1).strip().splitlines()) > 3
    # The example is the command itself, or for a group one of its commands.
    assert " ".join(words) in said.partition("Example")[2]


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_no_summary_is_cut(words: tuple[str, ...]) -> None:
    """What a group says of its commands fits the line."""
    listed = help_of(words).partition("\nCommands:\n")[2]
    assert "..." not in listed.partition("Example")[0]


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_every_option_is_explained(words: tuple[str, ...]) -> None:
    """A few words, or the choices that speak for themselves."""
    command: click.Command | None = roots()[words[0]]
    for word in words[1:]:
        assert isinstance(command, click.Group)
        command = command.get_command(click.Context(command), word)
    assert command is not None
    for option in command.params:
        if isinstance(option, click.Option):
            assert option.help or isinstance(option.type, click.Choice), option.name


@pytest.mark.parametrize("words", ALL, ids=" ".join)
def test_every_command_stands_in_the_reference(words: tuple[str, ...]) -> None:
    """docs/cli.md names it by all its words."""
    assert re.search(rf"{re.escape(' '.join(words))}\b", CLI.read_text())


def test_every_exit_code_of_gemba_ask_is_documented() -> None:
    """Each one of its --help has a row of its own in the README or in docs/cli.md."""
    said = run_cli("gemba-ask", "--help").stdout.partition("Exit codes:")[2]
    codes = re.findall(r"^\s+(\d)  ", said, re.MULTILINE)
    assert codes == list("01234567")
    pages = README.read_text() + CLI.read_text()
    for code in codes:
        assert re.search(rf"^[|*\-\s]*`?{code}`?\s*[|:–—-]?\s", pages, re.MULTILINE), code


@pytest.mark.parametrize("page", [README, CLI], ids=lambda page: page.name)
def test_every_command_line_in_the_docs_parses(page: Path) -> None:
    """Commands, options and their values exist as they are written there."""
    found = [call for line in code_lines(page) for call in calls(line)]
    assert found, f"{page}: no command line in a code block"
    for name, *rest in found:
        root = roots().get(name)
        if root is not None:
            parse(root, name, rest)


def parse(command: click.Command, name: str, words: list[str]) -> None:
    """Parse without running. Fails with click's own message."""
    if isinstance(command, click.Group) and words and not words[0].startswith("-"):
        child = command.get_command(click.Context(command), words[0])
        assert child is not None, f"{name} {words[0]}: no such command"
        parse(child, f"{name} {words[0]}", words[1:])
        return
    try:
        command.make_context(name, list(words))
    except click.exceptions.Exit:
        pass  # --help and --version
    except click.UsageError as error:
        pytest.fail(f"{name} {shlex.join(words)}: {error.format_message()}")
