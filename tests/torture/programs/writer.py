"""Appends frames in a loop, once standard input has ended.

Usage: writer.py WAY FRAMES FAULT WRITER LOG; WAY is `append` or `append_hook`.
"""

import os
import sys
from functools import partial

from gemba_core.log import append, append_hook, frame_line


def main(way: str, frames: str, fault: str, writer: str, log: str) -> None:
    if fault:
        # Imported here: most writers are sound, and start sooner without it.
        from tests.torture.faults import plant

        plant(fault)
    write = append_hook if way == "append_hook" else partial(append, sync=False)
    os.read(0, 1)
    for number in range(int(frames)):
        payload: dict[str, object] = {"text": "x" * (number % 500)}
        event_id = f"{writer}{number:08x}"
        write(log, frame_line("torture", "GembaNote", payload, event_id=event_id))


if __name__ == "__main__":
    main(*sys.argv[1:])
