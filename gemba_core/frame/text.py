"""The form of a text in which it is typed and compared."""

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
    """The first line that says something, cut to `limit` characters, safe to show."""
    lines = text.replace("\r", "\n").split("\n")
    first = next(filter(None, map(deliverable, lines)), "").replace("\t", " ")
    return first if len(first) <= limit else first[: limit - 1] + "…"
