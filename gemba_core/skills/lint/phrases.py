"""What a body says or shows, by patterns, where it does not forbid it."""

import re
from collections.abc import Iterable, Iterator

from gemba_core.skills.lint.commands import SHELL_LANGUAGES, is_led_to_forbidden
from gemba_core.skills.lint.passages import Passage
from gemba_core.skills.lint.prohibition import forbids

# Such a section repeats for the person at the pane what gemba-ask has recorded.
_ECHO = re.compile(r"\W*(?:questions|blockers)\W*", re.IGNORECASE)

Place = tuple[Passage, int, int]


def in_words(passages: Iterable[Passage], pattern: re.Pattern[str]) -> Iterator[Place]:
    """Where prose says so. Backticks are read as spaces."""
    for passage in passages:
        if passage.kind == "code":
            continue
        for found in pattern.finditer(passage.text.replace("`", " ")):
            if not _is_forbidden(passage, found.start(), found.end()):
                yield passage, found.start(), found.end()


def in_code(
    passages: Iterable[Passage], pattern: re.Pattern[str], *, shell_only: bool = False
) -> Iterator[Place]:
    """Where a block of code, or code within words, has it."""
    for passage in passages:
        if pattern.search(passage.text) is None:
            continue  # most: their inside is not worth a look
        if passage.kind == "code":
            if shell_only and passage.language not in SHELL_LANGUAGES:
                continue
            if is_led_to_forbidden(passage):
                continue
            for found in pattern.finditer(passage.text):
                if not (shell_only and _is_remark(passage.text, found.start())):
                    yield passage, found.start(), found.end()
        for span in passage.code:
            for found in pattern.finditer(span.text):
                if not _is_forbidden(passage, span.start, span.end):
                    yield passage, span.start + found.start(), span.start + found.end()


def is_echo(passage: Passage) -> bool:
    """Whether it stands under `## Questions` or `## Blockers`."""
    return bool(passage.headings) and _ECHO.fullmatch(passage.headings[-1]) is not None


def _is_remark(text: str, at: int) -> bool:
    """Whether that place of a shell's text is in a line which is a comment."""
    return text[text.rfind("\n", 0, at) + 1 :].lstrip().startswith("#")


def _is_forbidden(passage: Passage, start: int, end: int) -> bool:
    return is_led_to_forbidden(passage) or forbids(passage.words, start, end)
