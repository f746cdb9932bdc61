"""`python -m bench.peak HOME`: catch up in a process of its own, print its peak in bytes."""

import resource
import sys
from pathlib import Path

from bench.catch_up import catch_up


def peak() -> int:
    """The most memory that this process has held at once."""
    try:
        # A child's ru_maxrss begins with its parent's on Linux; this counts from its own start.
        status = Path("/proc/self/status").read_text()
    except OSError:
        unit = 1 if sys.platform == "darwin" else 1024
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
    return int(status.partition("VmHWM:")[2].split()[0]) * 1024


if __name__ == "__main__":
    catch_up(Path(sys.argv[1]))
    print(peak())
