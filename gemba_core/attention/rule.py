"""`[[notify]]` in the operator's configuration: which escalations, when, and where to."""

import os
import re
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from typing import Annotated, Any, TypeAlias

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, InstanceOf

from gemba_core import settings, toml_file
from gemba_core.attention.quiet import Quiet, quiet_hours
from gemba_core.frame.vocabulary import ROLES, SOURCES, URGENCIES
from gemba_core.index import Escalation
from gemba_core.toml_file import Location, Name, Text, Wrong

MOST_TIMES = 20
_TIMES = 3
_TABLE = "notify"
# Without a name, password or path behind it, such an address holds no secret.
_BARE = re.compile(r"^[a-z][a-z0-9+.-]*://$")
_VARIABLE = re.compile(r"^env:[A-Za-z_][A-Za-z0-9_]*$")


def _listed(value: object) -> object:
    return [value] if isinstance(value, str) else value


def _seconds(value: object) -> object:
    """A TIME as everywhere: a number of seconds, or `90s`, `10m`, `2h`, `7d`."""
    found = settings.seconds(str(value)) if isinstance(value, str | int | float) else None
    if found is None:
        raise ValueError(f"{value!r} is no time such as 90s, 10m or 2h")
    return found


def _url(value: str) -> str:
    if not (_VARIABLE.match(value) or _BARE.match(value)):
        raise ValueError(
            "an address holds secrets and does not belong here: write env:NAME, or put it "
            "into a file that only you may read and name that with url_file"
        )
    return value


def _one_of(words: tuple[str, ...]) -> AfterValidator:
    def check(value: tuple[str, ...]) -> tuple[str, ...]:
        for word in value:
            if word not in words:
                raise ValueError(f"{word!r} is none of {', '.join(words)}")
        return value

    return AfterValidator(check)


_Words: TypeAlias = Annotated[tuple[str, ...], Field(strict=False), BeforeValidator(_listed)]
_Seconds: TypeAlias = Annotated[float, BeforeValidator(_seconds)]


class Rule(BaseModel):
    """One `[[notify]]`. Times are in seconds; an empty tuple chooses all."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    name: Name
    url: Annotated[Text, AfterValidator(_url)] | None = None
    url_file: Text | None = None
    urgency: Annotated[_Words, _one_of(URGENCIES)] = ()
    role: Annotated[_Words, _one_of(ROLES)] = ()
    source: Annotated[_Words, _one_of(SOURCES)] = ()
    session: _Words = ()
    after: _Seconds = 0.0
    repeat: _Seconds | None = None
    times: Annotated[int, Field(ge=1, le=MOST_TIMES)] | None = None
    at_most_every: _Seconds | None = None
    digest: _Seconds | None = None
    quiet: Annotated[InstanceOf[Quiet], BeforeValidator(quiet_hours)] | None = None
    text: bool = False

    @property
    def most(self) -> int:
        """How often one escalation is told of, at most."""
        return self.times or (_TIMES if self.repeat else 1)

    def chooses(self, item: Escalation) -> bool:
        """Whether it is about that escalation. `session` takes `*` and `?`."""
        chosen = ((self.urgency, item.urgency), (self.role, item.role), (self.source, item.source))
        if any(words and word not in words for words, word in chosen):
            return False
        return not self.session or any(fnmatchcase(item.session_id, one) for one in self.session)


def load(path: str) -> tuple[Rule, ...]:
    """The rules in that file; none where there is no file. Raises TomlInvalid, OSError."""
    if not os.path.exists(path):
        return ()
    file = toml_file.read(path)
    found, wrong = toml_file.entries(file.table, _TABLE)
    rules: list[Rule] = []
    for number, entry in enumerate(found):
        here: Location = (_TABLE, number)
        if isinstance(entry, dict):
            wrong += [((*here, *location), what) for location, what in _across(entry)]
        rule, problems = toml_file.checked(Rule, entry, here)
        rules += [rule] if rule else []
        wrong += problems
    wrong += toml_file.twice(found, _TABLE)
    if wrong:
        raise file.invalid(wrong, _TABLE)
    return tuple(rules)


def _across(entry: Mapping[str, Any]) -> Iterator[Wrong]:
    """What no key alone is to blame for."""
    if "url" in entry and "url_file" in entry:
        yield ("url_file",), "url and url_file; give one of them"
    elif "url" not in entry and "url_file" not in entry:
        yield (), 'no address; give url = "env:NAME", or url_file'
    if entry.get("times", 1) != 1 and "repeat" not in entry:
        yield ("times",), "times goes with repeat, the time between two of them"
