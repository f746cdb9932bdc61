"""What well-known programs do with the words behind them.

All others are taken to read them, and perhaps to write those that nobody may write.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple


class Use(NamedTuple):
    """A word, and what is done to the file of that name, as `Touch` has it."""

    word: str
    is_write: bool = False
    is_deep: bool = False
    is_doubtful: bool = False
    named: tuple[str, ...] = ()


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
) | {"git mv"}
_HAVE_TARGET = frozenset({"cp", "install", "rsync", "scp", "mv", "ln"})
_DEEP = names(
    """
    rm mv ln cp rsync chmod chown chgrp grep egrep fgrep rg tar zip tree du fd ag install
    """
) | {"git rm", "git mv", "git clean"}
# They change no file that their words name, unless by an option.
_READ = _SPEAK | names(
    """
    cat head tail tac nl cut grep egrep fgrep rg ag sed awk gawk jq ls dir stat file wc du
    test diff cmp comm md5sum sha1sum sha256sum cksum strings readlink realpath cd pushd
    """
)
_READ |= {
    f"git {command}"
    for command in names(
        """
        add blame branch cat-file check-ignore clean commit describe diff fetch grep log
        ls-files ls-tree push remote rev-parse rm shortlog show status tag
        """
    )
}
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
_DRY = re.compile(r"-[a-zA-Z]*n[a-zA-Z]*|--dry-run|--cached")
_OUTPUT = re.compile(r"--output\b.*", re.DOTALL)
# Without a word they look at the current folder.
_LOOK_HERE = frozenset({"ls", "tree", "du", "rg", "fd", "ag", "dir", "git clean"})
# What it leaves out is not touched.
_LEAVES_OUT = re.compile(r"--(?:exclude|ignore)[\w-]*(=.*)?", re.DOTALL)
_TARGET = re.compile(r"-t(.+)|--target-directory=(.+)", re.DOTALL)
_PATH_LIKE = re.compile(r"/|~|\.\.?(/|$)")
_IN_OPTION = re.compile(r"--?[\w-]+=(.+)|-\w([/~.].*)", re.DOTALL)
_NAMED = re.compile(r"\w+=(.+)", re.DOTALL)


def only_reads(program: str, words: Sequence[str]) -> bool:
    """Whether the program is known to change no file that these words name."""
    if program not in _READ or _writes_all(program, words):
        return False
    return not any(map(_OUTPUT.fullmatch, words))


def uses(program: str, words: Sequence[str]) -> Iterator[Use]:
    """The files among a program's words."""
    if program in _SPEAK:
        return
    options = [word for word in words if word.startswith("-")]
    files = list(_without_script(program, words, options))
    writes_all = _writes_all(program, words)
    deep = program in _DEEP
    target = _target(program, words, files)
    for word in files:
        is_target = word is target
        yield Use(word, writes_all or is_target, deep and not is_target)
    if not files and program in _LOOK_HERE:
        yield Use(".", writes_all, deep)
    for word in words:
        yield from _within(program, word, writes_all)
    if not only_reads(program, words):
        yield from _doubtful(words)


def _writes_all(program: str, words: Sequence[str]) -> bool:
    """Whether the program changes each file that its words name."""
    if program in ("sed", "awk", "gawk", "perl"):
        return any(map(_IN_PLACE.fullmatch, words))
    if program in ("git rm", "git clean"):
        return not any(map(_DRY.fullmatch, words))
    return program in _WRITE_ALL


def _doubtful(words: Sequence[str]) -> Iterator[Use]:
    """Whatever may be a file that is written, for all that is known."""
    is_left_out = False
    for word in words:
        option = _LEAVES_OUT.fullmatch(word)
        if not (is_left_out or option):
            yield Use(word, is_doubtful=True)
            if (value := _value(word)) is not None:
                yield Use(value, is_doubtful=True)
        is_left_out = option is not None and option[1] is None


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
    value = _value(word)
    if value is None:
        return
    is_dd = program == "dd" and word.startswith(("if=", "of="))
    if is_dd or _PATH_LIKE.match(value):
        is_target = program in _HAVE_TARGET and _TARGET.fullmatch(word) is not None
        yield Use(value, writes_all or is_target or (is_dd and word.startswith("of=")))


def _value(word: str) -> str | None:
    found = _IN_OPTION.fullmatch(word) or _NAMED.fullmatch(word)
    return None if found is None else next(group for group in found.groups() if group)
