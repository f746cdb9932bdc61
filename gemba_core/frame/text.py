"""The forms of a text: in which it is typed and compared, and in which it is shown."""

# What turns the direction of the text around it, so that it reads as something else.
_TURNING = dict.fromkeys((0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)))
_REMOVED = {code: None for code in (*range(0x20), *range(0x7F, 0xA0)) if chr(code) not in "\n\t"}


def deliverable(text: str) -> str:
    """CR and CRLF to LF, control characters except newline and tab removed, ends trimmed.

    Idempotent. Source: wire.md, "A prompt".
    """
    if text.isprintable():
        return text.strip()
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    return lines.translate(_REMOVED).strip()


def one_line(text: str, limit: int = 80) -> str:
    """The first line that says something, cut to `limit` characters."""
    lines = text.replace("\r", "\n").split("\n")
    first = next(filter(None, map(deliverable, lines)), "").replace("\t", " ")
    return first if len(first) <= limit else first[: limit - 1] + "…"


def shown(text: str) -> str:
    """`deliverable`, without the marks that would let it reorder what a terminal shows."""
    return deliverable(text).translate(_TURNING).strip()


def shown_line(text: str, limit: int = 80) -> str:
    """`one_line` of the text as it is `shown`."""
    return one_line(shown(text), limit)


def counted(number: int, noun: str) -> str:
    """`1 log`, `2 logs`."""
    return f"{number} {noun}{'' if number == 1 else 's'}"
