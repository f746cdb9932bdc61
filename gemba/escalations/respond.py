"""`gemba escalations respond`."""

import os
import sys

import click

from gemba.asked import asked
from gemba.completion import complete_ids
from gemba.escalations.operator import as_operator
from gemba.escalations.outcome import settle_and_deliver
from gemba.output import warn
from gemba_core import caller
from gemba_core.errors import GembaError, UsageError
from gemba_core.frame.line import MAX_INPUT
from gemba_core.frame.text import deliverable
from gemba_core.inbox.find import find
from gemba_core.inbox.opened import use_index

_MARKER = "# ---- your answer below; lines above are not sent ----"

_EPILOG = """\
Examples:

\b
  gemba escalations respond 3f9c "Use the test key."
  gemba escalations respond 3f9c          (opens your editor)
  git diff | gemba escalations respond 3f9c -

\b
Exit codes: 0 recorded (what became of the delivery is said); 1 failed; 2 usage;
4 no such escalation, or an ambiguous prefix; 5 already settled.
"""


@click.command(epilog=_EPILOG)
@click.argument("escalation", metavar="ID", shell_complete=complete_ids)
@click.argument("text", required=False, metavar="[TEXT|-]")
@click.option("--also", multiple=True, metavar="ID", help="Answer this one too; all or none.")
@click.option("--equal", is_flag=True, help="Also every open one that asks the same.")
@as_operator
@click.option("--nonce", help="For programs: the same nonce twice is one answer.")
@click.option("--json", "as_json", is_flag=True, help="What was settled and delivered.")
def respond(
    escalation: str,
    text: str | None,
    also: tuple[str, ...],
    equal: bool,
    operator: str | None,
    nonce: str | None,
    as_json: bool,
) -> None:
    """Answer with a text, and bring it to the agent. The beginning of an id is enough."""
    is_edited = text is None
    if text is None:
        text = _edited(escalation)
    elif text == "-":
        data = sys.stdin.buffer.read(MAX_INPUT + 1)
        text = data.decode("utf-8", "replace")
    _say_what_is_no_skill(text)
    try:
        settle_and_deliver(
            [escalation, *also],
            kind="modify",
            value=text,
            nonce=nonce,
            as_json=as_json,
            operator=operator,
            equal=equal,
        )
    except GembaError:
        if is_edited:
            click.echo(f"This is what you wrote:\n{text}", err=True)
        raise


def _say_what_is_no_skill(text: str) -> None:
    """Diagnose its $mentions; the answer goes out unchanged, and the agent's hook resolves them."""
    if "$" not in text:
        return
    # Imported here: most answers mention no skill.
    from gemba_core.skills.mentions.expand import expand

    warn(one.message for one in expand(text, os.getcwd()).diagnoses)


def _edited(escalation: str) -> str:
    """The text that the person writes below the question in their editor."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UsageError("no TEXT: give it, or `-` for standard input, or run on a terminal")
    item = use_index(lambda index: find(index, escalation))
    question = "\n".join(f"# {line}" for line, _ in asked(item))
    given = f"{question}\n{_MARKER}\n"
    editor = caller.editor()
    try:
        written = click.edit(given, editor=editor, extension=".md") or ""
    except click.ClickException as error:
        todo = "set EDITOR to your editor, or give the text as an argument"
        raise GembaError(f"{error.format_message()}: {todo}") from error
    answer = _answer(written, given)
    if not deliverable(answer):
        raise UsageError("nothing was written, so nothing is answered")
    return answer


def _answer(written: str, given: str) -> str:
    """What stands below the marker; where nothing does, all that was not given to begin with."""
    below = written.partition(f"{_MARKER}\n")[2]
    if deliverable(below):
        return below
    ours = frozenset(given.splitlines())
    return "\n".join(line for line in written.splitlines() if line not in ours)
