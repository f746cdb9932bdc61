"""Measure, print each figure beside its bound, and exit 1 where one misses it."""

import argparse
import json
import sys
from collections.abc import Callable, Iterator

from bench import (
    bridge,
    catch_up,
    latency,
    lint,
    listing,
    memory,
    mentions,
    orchestration,
    restart,
    sentinels,
    serve,
    watch,
    workflow,
)
from bench.environment import Workshop
from bench.figure import Figure

MEASUREMENTS: dict[str, Callable[[Workshop], Iterator[Figure]]] = {
    "bridge": bridge.measure,
    "sentinels": sentinels.measure,
    "list": listing.measure,
    "catch-up": catch_up.measure,
    "restart": restart.measure,
    "memory": memory.measure,
    "latency": latency.measure,
    "watch": watch.measure,
    "mentions": mentions.measure,
    "lint": lint.measure,
    "serve": serve.measure,
    "orchestration": orchestration.measure,
    "workflow": workflow.measure,
}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help=f"of {', '.join(MEASUREMENTS)}; else all"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object at the end")
    given = parser.parse_args()
    if unknown := set(given.names) - set(MEASUREMENTS):
        parser.error(f"no such measurement: {', '.join(sorted(unknown))}")

    figures: list[Figure] = []
    progress = sys.stderr if given.json else sys.stdout
    with Workshop() as shop:
        for name in given.names or MEASUREMENTS:
            for figure in MEASUREMENTS[name](shop):
                figures.append(figure)
                print(figure.line(), file=progress, flush=True)
    if given.json:
        print(json.dumps({"figures": [figure.plain() for figure in figures]}))
    else:
        _print_table(figures)
    return int(any(figure.verdict == "MISS" for figure in figures))


def _print_table(figures: list[Figure]) -> None:
    print(f"\n{'figure':<66} {'value':>10}  {'bound':<7} verdict")
    for figure in figures:
        print(figure.line(with_note=False))
    missed = sum(figure.verdict == "MISS" for figure in figures)
    print(f"\n{len(figures)} figures, {missed} beyond their bound")


if __name__ == "__main__":
    sys.exit(main())
