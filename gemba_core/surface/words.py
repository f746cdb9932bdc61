"""The words of a shell command, as far as they can be known without running it.

While a word is put together, what was quoted in it is marked: each special
character stands as a lone surrogate, which no command's text can hold, since
it was UTF-8. So expansions see the unquoted ones only.
"""

import re
from collections.abc import Iterator

_SPECIAL = "*?[]{},~ \t\n"
_MARK = {ord(char): 0xDC00 + ord(char) for char in _SPECIAL}
_UNMARK = {marked: plain for plain, marked in _MARK.items()}
_UNQUOTE = {0xDC00 + ord(char): char for char in "*?[] \t\n"}
# Stands for what only the shell will know.
UNKNOWN = "\ud800"

_BRACES = re.compile(r"\{([^{}]*,[^{}]*)\}")
_WILD = re.compile(r"[*?\[]")
_SPACES = re.compile(r"[ \t\n]+")
# Beyond this many, a word is as good as unknown.
_MAX_WORDS = 256


def quoted(text: str) -> str:
    """The text with its special characters marked, so that nothing expands in it."""
    return text.translate(_MARK)


def unquoted(text: str) -> str:
    """The value of a variable outside of quotes: it is split at its spaces, and patterns match."""
    return text.translate(_UNQUOTE)


def plain(text: str) -> str:
    """The text without marks."""
    return text.translate(_UNMARK)


def is_known(text: str) -> bool:
    """Whether nothing in it is left to the shell."""
    return UNKNOWN not in text


def literal_folder(text: str) -> str | None:
    """The folder that the literal beginning of a word leads to; None where there is none."""
    beginning = text.partition(UNKNOWN)[0]
    wild = _WILD.search(beginning)
    if wild is not None:
        beginning = beginning[: wild.start()]
    elif beginning == text:
        return text
    return beginning[: beginning.rfind("/") + 1] or None


def is_pattern(text: str) -> bool:
    """Whether it names whatever files match it."""
    return _WILD.search(text) is not None


def split(text: str) -> Iterator[str]:
    """One word to the words that it becomes: by its braces, then by spaces in its variables."""
    for word in alternatives(text):
        # Too many to name each: what is left of the braces counts as not to be known.
        yield from filter(None, _SPACES.split(_BRACES.sub(UNKNOWN, word)))


def alternatives(text: str) -> list[str]:
    """What its braces make of it; beyond a number, braces are left."""
    words = [text]
    while len(words) < _MAX_WORDS:
        number, found = next(
            ((at, match) for at, word in enumerate(words) if (match := _BRACES.search(word))),
            (0, None),
        )
        if found is None:
            break
        word = words[number]
        words[number : number + 1] = [
            word[: found.start()] + part + word[found.end() :] for part in found[1].split(",")
        ]
    return words
