"""How often in a row each agent was sent back, from one decision to the next."""

import os

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from gemba_core import home
from gemba_core.errors import GembaError


class Tries(Struct, frozen=True, omit_defaults=True):
    """One agent's. `iteration` is the last one of its loop that was seen."""

    in_progress: int = 0
    repairs: int = 0
    iteration: int | None = None


class Counted(Struct, frozen=True):
    """A round that `decide` has counted: a digest of its messages, and the counts before it."""

    messages: str
    before: dict[str, Tries]


class History(Struct, frozen=True, omit_defaults=True):
    """Those of all agents by their ids; of one that has not told its id, by its place: `?1`."""

    agents: dict[str, Tries] = {}
    counted: Counted | None = None

    def of(self, agent: str) -> Tries:
        """That agent's; of one that is new, none."""
        return self.agents.get(agent, Tries())

    def with_tries(self, made: dict[str, Tries]) -> "History":
        """The same with these; those at zero are left out."""
        agents = {**self.agents, **made}
        return History({agent: tries for agent, tries in agents.items() if tries != Tries()})

    def counting(self, messages: str, before: "History") -> "History":
        """The same, remembering the round that it is the result of."""
        return replace(self, counted=Counted(messages, before.agents))

    def uncounted(self, messages: str) -> "History":
        """The counts before that round, if it is the one that was counted last."""
        if self.counted is None or self.counted.messages != messages:
            return self
        return History(self.counted.before)


def load(path: str) -> History:
    """The history in that file; an empty one where there is no file. Raises GembaError."""
    try:
        with open(path, "rb") as file:
            return msgspec.json.decode(file.read(), type=History)
    except FileNotFoundError:
        return History()
    except OSError as error:
        raise GembaError(f"{path}: {error.strerror}") from error
    except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
        raise GembaError(
            f"{path}: no history of hand-offs ({error}); remove it, or name another file"
        ) from error


def save(path: str, history: History) -> None:
    """Put it into that file, 0600, all at once. Raises GembaError."""
    try:
        home.write_private(os.path.abspath(path), msgspec.json.encode(history) + b"\n")
    except OSError as error:
        raise GembaError(f"{path}: {error.strerror}; the history was not kept") from error
