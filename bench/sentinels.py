"""An ask and a state report against the imports that they cannot do without."""

from collections.abc import Iterator
from functools import partial

from bench.environment import Workshop
from bench.figure import Figure
from bench.paired import paired

_CALLS = (
    ("gemba-ask", "--kind", "question", "--role", "coach", "--text", "Which key?"),
    ("gemba-state", "working", "--bead", "gm-12"),
)


def measure(shop: Workshop) -> Iterator[Figure]:
    """`gemba-ask` (without waiting) and `gemba-state`, whole processes."""
    with shop.home() as home:
        bare = partial(shop.run, home, "python", "-c", "import click, json")
        for call in _CALLS:
            found = paired(partial(shop.run, home, *call, session="s"), bare)
            yield Figure(
                name=f"{call[0]} / python -c 'import click, json'",
                value=found.ratio,
                at_most=1.4,
                note=found.note,
            )
