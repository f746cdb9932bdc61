"""Hooks, instructions and sandbox of a client: put in, taken out, or only shown."""

import difflib
import os
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from msgspec.structs import replace

from gemba_core import home
from gemba_core.errors import GembaError
from gemba_core.install import backup, files, json_text, marked, merge
from gemba_core.install.backup import Owner, Record
from gemba_core.install.claude import CLAUDE
from gemba_core.install.client import Client, Edit, Part, Scope
from gemba_core.install.codex import CODEX
from gemba_core.install.gemini import GEMINI
from gemba_core.install.unfit import Unfit
from gemba_core.lifelock import LifeLock

CLIENTS = {client.name: client for client in (CLAUDE, CODEX, GEMINI)}

Content: TypeAlias = bytes | None


@dataclass(frozen=True, slots=True)
class Change:
    """One file: what it was and what it becomes; None where it is not there.

    `path` is what the client reads, `target` the file itself where that is a
    symbolic link.
    """

    path: str
    target: str
    before: Content
    after: Content
    note: str | None = None

    @property
    def action(self) -> str:
        """created, changed, removed or unchanged."""
        if self.before == self.after:
            return "unchanged"
        if self.after is None:
            return "removed"
        return "created" if self.before is None else "changed"

    def diff(self) -> str:
        """The change as a unified diff."""
        before, after = (
            (content or b"").decode("utf-8", "replace").splitlines(keepends=True)
            for content in (self.before, self.after)
        )
        names = [
            "/dev/null" if content is None else self.path for content in (self.before, self.after)
        ]
        lines = difflib.unified_diff(before, after, names[0], names[1])
        return "".join(
            line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
            for line in lines
        )


def bridge_command() -> str:
    """The installed gemba-bridge, by its absolute path. Raises GembaError."""
    path = os.path.join(os.path.dirname(os.path.abspath(sys.executable)), merge.BRIDGE)
    if not os.access(path, os.X_OK):
        raise GembaError(
            f"{path}: no such program; install Gemba with its console scripts (pip, pipx or uv)"
        )
    return path


def install(
    client: Client,
    scope: Scope,
    folder: str,
    *,
    body: str,
    hooks: bool = True,
    dry_run: bool = False,
) -> list[Change]:
    """Put our hooks, the instructions `body` and the sandbox's folder into the client's files.

    All files are read and judged before the first is written. A second time
    changes nothing. Raises GembaError, OSError.
    """
    command = bridge_command()
    parts = [] if not hooks else [_hooks_part(client, command)]
    edits = _edits(client, scope, folder, parts, body)
    with ExitStack() as stack:
        if not dry_run:
            stack.enter_context(_alone())
        planned = [_planned(edit) for edit in edits]
        if not dry_run:
            home.make_private_dir(home.sessions_dir())
            for edit, change in zip(edits, planned, strict=True):
                _put(edit, change, (client.name, scope, folder if scope == "project" else ""))
    return planned


def uninstall(client: Client, scope: Scope, folder: str, *, dry_run: bool = False) -> list[Change]:
    """Take out what `install` put in: byte for byte where nobody wrote since, else only ours.

    A file that another installation still needs is left to it. Raises as `install`.
    """
    edits = _edits(client, scope, folder, [_hooks_part(client, merge.BRIDGE)], "")
    owner: Owner = (client.name, scope, folder if scope == "project" else "")
    with ExitStack() as stack:
        if not dry_run:
            stack.enter_context(_alone())
        planned = [_unplanned(edit, owner) for edit in edits]
        if not dry_run:
            made = [folder for change in planned for folder in _take(change, owner)]
            # At the end, since files in one folder know only once who made it; inner ones first.
            files.remove_folders(sorted(made, key=len))
    return planned


def is_installed(client: Client, scope: Scope, folder: str) -> bool:
    """Whether hooks of ours are declared in that scope. Raises GembaError, OSError."""
    path = client.settings(scope, folder)
    data = files.read(path)
    if data is None:
        return False
    try:
        return merge.has_hooks(files.decoded(path, data))
    except Unfit as error:
        raise _unfit(path, error) from error


def declared_elsewhere(client: Client, scope: Scope, folder: str) -> str | None:
    """The other scope's settings, where they declare hooks of ours; None where it is the same file.

    Raises as `is_installed`.
    """
    other: Scope = "user" if scope == "project" else "project"
    here, there = client.settings(scope, folder), client.settings(other, folder)
    is_one_file = os.path.realpath(here) == os.path.realpath(there)
    return there if not is_one_file and is_installed(client, other, folder) else None


def switched_off(client: Client, changes: Sequence[Change], path: str) -> str | None:
    """Why the client does not run hooks, by its own settings in these changes."""
    for change in changes:
        if change.path == path and change.after is not None:
            why = client.switched_off(json_text.parse(change.after.decode()))
            return f"{path}: {why}, so no hook runs" if why else None
    return None


def _edits(client: Client, scope: Scope, folder: str, hooks: list[Part], body: str) -> list[Edit]:
    """The edits, one for each file."""
    block = Part(partial(marked.put_block, body=body), marked.take_block)
    edits = [
        Edit(client.settings(scope, folder), tuple(hooks), blank="{}\n"),
        *client.sandbox(scope, folder, home.sessions_dir()),
        Edit(client.instructions(scope, folder), (block,)),
    ]
    merged: dict[str, Edit] = {}
    for edit in edits:
        before = merged.get(edit.path)
        parts = (before.parts if before else ()) + edit.parts
        if parts:
            merged[edit.path] = Edit(edit.path, parts, edit.blank)
    return list(merged.values())


def _hooks_part(client: Client, command: str) -> Part:
    entries = {
        event: client.entry(command, event, seconds) for event, seconds in client.events.items()
    }
    return Part(partial(merge.put_hooks, entries=entries), merge.take_hooks)


def _planned(edit: Edit) -> Change:
    target = os.path.realpath(edit.path)
    before = files.read(target)
    text = edit.blank if before is None else files.decoded(edit.path, before)
    try:
        for part in edit.parts:
            text = part.put(text)
    except Unfit as error:
        raise _unfit(edit.path, error) from error
    return Change(edit.path, target, before, text.encode())


def _put(edit: Edit, change: Change, owner: Owner) -> None:
    record, original = backup.load(change.target)
    owners = [*_others(record, owner), owner]
    if change.before == change.after:
        if record is not None and record.owners != owners:
            backup.save(
                Record(record.path, record.existed, record.written, record.made, owners), original
            )
        return
    assert change.after is not None
    if record is None or change.before is None or backup.digest(change.before) != record.written:
        # Others wrote since, or we were never there: the original is what is not ours.
        left = change.before and _without(edit.path, edit.parts, change.before, original)
        is_bare = record is not None and not record.existed and _is_nothing(left)
        original = None if is_bare else left
    made = files.make_folders(os.path.dirname(change.target))
    if record is not None:
        made = [*record.made, *made]
    written = backup.digest(change.after)
    backup.save(Record(change.target, original is not None, written, made, owners), original)
    files.write(change.target, change.after, expected=change.before)


def _unplanned(edit: Edit, owner: Owner) -> Change:
    target = os.path.realpath(edit.path)
    before = files.read(target)
    if before is None:
        return Change(edit.path, target, None, None)
    record, original = backup.load(target)
    others = _others(record, owner)
    if others:
        who = ", ".join(" ".join(filter(None, other)) for other in others)
        return Change(edit.path, target, before, before, f"still needed by {who}")
    if record is not None and backup.digest(before) == record.written:
        return Change(edit.path, target, before, original)
    after: Content = _without(edit.path, edit.parts, before, original)
    if record is not None and not record.existed and _is_nothing(after):
        after = None
    return Change(edit.path, target, before, after)


def _take(change: Change, owner: Owner) -> list[str]:
    """Write the change; the folders that we had made for the file."""
    record, original = backup.load(change.target)
    others = _others(record, owner)
    if record is not None and others:
        backup.save(replace(record, owners=others), original)
        return []
    if change.after is None and change.before is not None:
        files.remove(change.target, expected=change.before)
    elif change.after is not None and change.after != change.before:
        files.write(change.target, change.after, expected=change.before)
    backup.forget(change.target)
    return record.made if record is not None else []


def _without(path: str, parts: Sequence[Part], data: bytes, original: Content) -> bytes:
    text = files.decoded(path, data)
    had = None if original is None else original.decode()
    try:
        for part in reversed(parts):
            text = part.take(text, had)
    except Unfit as error:
        raise _unfit(path, error) from error
    return text.encode()


def _is_nothing(data: Content) -> bool:
    return (data or b"").strip() in (b"", b"{}")


def _others(record: Record | None, owner: Owner) -> list[Owner]:
    """The other installations that need the file and whose folder is still there."""
    owners = record.owners if record is not None else []
    return [
        other
        for other in owners
        if other != owner and (other[1] == "user" or os.path.isdir(other[2]))
    ]


def _alone() -> LifeLock:
    """Only one of us writes at a time. Raises GembaError."""
    lock = LifeLock(os.path.join(home.installed_dir(), "install.lock"))
    if not lock.take():
        raise GembaError("another gemba install-bridge is at work; run this again")
    return lock


def _unfit(path: str, error: Unfit) -> GembaError:
    return GembaError(f"{path}:{error.line}: {error.what}; nothing was changed")
