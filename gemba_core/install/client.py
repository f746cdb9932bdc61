"""What install-bridge needs to know of a client."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from gemba_core.install.merge import Entry

Scope: TypeAlias = Literal["project", "user"]

# Seconds. A hook that waits for a person gets the most; what ends a session gets little.
SHORT, USUAL, WAITING = 3, 30, 600


@dataclass(frozen=True, slots=True)
class Part:
    """One change of a file's text: how it is put in, and taken out again.

    `put` changes nothing in what it has put; `take` gets the original too,
    where that is known, and leaves what it had. Both raise Unfit.
    """

    put: Callable[[str], str]
    take: Callable[[str, str | None], str]


@dataclass(frozen=True, slots=True)
class Edit:
    """The parts of one file; `blank` is what a new one begins with."""

    path: str
    parts: tuple[Part, ...]
    blank: str = ""


@dataclass(frozen=True, slots=True)
class Client:
    """One client.

    name          as `--agent` has it
    title         as people call it
    events        its hooks that Gemba understands, and the seconds that each may take
    entry         (command, event, seconds) to a hook's entry in its settings
    settings      (scope, folder) to the file that declares hooks
    is_shared     whether a project's file of that kind is one that people commit
    instructions  (scope, folder) to the file that tells the agent what to do
    sandbox       (scope, folder, writable folder) to the edits that let its sandbox write there
    switched_off  settings to the reason why its hooks do not run, if they say so
    untrusted     the path of its settings to how far the person has not trusted the hooks there,
                  as far as the client lets others know
    afterwards    what the person must still do, by scope
    """

    name: str
    title: str
    events: Mapping[str, int]
    entry: Callable[[str, str, int], Entry]
    settings: Callable[[Scope, str], str]
    is_shared: bool
    instructions: Callable[[Scope, str], str]
    sandbox: Callable[[Scope, str, str], tuple[Edit, ...]]
    switched_off: Callable[[Mapping[str, Any]], str | None]
    untrusted: Callable[[str], str | None]
    afterwards: Mapping[Scope, tuple[str, ...]]
