"""What well-known programs do with the words behind them. All others are taken to read them."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple


class Use(NamedTuple):
    """A word, and what is done to the file of that name."""

    word: str
    is_write: bool = False
    is_deep: bool = False


def names(text: str) -> frozenset[str]:
    """The words of the text."""
    return frozenset(text.split())


# They say their words, or calculate with them.
_SPEAK = names(
    """
    echo printf true false : basename dirname expr seq tr sleep kill exit return unset
    alias type which hash umask shift
    """
)
_WRITE_ALL = names(
    """
    rm rmdir unlink shred mv tee touch mkdir ln chmod chown chgrp truncate mkfifo mknod
    """
)
_HAVE_TARGET = frozenset({"cp", "install", "rsync", "scp", "mv", "ln"})
_DEEP = names(
    """
    rm mv ln cp rsync chmod chown chgrp find grep egrep fgrep rg tar zip tree du fd ag
    install
    """
)
# Their first word is a script, a pattern or a mode, unless an option gave it.
_SCRIPTED = {
    "sed": re.compile(r"-\w*[ef].*|--(expression|file)\b.*"),
    "awk": re.compile(r"-\w*f.*|--file\b.*"),
    "gawk": re.compile(r"-\w*f.*|--file\b.*"),
    "grep": re.compile(r"-\w*[ef].*|--(regexp|file)\b.*"),
    "egrep": re.compile(r"-\w*[ef].*|--(regexp|file)\b.*"),
    "fgrep": re.compile(r"-\w*[ef].*|--(regexp|file)\b.*"),
    "rg": re.compile(r"-\w*[ef].*|--(regexp|file|files)\b.*"),
    "jq": re.compile(r"-\w*f.*|--from-file\b.*"),
    "perl": re.compile(r"-\w*[eE].*"),
    "chmod": re.compile(r"--reference\b.*"),
    "chown": re.compile(r"--reference\b.*"),
    "chgrp": re.compile(r"--reference\b.*"),
}
# The word behind one of these is no file.
_SCRIPT_OPTIONS = re.compile(r"-\w*[eE]|--(expression|regexp)")
_IN_PLACE = re.compile(r"-[a-zA-Z]*i.*|--in-place\b.*")
# Without a word they look at the current folder.
_LOOK_HERE = frozenset({"ls", "find", "tree", "du", "rg", "fd", "ag", "dir"})
_TARGET = re.compile(r"-t(.+)|--target-directory=(.+)", re.DOTALL)
_PATH_LIKE = re.compile(r"/|~|\.\.?(/|$)")
_IN_OPTION = re.compile(r"--?[\w-]+=(.+)|-\w([/~.].*)", re.DOTALL)
_NAMED = re.compile(r"\w+=(.+)", re.DOTALL)

# They run the words behind them.
WRAPPERS = names(
    """
    sudo env command builtin exec nohup nice time timeout xargs stdbuf setsid doas ionice
    chronic
    """
)
SHELLS = frozenset({"sh", "bash", "zsh", "dash", "ksh"})


def wrapped(name: str, rest: list[str]) -> list[str]:
    """The words behind a wrapper's own options."""
    while rest:
        word = rest[0]
        is_own = word.startswith("-") or (name == "env" and "=" in word)
        if not (is_own or (name in ("timeout", "nice") and word[:1].isdigit())):
            break
        rest = rest[1:]
    return rest


def script_of(rest: list[str]) -> str | None:
    """What `sh -c` runs."""
    for at, word in enumerate(rest[:-1]):
        if re.fullmatch(r"-\w*c", word):
            return rest[at + 1]
    return None


def uses(program: str, words: Sequence[str]) -> Iterator[Use]:
    """The files among a program's words."""
    if program in _SPEAK:
        return
    options = [word for word in words if word.startswith("-")]
    files = list(_without_script(program, words, options))
    writes_all = program in _WRITE_ALL or (
        program in ("sed", "perl") and any(_IN_PLACE.fullmatch(option) for option in options)
    )
    if program == "find" and {"-delete", "-exec", "-execdir", "-ok", "-okdir"} & set(options):
        writes_all = True
    deep = program in _DEEP
    target = _target(program, words, files)
    for word in files:
        is_target = word is target
        # What find writes is chosen by name: not all of it.
        is_chosen = program == "find" and writes_all
        yield Use(word, writes_all or is_target, deep and not (is_target or is_chosen))
        if is_chosen:
            yield Use(word, is_deep=True)
    if not files and program in _LOOK_HERE:
        yield Use(".", is_deep=deep)
    for word in words:
        yield from _within(program, word, writes_all)


def _without_script(program: str, words: Sequence[str], options: Sequence[str]) -> Iterator[str]:
    """The words that may be files."""
    by_option = _SCRIPTED.get(program)
    skip = by_option is not None and not any(by_option.fullmatch(option) for option in options)
    after, ended = "", False
    for word in words:
        is_script = by_option is not None and bool(_SCRIPT_OPTIONS.fullmatch(after))
        after = word
        if word == "--" and not ended:
            ended = True
        elif is_script or (word.startswith("-") and not ended):
            continue
        elif skip:
            skip = False
        elif program != "dd":
            yield word


def _target(program: str, words: Sequence[str], files: Sequence[str]) -> str | None:
    """The word that says where the others go."""
    if program not in _HAVE_TARGET or not files:
        return None
    for at, word in enumerate(words[:-1]):
        if word in ("-t", "--target-directory"):
            return words[at + 1]
    if any(_TARGET.fullmatch(word) for word in words):
        return None  # told by `_within`
    return files[-1]


def _within(program: str, word: str, writes_all: bool) -> Iterator[Use]:
    """A file that is only a part of its word: `--output=/x`, `-I/x`, `of=/x`."""
    found = _IN_OPTION.fullmatch(word) or _NAMED.fullmatch(word)
    if found is None:
        return
    value = next(group for group in found.groups() if group)
    is_dd = program == "dd" and word.startswith(("if=", "of="))
    if is_dd or _PATH_LIKE.match(value):
        is_target = program in _HAVE_TARGET and _TARGET.fullmatch(word) is not None
        yield Use(value, writes_all or is_target or (is_dd and word.startswith("of=")))
