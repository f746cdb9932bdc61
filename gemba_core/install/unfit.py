"""Why a file cannot be edited."""


class Unfit(Exception):
    """The text is not what it should be; `line` counts from 1. Nothing was changed."""

    def __init__(self, line: int, what: str) -> None:
        super().__init__(what)
        self.line = line
        self.what = what


def line_at(text: str, offset: int) -> int:
    """The line of that place in the text."""
    return text.count("\n", 0, offset) + 1
