"""`gemba-ask`: one question or blocker from an agent to a person.

Without `--wait` it writes one frame and needs nothing running. The spec of its
contract: spec 000, "Skill authoring contract (Coach / Manager)".
"""

import json
import os
import sys
import time

import click

from gemba_core import caller
from gemba_core.errors import GembaError, UsageError
from gemba_core.frame.line import MAX_INPUT, new_event_id, timestamp
from gemba_core.frame.text import deliverable
from gemba_core.frame.vocabulary import (
    EXPIRY_CANCEL,
    EXPIRY_DEFAULT,
    EXPIRY_WAIT,
    KINDS,
    ROLES,
    may_ask,
    urgency,
)
from gemba_core.log import record

_LONGEST_DEADLINE = 365 * 86400.0

_EPILOG = """\
Examples:

\b
  gemba-ask --kind question --role coach --text "Default to test key or fail hard?"
  gemba-ask --kind blocker --role manager --bead gm-7 --text "Need STRIPE_SECRET_KEY."
  answer=$(gemba-ask --kind question --role coach --text "Which colour?" \\
           --option blue=Blue --option green=Green --wait --timeout 10m)
  gemba-ask --kind question --role manager --text "Squash the commits?" --option yes \
            --option no --deadline 2h --on-expiry default=no
  gemba-ask --resume 3f9c0a12be77d041 --wait

\b
Exit codes:
  0  asked; with --wait: answered (the answer alone is on standard output; where it
     mentions a $skill, a line --- and the skill's guidance follow)
  1  failed, and it says why: nothing was written; or, while it waited, the answer
     could not be printed and is kept
  2  usage, no session, or the role or mode forbids the ask
  3  denied
  4  no answer in time: the question stays open; take it up with --resume ID --wait
  5  deferred: the operator put it aside
  6  canceled, or expired: nobody answered by the deadline (--on-expiry cancel)
  7  no person answered by the deadline: the default that you declared is on
     standard output (--on-expiry default=VALUE)
A silence is never exit 0.
"""


@click.command(epilog=_EPILOG, context_settings={"help_option_names": ["--help", "-h"]})
@click.option("--kind", type=click.Choice(KINDS), help="question: there is a sensible default.")
@click.option("--role", type=click.Choice(ROLES), help="A coach asks; a manager may also block.")
@click.option("--text", help="What to ask; `-` reads it from standard input.")
@click.option("--text-file", type=click.Path(dir_okay=False), help="Read the text from a file.")
@click.option("--title", help="A headline; else the text's first line.")
@click.option("--bead", metavar="ID", help="The work item that this is about.")
@click.option(
    "--option", "options", multiple=True, metavar="VALUE[=LABEL]", help="A choice; repeatable."
)
@click.option("--key", help="Asking again with this key is the same escalation while it is open.")
@click.option("--deadline", metavar="TIME", help="When it is too late to answer: 30m, 2h from now.")
@click.option(
    "--on-expiry",
    metavar="wait|cancel|default=VALUE",
    help="Then: stay open (wait), expire, or take VALUE, which no person chose.",
)
@click.option(
    "--wait",
    is_flag=True,
    help="Block until it is settled, or --timeout is over; print the answer.",
)
@click.option("--timeout", metavar="TIME", help="How long to wait: 90s, 10m, 2h; by default 110s.")
@click.option("--resume", metavar="ID", help="Wait for an escalation that was asked before.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.version_option(package_name="gemba-toolkit")
def main(
    kind: str | None,
    role: str | None,
    text: str | None,
    text_file: str | None,
    title: str | None,
    bead: str | None,
    options: tuple[str, ...],
    key: str | None,
    deadline: str | None,
    on_expiry: str | None,
    wait: bool,
    timeout: str | None,
    resume: str | None,
    as_json: bool,
) -> None:
    """Ask a person, from inside an agent's session."""
    try:
        if resume is not None:
            asked = (kind, role, text, text_file, title, bead, options, key, deadline, on_expiry)
            if not wait or any(asked):
                raise UsageError("--resume ID goes with --wait, and with --timeout or --json only")
            sys.exit(_wait(caller.required_session_id(), resume, timeout, as_json, asked=None))
        if timeout is not None and not wait:
            raise UsageError("--timeout goes with --wait")
        session_id, event_id, payload = _payload(
            kind, role, _text(text, text_file), title, bead, options, key
        )
        payload |= _expiry(deadline, on_expiry, payload["options"])
        pressing = str(urgency(str(payload["mode"]), str(payload["kind"])))
        if wait:
            sys.exit(_wait(session_id, event_id, timeout, as_json, asked=payload))
        record(session_id, "GembaAsk", payload, agent_type=caller.agent_type(), event_id=event_id)
        _report(session_id, event_id, pressing, as_json, payload)
    except GembaError as error:
        _say(str(error))
        sys.exit(error.exit_code)


def _payload(
    kind: str | None,
    role: str | None,
    text: str,
    title: str | None,
    bead: str | None,
    options: tuple[str, ...],
    key: str | None,
) -> tuple[str, str, dict[str, object]]:
    """(session id, event id, payload) of the ask. Raises UsageError where it is forbidden."""
    if kind is None or role is None:
        missing = " and ".join(
            name for name, value in (("--kind", kind), ("--role", role)) if value is None
        )
        raise UsageError(f"missing {missing}: see gemba-ask --help")
    if key is not None and not deliverable(key):
        raise UsageError("--key: the key is empty; leave it out, or give one")
    session_id = caller.required_session_id()
    if not may_ask(role, kind):
        raise UsageError(
            "a coach never raises a blocker: ask with --kind question, "
            "or have a manager raise the blocker"
        )
    mode, assumed = caller.interaction_mode()
    if urgency(mode, kind) is None:
        raise UsageError(f"in {mode} mode nobody is asked: record your assumption and proceed")
    if assumed:
        _say(assumed)
    payload: dict[str, object] = {
        "kind": kind,
        "role": role,
        "text": text,
        "mode": mode,
        "bead_id": bead,
        "title": title,
        "options": _options(options) or None,
        "key": key,
        "reply_to": caller.return_address(),
    }
    return session_id, new_event_id(), payload


def _text(text: str | None, text_file: str | None) -> str:
    if (text is None) == (text_file is None):
        raise UsageError("give the text once: --text TEXT, --text - or --text-file FILE")
    if text == "-":
        data, where = sys.stdin.buffer.read(MAX_INPUT + 1), "standard input"
    elif text_file is not None:
        where = text_file
        try:
            with open(text_file, "rb") as file:
                data = file.read(MAX_INPUT + 1)
        except OSError as error:
            raise UsageError(
                f"{text_file}: {error.strerror}; give a file that can be read"
            ) from error
    else:
        data, where = str(text).encode("utf-8", "surrogateescape"), "--text"
    if len(data) > MAX_INPUT:
        raise UsageError(f"{where}: longer than 1 MiB; put it into a file and name the file")
    found = data.decode("utf-8", "replace")
    if not deliverable(found):
        raise UsageError(f"{where}: the text is empty; say what you ask")
    return found


def _options(given: tuple[str, ...]) -> list[dict[str, str]]:
    options = []
    for option in given:
        value, _, label = option.partition("=")
        if not deliverable(value):
            raise UsageError(f"--option {option!r}: no value before the '='")
        options.append({"value": value, "label": label or value})
    if len({option["value"] for option in options}) < len(options):
        raise UsageError("--option: two options have the same value")
    return options


def _expiry(deadline: str | None, on_expiry: str | None, options: object) -> dict[str, object]:
    """Until when it may be answered, and what happens then. Raises UsageError."""
    if deadline is None:
        if on_expiry is not None:
            raise UsageError("--on-expiry goes with --deadline TIME")
        return {}
    # Imported here: few asks have a deadline.
    from gemba_core.settings import seconds

    given = seconds(deadline)
    if given is None or given > _LONGEST_DEADLINE:
        raise UsageError(f"--deadline {deadline!r}: give a time up to 365d, such as 30m or 2h")
    on_expiry = on_expiry or EXPIRY_WAIT
    default = on_expiry.startswith(EXPIRY_DEFAULT)
    if on_expiry not in (EXPIRY_WAIT, EXPIRY_CANCEL) and not default:
        raise UsageError(f"--on-expiry {on_expiry!r}: give wait, cancel or default=VALUE")
    value = deliverable(on_expiry.removeprefix(EXPIRY_DEFAULT))
    values = [option["value"] for option in options] if isinstance(options, list) else []
    if default and not value:
        raise UsageError("--on-expiry default=: no value; give one, or say cancel")
    if default and values and value not in map(deliverable, values):
        raise UsageError(f"--on-expiry: {value!r} is none of the options: {', '.join(values)}")
    moment = timestamp(time.time_ns() + int(given * 1_000_000_000))
    return {"deadline": moment, "on_expiry": on_expiry}


def _at_deadline(payload: dict[str, object]) -> str:
    """What the agent is told about its deadline beforehand."""
    moment, on_expiry = payload.get("deadline"), payload.get("on_expiry")
    if moment is None or on_expiry == EXPIRY_WAIT:
        return ""
    if on_expiry == EXPIRY_CANCEL:
        return f" If nobody has answered by {moment}, it expires: no answer comes, which is no yes."
    return f" If nobody has answered by {moment}, you get your default, marked as such."


def _wait(
    session_id: str,
    escalation_id: str,
    timeout: str | None,
    as_json: bool,
    *,
    asked: dict[str, object] | None,
) -> int:
    if sys.stdout is None:
        raise UsageError("standard output is closed: nobody could read the answer")
    # Imported here: only a waiting call pays for the translator.
    from gemba_ask.waiting import wait_for

    return wait_for(
        session_id, escalation_id, timeout=timeout, as_json=as_json, asked=asked, say=_say
    )


def _report(
    session_id: str, event_id: str, pressing: str, as_json: bool, payload: dict[str, object]
) -> None:
    escalation_id, again = event_id, False
    if payload["key"] is not None:
        # Imported here: only an ask with a key may be one that is open already.
        from gemba_ask.waiting import asked_as

        item = asked_as(session_id, event_id)
        if item is not None and item.id != event_id:
            escalation_id, again, pressing = item.id, True, item.urgency
    collect = f"gemba-ask --resume {escalation_id} --wait"
    if payload["reply_to"] is not None or caller.answers_are_typed():
        comes = "the answer comes as a prompt of yours"
    else:
        comes = f"fetch the answer with `{collect}`"
    if pressing == "blocking":
        follows = f"Call `gemba-state prompting` and wait: {comes}."
    else:
        follows = f"Keep working with your best guess: {comes}."
    if not again:
        follows += _at_deadline(payload)
    if as_json:
        told = {
            "id": escalation_id,
            "session_id": session_id,
            "urgency": pressing,
            "state": "open",
            "asked_again": again,
            "next": follows,
        }
        shown = json.dumps(told)
    else:
        shown = f"{escalation_id}\nAsked{' again' if again else ''} ({pressing}). {follows}"
    try:
        os.write(1, f"{shown}\n".encode())
    except OSError as error:
        # It was asked, whether or not anybody can read so: no failure.
        _say(f"{escalation_id}: asked; standard output: {error.strerror}")


def _say(text: str) -> None:
    """A line for the agent and its person, where it does not mix with an answer."""
    try:
        os.write(2, f"gemba-ask: {text}\n".encode("utf-8", "replace"))
    except OSError:
        pass  # nobody listens
