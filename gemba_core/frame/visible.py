"""A text that is shown to its last character: whoever consents to it must know to what.

Apart from `text`: the sentinels do without it.
"""

# Blank where they are shown, though they are marks, letters and a symbol. Source: Unicode's
# Default_Ignorable_Code_Point, as far as it can be printed; and the empty Braille pattern.
_BLANK = frozenset(
    map(
        chr,
        (
            *(0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B, 0x180C, 0x180D, 0x180F),
            *(0x2800, 0x3164, *range(0xFE00, 0xFE10), 0xFFA0, *range(0xE0100, 0xE01F0)),
        ),
    )
)


def visible(text: str, kept: str) -> str:
    """All of it; what is neither `kept` nor to be seen on a terminal is named, as `<U+202E>`."""
    return "".join(one if one in kept or _is_seen(one) else f"<U+{ord(one):04X}>" for one in text)


def _is_seen(character: str) -> bool:
    return character.isprintable() and character not in _BLANK
