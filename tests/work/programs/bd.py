"""A stand-in for Beads' `bd`: what Gemba uses of it, as Beads 1.0.3 documents and does it.

It keeps the issues of the folder that it runs in in `.beads/issues.json`. A file
`.beads/dies` makes it end within a claim, as if it were killed there; a file
`.beads/rival` has somebody else claim an issue at the last moment.
"""

import argparse
import fcntl
import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

_STORE = os.path.join(".beads", "issues.json")
_DIES = os.path.join(".beads", "dies")
_RIVAL = os.path.join(".beads", "rival")

Issue = dict[str, Any]


def main() -> None:
    options = _options()
    if not os.path.isdir(".beads"):
        _print_error("no active beads workspace found")
    with _issues() as issues:
        answer = _COMMANDS[options.command](issues, options)
    if not answer and options.command in ("update", "close"):
        sys.exit(1)
    _print(answer)


def _ready(issues: dict[str, Issue], options: argparse.Namespace) -> list[Issue]:
    found = [one for one in issues.values() if one["status"] == "open"]
    if options.unassigned:
        found = [one for one in found if not one.get("assignee")]
    return found[: options.limit or None]


def _list(issues: dict[str, Issue], options: argparse.Namespace) -> list[Issue]:
    found = [one for one in issues.values() if options.all or one["status"] != "closed"]
    return found[: options.limit or None]


def _show(issues: dict[str, Issue], options: argparse.Namespace) -> list[Issue]:
    if options.id not in issues:
        print(f"Error fetching {options.id}: not found", file=sys.stderr)
        _print_error("no issues found matching the provided IDs")
    return [issues[options.id]]


def _update(issues: dict[str, Issue], options: argparse.Namespace) -> list[Issue]:
    issue = issues.get(options.id)
    if issue is None:
        print(f"Error resolving {options.id}: not found", file=sys.stderr)
        return []
    if options.claim:
        if os.path.exists(_RIVAL):
            _claimed(issue, "rival")
        why = _claimed(issue, options.actor)
        if why:
            print(f"Error claiming {options.id}: {why}", file=sys.stderr)
            return []
        if os.path.exists(_DIES):
            _write(issues)
            os._exit(137)
    if options.status is not None:
        issue["status"] = options.status
    if options.assignee is not None:
        issue["assignee"] = options.assignee
    metadata = issue.setdefault("metadata", {})
    for given in options.set_metadata:
        key, _, value = given.partition("=")
        metadata[key] = _value(value)
    for key in options.unset_metadata:
        metadata.pop(key, None)
    return [issue]


def _claimed(issue: Issue, actor: str) -> str | None:
    """Compare and set; why not, if it is refused."""
    assignee, status = issue.get("assignee", ""), issue["status"]
    if status == "open" and assignee in ("", actor):
        issue.update(assignee=actor, status="in_progress")
        return None
    if (assignee, status) == (actor, "in_progress"):
        return None
    taken = f"issue already claimed by {assignee}"
    return taken if assignee else f"issue not claimable: status {status}"


def _close(issues: dict[str, Issue], options: argparse.Namespace) -> list[Issue]:
    issue = issues[options.id]
    if issue.get("pinned"):
        print(f"cannot close {options.id}: it is pinned", file=sys.stderr)
        return []
    issue.update(status="closed", close_reason=options.reason)
    return [issue]


def _value(text: str) -> Any:
    """Metadata keeps what looks like a number as a number."""
    try:
        return json.loads(text)
    except ValueError:
        return text


@contextmanager
def _issues() -> Iterator[dict[str, Issue]]:
    with open(os.path.join(".beads", "lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with open(_STORE) as file:
            issues = {one["id"]: one for one in json.load(file)}
        yield issues
        _write(issues)


def _write(issues: dict[str, Issue]) -> None:
    with open(_STORE + ".new", "w") as file:
        json.dump(list(issues.values()), file)
    os.replace(_STORE + ".new", _STORE)


def _print(answer: Any) -> None:
    if os.environ.get("BD_JSON_ENVELOPE") == "1":
        answer = {"schema_version": 1, "data": answer}
    print(json.dumps(answer, indent=2))


def _print_error(message: str) -> NoReturn:
    _print({"error": message})
    sys.exit(1)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bd")
    commands = parser.add_subparsers(dest="command", required=True)
    for name in _COMMANDS:
        command = commands.add_parser(name)
        command.add_argument("--json", action="store_true", required=True)
        command.add_argument("--actor", default="somebody")
        if name in ("ready", "list"):
            command.add_argument("--limit", type=int, default=50)
        if name == "ready":
            command.add_argument("--unassigned", action="store_true")
        if name == "list":
            command.add_argument("--all", action="store_true")
        if name in ("show", "update", "close"):
            command.add_argument("id")
        if name == "update":
            command.add_argument("--claim", action="store_true")
            command.add_argument("--status")
            command.add_argument("--assignee")
            command.add_argument("--set-metadata", action="append", default=[])
            command.add_argument("--unset-metadata", action="append", default=[])
        if name == "close":
            command.add_argument("--reason", default="Closed")
    return parser.parse_args()


_COMMANDS = {"ready": _ready, "list": _list, "show": _show, "update": _update, "close": _close}

if __name__ == "__main__":
    main()
