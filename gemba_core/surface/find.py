"""find's own language: where it looks, for which names, and what it does with what it finds."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile
from typing import NamedTuple

from gemba_core.surface import words
from gemba_core.surface.programs import Use, names, only_reads
from gemba_core.surface.runs import runs

_RUNS = names("-exec -execdir -ok -okdir")
_ENDS = names("; +")
_NAMES = names("-name -iname")
_OR = names("-o -or")
# With these a name may be what is left out.
_TURNS = names("! -not ,")
_OUTPUTS = names("-fprint -fprint0 -fprintf -fls")
# They stand before the folders.
_FIRST = re.compile(r"-[HLP]|-O\d*")


class Search(NamedTuple):
    """A call of find: its own words, and the commands that it runs, without their `{}`."""

    own: list[str]
    commands: list[list[str]]


def search_of(rest: Sequence[str]) -> Search:
    """The words behind find in their parts."""
    search = Search([], [])
    is_own = True
    for word in rest:
        if is_own and word in _RUNS:
            is_own = False
            search.commands.append([])
        elif is_own:
            search.own.append(word)
        elif word in _ENDS:
            is_own = True
        elif words.plain(word) != "{}":
            search.commands[-1].append(word)
    return search


def uses_of(search: Search) -> Iterator[Use]:
    """The files among find's own words, and what becomes of those that it finds."""
    for word in search.own:
        if not word.startswith("-"):
            yield Use(word, is_deep=True)
    changes = "-delete" in search.own or not all(map(_only_reads, search.commands))
    for start in _starts(search.own):
        yield Use(start, is_deep=True)
        if changes:
            yield Use(start, is_write=True, is_deep=True, named=_named(search.own))
    for option, word in pairwise(search.own):
        if option in _OUTPUTS:
            yield Use(word, is_write=True)


def _only_reads(command: Sequence[str]) -> bool:
    """Whether a command that it runs is known to change none of what it is given."""
    return all(
        run.is_wrapper or (run.script is None and only_reads(run.name, command[run.start + 1 :]))
        for run in runs([words.plain(word) for word in command])
    )


def _starts(own: Sequence[str]) -> list[str]:
    """The folders that it looks through."""
    behind = [word for word in own if _FIRST.fullmatch(word) is None]
    return list(takewhile(lambda word: word[:1] not in ("-", "(", "!"), behind)) or ["."]


def _named(own: Sequence[str]) -> tuple[str, ...]:
    """The patterns of which each file that is found matches one; empty where any may be found."""
    patterns: list[str] = []
    ways: list[list[str]] = [[]]
    for word in own:
        if word in _OR:
            ways.append([])
        else:
            ways[-1].append(word)
    for way in ways:
        wanted = [value for word, value in pairwise(way) if word in _NAMES]
        if not wanted or _TURNS.intersection(way):
            return ()
        patterns.append(words.plain(wanted[0]))
    return tuple(patterns)
