"""The programs that a command's words run: wrappers, from the outermost on, and the last one."""

import os
import re
import shlex
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from gemba_core.surface.programs import names


class Run(NamedTuple):
    """One program among the words: its own name is the first of `words[start:end]`.

    `name` is that of the file, or for what git runs the command: `git rm`.
    `script` is the shell text that it runs, None where it runs none;
    `is_wrapper` says that it runs the words behind its own.
    """

    name: str
    start: int
    end: int
    script: str | None
    is_wrapper: bool


class _Wrapper(NamedTuple):
    """The options that take the next word, and the words that stand between them and a program."""

    short: str = ""
    long: frozenset[str] = frozenset()
    operands: int = 0


# They run the words behind their own; git takes them for a command of its own.
_WRAPPERS = {
    "builtin": _Wrapper(),
    "busybox": _Wrapper(),
    "chronic": _Wrapper(),
    "chroot": _Wrapper("", names("userspec groups"), 1),
    "chrt": _Wrapper("DPT", names("sched-deadline sched-period sched-runtime"), 1),
    "command": _Wrapper(),
    "doas": _Wrapper("Cau"),
    "env": _Wrapper("CSu", names("chdir split-string unset")),
    "exec": _Wrapper("a"),
    "flock": _Wrapper("Ew", names("conflict-exit-code timeout wait"), 1),
    "git": _Wrapper("Cc", names("config-env git-dir namespace super-prefix work-tree")),
    "ionice": _Wrapper("cn", names("class classdata")),
    "nice": _Wrapper("n", names("adjustment")),
    "nohup": _Wrapper(),
    "setsid": _Wrapper(),
    "stdbuf": _Wrapper("eio", names("error input output")),
    "sudo": _Wrapper(
        "CDRTUghprtu",
        names(
            """
            chdir chroot close-from command-timeout group host other-user prompt role type user
            """
        ),
    ),
    "taskset": _Wrapper("", frozenset(), 1),
    "time": _Wrapper("fo", names("format output")),
    "timeout": _Wrapper("ks", names("kill-after signal"), 1),
    "xargs": _Wrapper(
        "EILPadns",
        names("arg-file delimiter max-args max-chars max-procs process-slot-var"),
    ),
}
_WATCH = _Wrapper("nq", names("equexit interval"))
_SPLIT = re.compile(r"-\w*S(.*)|--split-string(?:=(.*))?", re.DOTALL)
_ASSIGNED = re.compile(r"\w+=")

SHELLS = names("sh bash zsh dash ksh ash fish su")


def runs(words: Sequence[str]) -> Iterator[Run]:
    """The programs that these words run, each with its own words; the last one is not wrapped."""
    start, name = 0, ""
    while start < len(words):
        within = "git " if name == "git" else ""
        name = within + os.path.basename(words[start])
        wrapper = _WRAPPERS.get(name)
        script = _script(name, words[start:])
        end = len(words)
        if wrapper is not None and script is None:
            end = start + _own(wrapper, words[start:])
        yield Run(name, start, end, script, wrapper is not None)
        start = end


def without_assignments(words: Sequence[str]) -> list[str]:
    """A wrapper's own words but for the variables that it sets."""
    return [word for word in words if not _ASSIGNED.match(word)]


def _own(wrapper: _Wrapper, words: Sequence[str]) -> int:
    """How many of the words are the wrapper's: its name, options, their values and operands."""
    at = 1
    while at < len(words) and words[at].startswith("-"):
        at += 2 if _takes_next(wrapper, words[at]) else 1
        if words[at - 1] == "--":
            break
    while at < len(words) and _ASSIGNED.match(words[at]):
        at += 1
    return min(at + wrapper.operands, len(words))


def _takes_next(wrapper: _Wrapper, word: str) -> bool:
    """Whether the option's value is the next word. Long ones may be cut short."""
    if word.startswith("--"):
        return len(word) > 2 and any(name.startswith(word[2:]) for name in wrapper.long)
    letters = word[1:]
    first = next((at for at, letter in enumerate(letters) if letter in wrapper.short), None)
    return first is not None and first == len(letters) - 1


def _script(name: str, words: Sequence[str]) -> str | None:
    """The shell text that the program is given in its words."""
    rest = words[1:]
    if name == "eval":
        return " ".join(rest)
    if name == "watch":
        return " ".join(words[_own(_WATCH, words) :])
    if name == "trap":
        given = [word for word in rest if not word.startswith("-")]
        return given[0] if len(given) > 1 else None
    if name == "env":
        return _split(words)
    return _behind_c(rest) if name in SHELLS else None


def _split(words: Sequence[str]) -> str | None:
    """What `env -S` makes words of, and the words behind it."""
    own = words[: _own(_WRAPPERS["env"], words)]
    for at, word in enumerate(own):
        if found := _SPLIT.fullmatch(word):
            attached = found[1] or found[2]
            behind = at + 1 if attached else at + 2
            return " ".join([attached or words[behind - 1], shlex.join(words[behind:])])
    return None


def _behind_c(rest: Sequence[str]) -> str | None:
    """What `sh -c` runs: the first word behind its options."""
    for at, word in enumerate(rest):
        if re.fullmatch(r"-\w*c\w*", word):
            return next((one for one in rest[at + 1 :] if one[:1] not in ("-", "+")), None)
    return None
