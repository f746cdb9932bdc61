"""What `gemba-ask` takes, and how a call of it in a skill is wrong.

The options are those of the command itself, which this room does not import;
a test keeps both equal.
"""

import difflib
from collections.abc import Iterator
from dataclasses import dataclass

from gemba_core.frame.vocabulary import (
    EXPIRY_CANCEL,
    EXPIRY_DEFAULT,
    EXPIRY_WAIT,
    KINDS,
    ROLES,
)
from gemba_core.settings import seconds
from gemba_core.skills.lint.commands import Command, Word

CHOICES = {"--kind": KINDS, "--role": ROLES}
# With any value.
VALUES = (
    "--text",
    "--text-file",
    "--title",
    "--bead",
    "--option",
    "--key",
    "--deadline",
    "--on-expiry",
    "--timeout",
    "--resume",
)
FLAGS = ("--wait", "--json", "--version", "--help")
_OPTIONS = (*CHOICES, *VALUES, *FLAGS)


@dataclass(frozen=True, slots=True)
class Wrong:
    """What is wrong in a call, and the word where; None: the call as a whole."""

    word: Word | None
    message: str


@dataclass(frozen=True, slots=True)
class Ask:
    """A call as `gemba-ask` would read it: of an option given twice the last counts."""

    command: Command
    options: dict[str, Word]
    wrong: tuple[Wrong, ...]

    @property
    def kind(self) -> str | None:
        """`question`, `blocker`, or None where it is not said, or not to be known."""
        return self._value("--kind")

    @property
    def role(self) -> str | None:
        """`coach`, `manager`, or None as for `kind`."""
        return self._value("--role")

    def _value(self, option: str) -> str | None:
        word = self.options.get(option)
        return word.text if word is not None and word.is_known else None


def read_ask(command: Command) -> Ask:
    """The call's options, and all that is wrong with it."""
    options: dict[str, Word] = {}
    wrong: list[Wrong] = []
    words = [_bare(word) for word in command.words]
    while words:
        word = words.pop(0)
        name, equals, value = word.text.partition("=")
        if name not in _OPTIONS and (word.is_known or name.startswith("--")):
            wrong.append(Wrong(word, _unknown(name)))
            name = _nearest(name) or name  # read as it was meant: one slip, one finding
        if name in FLAGS:
            options[name] = word
        elif name not in _OPTIONS:
            continue
        elif equals:
            options[name] = Word(value, word.start, word.end)
        elif words:
            options[name] = words.pop(0)
        else:
            wrong.append(Wrong(word, f"{name} without a value"))
    wrong += [Wrong(options[name], said) for name, said in _bad_values(options)]
    if command.is_whole and not {"--help", "--version"} & options.keys():
        wrong += [Wrong(None, said) for said in _bad_together(options)]
    return Ask(command, options, tuple(wrong))


def _bare(word: Word) -> Word:
    """`[--bead ID]`: what a usage line shows as optional is read as given."""
    text = word.text.removeprefix("[") if word.text.startswith("[-") else word.text
    return Word(text.removesuffix("]") if "[" not in text else text, word.start, word.end)


def _unknown(name: str) -> str:
    if not name.startswith("-"):
        return f"gemba-ask takes no word {name!r} here; give texts in quotes, behind their option"
    near = _nearest(name)
    return f"gemba-ask has no option {name}" + (f"; did you mean {near}?" if near else "")


def _nearest(name: str) -> str | None:
    """The option that somebody meant who wrote this one."""
    near = difflib.get_close_matches(name, _OPTIONS, n=1) if name.startswith("-") else []
    return near[0] if near else None


def _bad_values(options: dict[str, Word]) -> Iterator[tuple[str, str]]:
    for name, word in options.items():
        if not word.is_known:
            continue
        if name in CHOICES and word.text not in CHOICES[name]:
            yield name, f"{name} is {' or '.join(CHOICES[name])}, not {word.text!r}"
        elif name in ("--timeout", "--deadline") and seconds(word.text) is None:
            yield name, f"{name} {word.text!r} is no time such as 90s, 10m or 2h"
        elif name == "--on-expiry" and not _is_fallback(word.text):
            yield name, f"--on-expiry is wait, cancel or default=VALUE, not {word.text!r}"
        elif name in VALUES and not word.text.strip():
            yield name, f"{name} is empty"


def _bad_together(options: dict[str, Word]) -> Iterator[str]:
    if "--resume" in options:
        if "--wait" not in options:
            yield "--resume goes with --wait"
        for name in (*CHOICES, *VALUES):
            if name in options and name not in ("--resume", "--timeout"):
                yield f"--resume does not go with {name}"
        return
    missing = [name for name in CHOICES if name not in options]
    texts = [name for name in ("--text", "--text-file") if name in options]
    if not texts:
        missing.append("--text")
    if missing:
        yield f"{' and '.join(missing)} missing; gemba-ask needs --kind, --role and --text"
    if len(texts) == 2:
        yield "--text and --text-file; give one of them"
    if "--timeout" in options and "--wait" not in options:
        yield "--timeout goes with --wait"
    if "--on-expiry" in options and "--deadline" not in options:
        yield "--on-expiry goes with --deadline"


def _is_fallback(text: str) -> bool:
    value = text.removeprefix(EXPIRY_DEFAULT)
    return text in (EXPIRY_WAIT, EXPIRY_CANCEL) or (value != text and bool(value.strip()))
