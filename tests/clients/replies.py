"""Texts that an operator may answer with, of every kind that a terminal could spoil."""

_KINDS = (
    "Use the test key, please: {n}",
    "first line {n} C-c Enter -x\nsecond “line” ; $HOME `id` \\\n\n  fourth, indented",
    "{n} " + "eight kibibytes, and no line end among them; " * 186,
    "Zoë {n}: grün — 緑色 🟢 e\u0301 \u202bאבג\u202c ẞ",
    "C-c Enter {n} Escape Up M-x ;",
    "/quit {n}",
    "".join(f"{{n}}.{row} a row of a long list\n" for row in range(230)),
    "y{n}",
    "!rm -rf {n}",
    "\ta tab {n}\tand “{n}”\n@file $skill #1",
)


def replies(count: int) -> list[str]:
    """As many, each another."""
    return [_KINDS[n % len(_KINDS)].replace("{n}", str(n)) for n in range(count)]
