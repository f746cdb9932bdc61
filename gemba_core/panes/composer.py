"""What is known of each client's input line. Clients change: it all stands in one table."""

from dataclasses import dataclass

from gemba_core.panes.look import Look

MAX_LINE_BYTES = 4000

# Seconds, and characters that a client takes in for each further second.
_SETTLE = 0.2
_PER_SECOND = 50_000


@dataclass(frozen=True)
class Composer:
    """A client's input line.

    bracketed_paste  a pasted text arrives whole, line breaks and all
    placeholder      how the stand-in that it shows for a long paste begins
    obeyed           first characters that it takes for a command, not for text
    settle           seconds after a paste in which it swallows Enter or makes a newline of it
    shows_cursor     the terminal's cursor is hidden while a dialog is up, and only then
    """

    bracketed_paste: bool
    placeholder: str | None
    obeyed: str
    settle: float
    shows_cursor: bool = False


_UNKNOWN = Composer(bracketed_paste=False, placeholder=None, obeyed="", settle=_SETTLE)
_COMPOSERS = {
    "claude": Composer(
        bracketed_paste=True, placeholder="[Pasted text ", obeyed="/!#@", settle=_SETTLE
    ),
    "codex": Composer(
        bracketed_paste=True,
        placeholder="[Pasted Content ",
        obeyed="/!@$",
        settle=_SETTLE,
        shows_cursor=True,
    ),
    "gemini": Composer(
        bracketed_paste=True, placeholder="[Pasted Text: ", obeyed="/!@", settle=_SETTLE
    ),
}


def composer_of(agent_type: str) -> Composer:
    """The client's input line; for a client that is not known, one that promises nothing."""
    return _COMPOSERS.get(agent_type, _UNKNOWN)


def unready(composer: Composer, before: Look) -> str | None:
    """Why its input line is not to be typed into now: a dialog, or a person's own draft."""
    if composer.shows_cursor and not before.cursor_shown:
        return "the agent's input line is not there: a dialog may be up in its pane"
    if composer.bracketed_paste and any(map(str.isalnum, before.prompt)):
        return "somebody has begun to type in the agent's input line"
    return None


def begun(text: str, before: Look) -> bool:
    """Whether the beginning of this very text stands in front of the cursor already.

    A deliverer that died while it pasted leaves that, where a program takes what
    is typed without brackets.
    """
    return any(before.prompt.endswith(text[:length]) for length in range(2, len(text) + 1))


def typable(text: str, composer: Composer) -> str:
    """The text, with a space in front where the client would obey its first character.

    Receipts are compared trimmed, so the space does not show.
    """
    return f" {text}" if text.startswith(tuple(composer.obeyed)) else text


def refusal(text: str, composer: Composer) -> str | None:
    """Why this `deliverable` text can't be typed there unchanged; None if it can.

    Without bracketed paste each line is a submission of its own, and a cooked
    terminal cuts a line at 4,096 bytes without a word.
    """
    if composer.bracketed_paste:
        return None
    hint = "this agent is not known to take a pasted text whole; let it wait with gemba-ask --wait"
    if "\n" in text:
        return f"the answer has more than one line, and {hint}"
    length = len(text.encode())
    if length > MAX_LINE_BYTES:
        return f"the answer has {length:,} bytes, more than {MAX_LINE_BYTES:,}, and {hint}"
    return None


def settling(text: str, composer: Composer) -> float:
    """Seconds to wait between the paste and the first Enter."""
    return composer.settle + len(text) / _PER_SECOND
