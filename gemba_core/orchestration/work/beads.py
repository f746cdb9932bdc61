"""Beads as a WorkPlane, through its command line.

Source: Beads 1.0.3: docs/CLI_REFERENCE.md, "Find Work" and "Issue Management",
docs/JSON_SCHEMA.md, and for exit codes and error output docs/ERROR_HANDLING.md.
Its words are never matched: after a failure the issue is read again.
"""

import asyncio
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any

import msgspec

from gemba_core import caller, home
from gemba_core.frame.text import shown_line
from gemba_core.orchestration.assignment import ReadyFilter
from gemba_core.orchestration.error import AdaptorError, ErrorKind, not_found
from gemba_core.orchestration.session import ConfirmNonce
from gemba_core.orchestration.work.item import DEFAULT_PRIORITY, StateCategory, WorkItem
from gemba_core.orchestration.work.lock import held
from gemba_core.orchestration.work.plane import is_held, order, taken

PATIENCE = 30.0
_MARK = "gemba_claim"
# A value that looks like a number would come back as one: it could be another number.
_MARKED = "nonce-"
_CATEGORIES = {
    "open": StateCategory.READY,
    "in_progress": StateCategory.STARTED,
    "hooked": StateCategory.STARTED,
    "closed": StateCategory.DONE,
}


class _Issue(msgspec.Struct, frozen=True):
    """What of an issue is used here; what else there is, is ignored, as its schema asks for."""

    id: str
    title: str
    created_at: datetime
    status: str = "open"
    priority: int = DEFAULT_PRIORITY
    issue_type: str = "task"
    description: str = ""
    assignee: str = ""
    labels: list[str] | None = None
    metadata: dict[str, Any] | None = None


class Beads:
    """The WorkPlane that `bd` keeps for that folder.

    A claim's nonce is kept with the issue, as metadata. Beads itself lets one
    actor claim an issue twice; so Gemba's claims are made one after another.
    `patience` is how long one call of `bd` may take, in seconds.
    """

    def __init__(self, program: str, folder: str, patience: float = PATIENCE) -> None:
        self._program = program
        self._folder = os.path.abspath(folder)
        self._patience = patience

    async def list_ready(self, filter: ReadyFilter) -> tuple[WorkItem, ...]:
        """As WorkPlane. What is assigned to somebody, though open, is not offered."""
        found = await self._listed("ready", "--unassigned", "--limit", "0")
        return tuple(item for item in found if filter.admits(item))

    async def list_items(self, *, done: bool = False) -> tuple[WorkItem, ...]:
        """As WorkPlane."""
        return await self._listed("list", "--limit", "0", *(["--all"] if done else []))

    async def read(self, work_item_id: str) -> WorkItem:
        """As WorkPlane. As to Beads, the end of an id may be enough."""
        if not work_item_id.strip() or "\0" in work_item_id:
            raise not_found("work item", work_item_id)
        try:
            found = await self._asked("show", id=work_item_id)
        except AdaptorError as error:
            if error.kind is not ErrorKind.PROCESS_FAILED:
                raise
            # If Beads cannot do this either, it is not the id that is wrong, and says what is.
            await self._asked("ready", "--limit", "1")
            raise not_found("work item", work_item_id) from error
        if not found:
            raise not_found("work item", work_item_id)
        return found[0]

    async def claim(self, work_item_id: str, agent_id: str, nonce: ConfirmNonce) -> WorkItem:
        """As WorkPlane; but a claim that was given back is made anew by repeating it."""
        async with held(home.beads_lock_path()):
            item = await self.read(work_item_id)
            if is_held(item, nonce):
                return item
            if not _is_free(item, agent_id):
                raise taken(item)
            mark = f"{_MARK}={_MARKED}{nonce}"
            try:
                await self._asked(
                    *("update", "--claim", "--set-metadata", mark, "--actor", agent_id), id=item.id
                )
            except AdaptorError as error:
                now = await self.read(item.id)
                if error.kind is ErrorKind.PROCESS_FAILED and not _is_free(now, agent_id):
                    raise taken(now) from error
                raise
            return await self.read(item.id)

    async def release(self, work_item_id: str, nonce: ConfirmNonce | None = None) -> WorkItem:
        """As WorkPlane."""
        async with held(home.beads_lock_path()):
            item = await self.read(work_item_id)
            if not is_held(item, nonce):
                return item
            opened = ("--status", "open", "--assignee", "", "--unset-metadata", _MARK)
            await self._asked("update", *opened, id=item.id)
            return await self.read(item.id)

    async def complete(
        self, work_item_id: str, nonce: ConfirmNonce | None = None, reason: str = ""
    ) -> WorkItem:
        """As WorkPlane. Errors: process_failed where Beads' own rules forbid it."""
        async with held(home.beads_lock_path()):
            item = await self.read(work_item_id)
            is_ours = nonce is None or is_held(item, nonce)
            if item.state_category is StateCategory.DONE or not is_ours:
                return item
            await self._asked("close", "--reason", reason or "Done", id=item.id)
            return await self.read(item.id)

    async def _listed(self, *words: str) -> tuple[WorkItem, ...]:
        return tuple(sorted(await self._asked(*words), key=order))

    async def _asked(self, *words: str, id: str | None = None) -> Sequence[WorkItem]:
        """The items that `bd` answers with. Behind `--` no id is taken for an option."""
        end = [] if id is None else ["--", id]
        answer = await self._answer([*words, "--json", *end])
        try:
            issues = msgspec.convert(_unwrapped(msgspec.json.decode(answer)), list[_Issue])
        except msgspec.MsgspecError as error:
            told = f"{self._program} {words[0]}: its answer is no JSON that Gemba knows: {error}"
            raise AdaptorError(
                ErrorKind.REQUEST_FAILED, told, retryable=False, cause=error
            ) from error
        return [self._item(issue) for issue in issues]

    async def _answer(self, words: Sequence[str]) -> bytes:
        """What `bd` prints. Over, and its process gone, whatever happens."""
        try:
            process = await asyncio.create_subprocess_exec(
                self._program,
                *words,
                cwd=self._folder,
                # Version 2 will answer so anyway.
                env={**caller.environment(), "BD_JSON_ENVELOPE": "1"},
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
            )
        except (OSError, ValueError) as error:
            raise self._missing(error) from error
        try:
            async with asyncio.timeout(self._patience):
                output, errors = await process.communicate()
        except TimeoutError as error:
            told = f"{self._program} {words[0]} did not end within {self._patience:g} s; try again"
            raise AdaptorError(ErrorKind.REQUEST_FAILED, told, cause=error) from error
        finally:
            if process.returncode is None:
                with suppress(ProcessLookupError):
                    process.kill()
                await process.wait()
        if process.returncode:
            raise self._failed(words[0], process.returncode, output, errors)
        return output

    def _missing(self, error: Exception) -> AdaptorError:
        told = (
            f"{self._program}: {error}: Beads cannot be asked; install it, name its program in "
            f'{home.config_path()} ([work] bd = "…"), or take plane = "queue" there'
        )
        return AdaptorError(ErrorKind.ADAPTOR_DEGRADED, told, cause=error)

    def _failed(self, verb: str, code: int, output: bytes, errors: bytes) -> AdaptorError:
        said = _error_in(errors) or _error_in(output) or errors.decode("utf-8", "replace")
        said = shown_line(said, 300)
        told = f"{self._program} {verb}: {said or 'it says nothing'} (exit code {code})"
        return AdaptorError(ErrorKind.PROCESS_FAILED, told, detail={"exit_code": code})

    def _item(self, issue: _Issue) -> WorkItem:
        category = _CATEGORIES.get(issue.status, StateCategory.WAITING)
        mark = str((issue.metadata or {}).get(_MARK, ""))
        is_marked = category is StateCategory.STARTED and mark.startswith(_MARKED)
        return WorkItem(
            id=issue.id,
            title=issue.title,
            status=issue.status,
            state_category=category,
            created_at=issue.created_at,
            description=issue.description,
            kind=issue.issue_type,
            priority=issue.priority,
            labels=tuple(issue.labels or ()),
            repository=self._folder,
            assignee=issue.assignee or None,
            claim=ConfirmNonce(mark.removeprefix(_MARKED)) if is_marked else None,
        )


def _is_free(item: WorkItem, agent_id: str) -> bool:
    """Whether that agent may claim it.

    It may also where it has it without a nonce: a `bd` that died before it wrote
    the nonce leaves an issue so.
    """
    if item.state_category is StateCategory.READY:
        return item.assignee in (None, agent_id)
    is_half_claimed = item.state_category is StateCategory.STARTED and item.claim is None
    return is_half_claimed and item.assignee == agent_id


def _unwrapped(answer: Any) -> Any:
    """The issues in an answer: in an envelope or not, an array or the only one."""
    if isinstance(answer, Mapping) and "data" in answer:
        answer = answer["data"]
    return [answer] if isinstance(answer, Mapping) else answer


def _error_in(output: bytes) -> str:
    """What an error's JSON says, wherever `bd` printed it."""
    try:
        (answer,) = _unwrapped(msgspec.json.decode(output))
        return str(answer["error"])
    except (msgspec.MsgspecError, KeyError, TypeError, ValueError):
        return ""
