"""An agent's message to the contract in it.

A tagged block that cannot be read is no contract: nothing else is taken in its
place, and no status is made up.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import msgspec
from pydantic import ValidationError
from pydantic_core import ErrorDetails

from gemba_core.frame.line import MAX_DEPTH
from gemba_core.handoff.contract import Contract, EvidenceReport, normalised
from gemba_core.handoff.fences import JSON, TAG, Block, blocks
from gemba_core.handoff.finding import Finding, advice
from gemba_core.handoff.said import quoted

_Path: TypeAlias = tuple[str | int, ...]

_STATUS_NAMES = ("plan_status", "agent_state")
# A finding in one of these is named for the field itself.
_SECTIONS = ("agent_status", "evidence_report", "consolidation_report", "approval_request")
# pydantic's words are those of Python.
_SHAPES = {"model_type": "it should be an object", "tuple_type": "it should be a list"}


@dataclass(frozen=True, slots=True)
class Missing:
    """There is no contract in the message."""


@dataclass(frozen=True, slots=True)
class Malformed:
    """There is one that cannot be read: why, and where it begins."""

    why: str
    line: int


Returned: TypeAlias = Contract | Missing | Malformed


def parse(text: str) -> Returned:
    """The contract of that message: the last complete block with the tag.

    Only where no block has the tag, the last `json` one that says how its agent
    stands. Any text will do; nothing is raised.
    """
    found = list(blocks(text))
    tagged = [block for block in found if block.info == TAG]
    if tagged:
        return _tagged(tagged)
    for block in reversed(found):
        fields = _fields(block) if block.info == JSON and block.is_complete else None
        if isinstance(fields, dict) and _is_contract(fields):
            what = f"the block is tagged {JSON}; tag it {TAG}"
            return _contract(fields, [advice("UNTAGGED_BLOCK", "", what)])
    return Missing()


def read(fields: Mapping[str, Any]) -> Contract:
    """The contract of these keys and values; what has another shape is left out, and told."""
    return _contract(dict(fields), [])


def _tagged(tagged: Sequence[Block]) -> Returned:
    complete = [block for block in tagged if block.is_complete]
    if not complete:
        why = "the block has no end; close it with a fence on a line of its own"
        return Malformed(why, tagged[-1].line)
    last = complete[-1]
    fields = _fields(last)
    if isinstance(fields, str):
        return Malformed(fields, last.line)
    if len(tagged) == 1:
        return _contract(fields, [])
    what = f"{len(tagged)} blocks have the tag; taken is the last complete one, in line {last.line}"
    return _contract(fields, [advice("EARLIER_BLOCK", "", what)])


def _fields(block: Block) -> dict[str, Any] | str:
    """What the block says, or why that cannot be read."""
    try:
        value = msgspec.json.decode(block.body.encode())
    except (msgspec.MsgspecError, UnicodeError) as error:
        return f"not valid JSON: {error}"
    except RecursionError:
        return f"more than {MAX_DEPTH} deep"
    if not isinstance(value, dict):
        return "not a JSON object"
    return value if _is_shallow(value) else f"more than {MAX_DEPTH} deep"


def _is_shallow(value: dict[str, Any]) -> bool:
    """What is deeper, other programs cannot write down again."""
    level: list[Any] = [value]
    for _ in range(MAX_DEPTH):
        inner = [one.values() if isinstance(one, dict) else one for one in level]
        level = [child for one in inner for child in one if isinstance(child, dict | list)]
        if not level:
            return True
    return False


def _is_contract(fields: Mapping[str, Any]) -> bool:
    status = fields.get("agent_status")
    return isinstance(status, dict) and any(status.get(name) for name in _STATUS_NAMES)


def _contract(fields: dict[str, Any], remarks: list[Finding]) -> Contract:
    fields, renamed = _renamed(fields)
    remarks = [*remarks, *renamed]
    while True:
        try:
            return Contract.model_validate(fields).noting(tuple(remarks))
        except ValidationError as error:
            wrong: dict[_Path, ErrorDetails] = {}
            for one in error.errors():
                wrong.setdefault(_within(fields, one["loc"]), one)
        remarks += [_of_another_shape(path, one) for path, one in wrong.items()]
        fields = _without(fields, wrong)


def _renamed(fields: dict[str, Any]) -> tuple[dict[str, Any], list[Finding]]:
    """The same by the names that we use: `agent_state` is `plan_status`, evidence is lower-case."""
    fields, remarks = dict(fields), []
    status, evidence = fields.get("agent_status"), fields.get("evidence_report")
    if isinstance(status, dict) and "agent_state" in status:
        status = fields["agent_status"] = dict(status)
        new = status.pop("agent_state")
        old = status.setdefault("plan_status", new)
        if normalised(old) != normalised(new):
            what = f"plan_status is {quoted(old)} and agent_state is {quoted(new)}; give one"
            remarks.append(Finding("PLAN_STATUS", "agent_status.agent_state", what))
    if isinstance(evidence, dict):
        evidence = fields["evidence_report"] = dict(evidence)
        for name in (*EvidenceReport.required, "verification"):
            if name.upper() in evidence:
                evidence.setdefault(name, evidence.pop(name.upper()))
    return fields, remarks


def _within(fields: Any, location: _Path) -> _Path:
    """The location as far as it is one in the fields: beyond, it names a type that was tried."""
    path: list[str | int] = []
    for key in location:
        is_there = (isinstance(fields, dict) and key in fields) or (
            isinstance(fields, list) and isinstance(key, int)
        )
        if not is_there:
            break
        fields = fields[key]
        path.append(key)
    return tuple(path)


def _without(fields: Any, paths: Iterable[_Path]) -> Any:
    """The fields without what is at those paths."""
    heads: dict[str | int, list[_Path]] = {}
    for head, *rest in paths:
        heads.setdefault(head, []).append(tuple(rest))
    items = fields.items() if isinstance(fields, dict) else enumerate(fields)
    kept = [
        (key, _without(value, heads[key]) if key in heads else value)
        for key, value in items
        if () not in heads.get(key, [])
    ]
    return dict(kept) if isinstance(fields, dict) else [value for _, value in kept]


def _of_another_shape(path: _Path, error: ErrorDetails) -> Finding:
    """Advisory by itself: where the field is needed, `validate` misses it."""
    section, *rest = path
    part = str(rest[0]) if rest and section in _SECTIONS else str(section)
    what = _SHAPES.get(error["type"], error["msg"].replace("Input should", "it should"))
    return advice(part.upper(), ".".join(map(str, path)), f"left out: {what}")
