"""Where a command of a shell's text runs."""

from dataclasses import dataclass, field, replace

from gemba_core import caller
from gemba_core.surface import words


@dataclass(slots=True)
class Place:
    """Its folder (None: not to be known) and the variables set before it, as marked words."""

    folder: str | None
    variables: dict[str, str] = field(default_factory=dict)
    depth: int = 0

    def inner(self) -> "Place":
        """A shell within the shell: what it sets is its own."""
        return replace(self, variables=dict(self.variables))

    def value(self, name: str) -> str:
        """A variable as a marked word: set in this command before, else the environment's."""
        if name in self.variables:
            return self.variables[name]
        if name == "PWD":
            return words.quoted(self.folder) if self.folder else words.UNKNOWN
        value = caller.environment().get(name)
        return words.UNKNOWN if value is None else words.quoted(value)
