"""Our block in a text that people write too: between two marks, each on a line of its own."""

import re

from gemba_core.install.unfit import Unfit, line_at

BEGIN = "<!-- gemba:begin -->"
END = "<!-- gemba:end -->"


def block(body: str, begin: str = BEGIN, end: str = END) -> str:
    """The body between its marks, without a newline at the end."""
    return f"{begin}\n{body.strip()}\n{end}"


def put_block(text: str, body: str) -> str:
    """The text with our block: in its place if it has one, else at the end. Raises Unfit."""
    newline = "\r\n" if "\r\n" in text else "\n"
    new = block(body).replace("\n", newline)
    found = _find(text)
    if found is not None:
        return text[: found[0]] + new + text[found[1] :]
    if text and not text.endswith("\n"):
        text += newline
    return text + (newline if text else "") + new + newline


def take_block(text: str, original: str | None) -> str:
    """The text without our block and the empty line before it. Raises Unfit."""
    found = _find(text)
    if found is None:
        return text
    start, end = found
    before, after = text[:start], text[end:]
    after = re.sub(r"\A\r?\n", "", after)
    before = re.sub(r"(\A|\n)\r?\n\Z", r"\1", before)
    if original is not None and not after and before == original + _last_newline(before):
        return original
    return before + after


def _last_newline(text: str) -> str:
    found = re.search(r"\r?\n\Z", text)
    return found[0] if found else ""


def _find(text: str) -> tuple[int, int] | None:
    """Where our block is. Raises Unfit where the marks are not one pair in order."""
    begins, ends = _marks(text, BEGIN), _marks(text, END)
    if not begins and not ends:
        return None
    if len(begins) != 1 or len(ends) != 1 or ends[0] < begins[0]:
        at = (begins or ends)[-1]
        raise Unfit(
            line_at(text, at), f"the marks {BEGIN} and {END} are not one pair; mend or remove them"
        )
    return begins[0], ends[0] + len(END)


def _marks(text: str, mark: str) -> list[int]:
    return [
        found.start(1)
        for found in re.finditer(rf"^({re.escape(mark)})[ \t]*\r?$", text, re.MULTILINE)
    ]
