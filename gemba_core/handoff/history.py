"""How often in a row each agent was sent back, from one decision to the next."""

import fcntl
import os
from collections.abc import Container, Iterator, Mapping
from contextlib import contextmanager

import msgspec
from msgspec import Struct

from gemba_core import home
from gemba_core.errors import GembaError

# Of the messages that were counted, the newest ones: one that nobody raises must not stay for ever.
_REMEMBERED = 100


class Tries(Struct, frozen=True, omit_defaults=True):
    """One agent's. `iteration` is the last one of its loop that was seen."""

    in_progress: int = 0
    repairs: int = 0
    iteration: int | None = None


class Counted(Struct, frozen=True, omit_defaults=True):
    """A message that was counted: whose it was, where, and the agent's counts before it.

    `pause` is the key of the question that it has led to, once that was asked.
    """

    agent: str
    place: str
    before: Tries
    pause: str | None = None


class History(Struct, frozen=True, omit_defaults=True):
    """What is known of all agents.

    agents   the counts by their ids; of one that has not told its id, by its place: `?1`
    places   who was last sent back for repair from that place: its next message may not say so
    counted  by a digest of it, what a message that was counted has changed
    """

    agents: dict[str, Tries] = {}
    places: dict[str, str] = {}
    counted: dict[str, Counted] = {}

    def of(self, agent: str, place: str = "") -> Tries:
        """That agent's, with the repairs from its place before it had told its id."""
        tries = self.agents.get(agent, Tries())
        repairs = self.agents.get(place, Tries()).repairs
        return msgspec.structs.replace(tries, repairs=max(tries.repairs, repairs))

    def with_tries(self, agent: str, place: str, tries: Tries) -> "History":
        """The same with these, and nothing by the place alone; what is at zero is left out."""
        agents = {**self.agents, place: Tries(), agent: tries}
        places = {one: who for one, who in self.places.items() if who != agent and one != place}
        if tries.repairs and agent != place:
            places[place] = agent
        kept = {one: given for one, given in agents.items() if given != Tries()}
        return History(kept, places, self.counted)

    def stands(self, message: str, unanswered: Container[str]) -> bool:
        """Whether what was decided about that message is still to be done, or to be answered."""
        one = self.counted.get(message)
        return one is not None and (one.pause is None or one.pause in unanswered)

    def before(self, message: str) -> "History":
        """The same with the counts before that message."""
        one = self.counted[message]
        return self.with_tries(one.agent, one.place, one.before)

    def remembering(self, counted: Mapping[str, Counted | None]) -> "History":
        """The same with these messages as the newest ones; None: that one is forgotten."""
        others = {one: given for one, given in self.counted.items() if one not in counted}
        newest = others | {one: given for one, given in counted.items() if given is not None}
        return History(self.agents, self.places, dict(list(newest.items())[-_REMEMBERED:]))


@contextmanager
def locked(path: str) -> Iterator[None]:
    """Nobody else counts in that file meanwhile. Raises GembaError."""
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        fd = os.open(f"{path}.lock", flags, 0o600)
    except OSError as error:
        raise GembaError(
            f"{path}.lock: {error.strerror}; the folder of a history must be there, and writable"
        ) from error
    try:
        fcntl.flock(fd, fcntl.LOCK_EX)
        yield
    finally:
        os.close(fd)


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
