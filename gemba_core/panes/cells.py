"""Text as a terminal lays it out, in cells."""

import unicodedata

# Combining marks and format characters share the cell of the character before them.
_NO_CELL = frozenset({"Mn", "Me", "Cf"})


def width(text: str) -> int:
    """How many cells the text takes on one row; a guess for characters newer than the tables."""
    return sum(map(_width, text))


def takes_no_cell(character: str) -> bool:
    """Whether it shares the cell of the character before it, or is not shown at all."""
    return unicodedata.category(character) in _NO_CELL


def left_of(row: str, column: int) -> str:
    """The part of the row before `column`, filled up with spaces to exactly that many cells.

    A wide character that straddles the column is left out.
    """
    taken, used = "", 0
    for character in row:
        used += _width(character)
        if used > column:
            break
        taken += character
    return taken + " " * (column - width(taken))


def _width(character: str) -> int:
    if takes_no_cell(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1
