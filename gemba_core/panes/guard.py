"""When a key may be pressed: tmux formats that are true only while what it is for is on the screen.

Enter, only while the text is in the input line.

An Enter into a permission dialog approves it, and a dialog swallows what was
pasted before. So "the text can be seen" is not enough: a dialog may show the
same words. What a dialog can't show is the input line as it was before the
paste (the cursor's row, up to the cursor: the prompt), now followed by the
text, with the cursor behind it. The clients put the terminal's cursor there
even where they hide it (tried with Claude Code 2.1.197 and Codex 0.169.0).

Where none of this can be told, the format is false and no Enter is pressed:
better unsent than approved.

A dialog's own key, only while that dialog stands where it was seen.
"""

from collections.abc import Mapping

from gemba_core.panes.address import PaneAddress
from gemba_core.panes.cells import takes_no_cell, width
from gemba_core.panes.composer import Composer
from gemba_core.panes.look import Look

# The frames that clients draw around their input line, and spaces.
_BLANKS = r"( |│|┃|\|)*"
# Input lines are narrower than the pane by their frame and margin.
_MARGIN = 10
# Parts of a longer text, in characters: short enough to stand on one row.
_HEAD = 24
_TAIL = 8

_CURSOR_ROW = "#{e|+:#{cursor_y},1}"


def reachable(address: PaneAddress) -> str:
    """The format that is true while this very pane lives and takes what is typed."""
    return _all(
        _equal("#{pid}", str(address.tmux_server_pid)),
        in_pane(address),
        _equal("#{pane_dead}", "0"),
        _equal("#{pane_in_mode}", "0"),
        _equal("#{pane_input_off}", "0"),
    )


def in_pane(address: PaneAddress) -> str:
    """The format that is true in that pane, and in no other one of its server."""
    same = _equal("#{pane_id}", address.tmux_pane)
    if address.tmux_session is None:
        return same
    return _all(same, _equal("#{session_name}", address.tmux_session))


def guard(address: PaneAddress, text: str, composer: Composer, before: Look) -> str:
    """The format that is true only while `text`, once pasted, stands in the input line.

    `text` is what is pasted, `before` the pane as it was just before that.
    Evaluated by tmux in the same command that presses Enter, so nothing that
    tmux has seen of the pane comes between.
    """
    seen = [_one_row(text, before)] if _fits_one_row(text, before) else _rows(text, before)
    if composer.placeholder:
        seen.append(_placeholder(composer.placeholder, before))
    shown = _equal("#{cursor_flag}", "1" if before.cursor_shown else "0")
    return _all(reachable(address), shown, _any(*seen))


def standing(address: PaneAddress, rows: Mapping[int, str]) -> str:
    """The format that is true only while these rows, by number from 0, stand just there.

    Each must be the first of its kind on the screen, and the cursor hidden.
    """
    there = (_equal(_found(f"^{_escaped(text)}$"), str(row + 1)) for row, text in rows.items())
    return _all(reachable(address), _equal("#{cursor_flag}", "0"), *there)


def _fits_one_row(text: str, before: Look) -> bool:
    # How wide a tab is shown is the client's business.
    if "\n" in text or "\t" in text:
        return False
    return before.cursor[0] + width(text) <= before.size[0] - _MARGIN


def _one_row(text: str, before: Look) -> str:
    """Prompt and text fill a row, and the cursor moved by exactly the text's width."""
    column, row = before.cursor
    found = _found(f"^{_escaped(before.prompt + text)}{_BLANKS}$")
    return _all(
        found,
        _equal("#{cursor_x}", str(column + width(text))),
        # The search gives the topmost row: an equal text further up must not hide this one.
        _any(_equal(found, _CURSOR_ROW), _equal("#{cursor_y}", str(row))),
    )


def _rows(text: str, before: Look) -> list[str]:
    """The text's end is at the cursor and, unless it scrolled away, its beginning at the prompt."""
    head, tail, last = _head(text), _tail(text), text.rpartition("\n")[2]
    ends = _at_cursor(tail, last, before)
    ways = []
    if not any(row.startswith(before.prompt + head) for row in before.screen):
        ways.append(_all(_found(f"^{_escaped(before.prompt + head)}"), ends))
    scrolls = text.count("\n") + width(text) // max(before.size[0], 1) >= before.size[1] // 2
    if scrolls and len(tail) == _TAIL and not any(tail in row for row in before.screen):
        ways.append(ends)
    return ways


def _head(text: str) -> str:
    """The first words, without one that a client might move to the next row."""
    line = text.partition("\n")[0].partition("\t")[0]
    head = line[:_HEAD]
    if len(line) > _HEAD:
        head = head.rpartition(" ")[0] or head
    # tmux does not search in the spaces at a row's end.
    return head.rstrip()


def _tail(text: str) -> str:
    return text.rpartition("\n")[2].rpartition("\t")[2][-_TAIL:]


def _at_cursor(tail: str, last: str, before: Look) -> str:
    """The tail ends a row, and the cursor is on that row or in the column behind the last line."""
    # A wrapped line may leave fewer characters than the tail on its last row.
    rests = "|".join(f"^{_BLANKS}{_escaped(tail[start:])}" for start in range(1, len(tail)))
    whole = _escaped(tail) if tail != last else f"^{_BLANKS}{_escaped(tail)}"
    found = _found(f"({whole}|{rests}){_BLANKS}$" if rests else f"({whole}){_BLANKS}$")
    indents = {0, before.cursor[0]}
    behind = [_equal("#{cursor_x}", str(indent + width(last))) for indent in sorted(indents)]
    return _all(found, _any(_equal(found, _CURSOR_ROW), *behind))


def _placeholder(placeholder: str, before: Look) -> str:
    """The client's stand-in for a long paste follows the prompt, and the cursor is behind it."""
    column, row = before.cursor
    found = _found(f"^{_escaped(before.prompt + placeholder)}")
    return _all(
        found,
        f"#{{e|>:#{{cursor_x}},{column + width(placeholder)}}}",
        _any(_equal(found, _CURSOR_ROW), _equal("#{cursor_y}", str(row))),
    )


def _found(pattern: str) -> str:
    """The topmost row, from 1, in which the POSIX pattern is found; 0 if none."""
    # What would end or begin something in a format, `#(command)` above all.
    safe = pattern.replace("#", "##").replace(",", "#,").replace("}", "#}")
    return f"#{{C/r:{safe}}}"


def _escaped(text: str) -> str:
    return "".join(map(_escaped_character, text))


def _escaped_character(character: str) -> str:
    if character in r"\.[]^$*+?(){}|":
        return f"\\{character}"
    # Not every terminal keeps these.
    return f"({character})?" if takes_no_cell(character) else character


def _equal(left: str, right: str) -> str:
    return f"#{{==:{left},{right}}}"


def _all(first: str, *others: str) -> str:
    for other in others:
        first = f"#{{&&:{first},{other}}}"
    return first


def _any(*conditions: str) -> str:
    if not conditions:
        return "0"
    first, *others = conditions
    for other in others:
        first = f"#{{||:{first},{other}}}"
    return first
