"""What the journal of a workflow holds, one record a line; the tag is its `event`."""

from typing import Any, TypeAlias

from msgspec import Struct

# (inode, size, time of change in ns) of an output before its agent began; None: there was none.
Mark: TypeAlias = tuple[int, int, int] | None


class Begun(Struct, frozen=True, tag="begun", tag_field="event"):
    """The workflow. `argument` is what its machine is told of its workspace; its questions are
    asked in `session`; `agent` is a name in agents.toml."""

    skill: str
    folder: str
    machine: str
    root: str
    argument: str
    session: str
    agent: str
    at: str = ""


class Resumed(Struct, frozen=True, tag="resumed", tag_field="event"):
    """A new runner goes on."""

    at: str = ""


class Asking(Struct, frozen=True, tag="asking", tag_field="event"):
    """The machine is asked for that step, by this process."""

    step: int
    pid: int
    started: int
    at: str = ""


class Issued(Struct, frozen=True, tag="issued", tag_field="event"):
    """What the machine answered, as it stands."""

    step: int
    action: dict[str, Any]
    at: str = ""


class Started(Struct, frozen=True, tag="started", tag_field="event"):
    """An agent begins on that item of the step."""

    step: int
    item: int
    attempt: int
    session: str
    pid: int
    started: int
    mark: Mark
    at: str = ""


class Reissued(Struct, frozen=True, tag="reissued", tag_field="event"):
    """An agent had begun and was cut short, or nobody knows how it ended: it will run again."""

    step: int
    item: int
    why: str
    at: str = ""


class Reported(Struct, frozen=True, tag="reported", tag_field="event"):
    """How that item ended. `response`: what its agent said, where its own file was kept."""

    step: int
    item: int
    is_done: bool
    detail: str
    response: str | None = None
    at: str = ""


class Consulted(Struct, frozen=True, tag="consulted", tag_field="event"):
    """A person is asked by that escalation; `about` is `ask`, `gate` or `failure`, `text` what it
    is or why."""

    step: int
    escalation: str
    about: str
    text: str
    at: str = ""


class Settled(Struct, frozen=True, tag="settled", tag_field="event"):
    """How that ended, and what was answered."""

    step: int
    escalation: str
    ended: str
    value: str | None
    at: str = ""


class Concluded(Struct, frozen=True, tag="concluded", tag_field="event"):
    """The runner's last word: `done`, `stopped`, `waiting`, `failed` or `interrupted`."""

    ended: str
    detail: str = ""
    at: str = ""


Record: TypeAlias = (
    Begun
    | Resumed
    | Asking
    | Issued
    | Started
    | Reissued
    | Reported
    | Consulted
    | Settled
    | Concluded
)
