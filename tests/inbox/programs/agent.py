"""An agent for tests: asks, then is the program that is named, as the same process.

Usage: agent.py PROGRAM RECORD [GEMBA-ASK ARGUMENT...]

What gemba-ask printed stands in RECORD.asked when it has ended.
"""

import os
import subprocess
import sys

if __name__ == "__main__":
    program, record, *question = sys.argv[1:]
    if question:
        script = os.path.join(os.path.dirname(sys.executable), "gemba-ask")
        done = subprocess.run([script, *question], stdout=subprocess.PIPE, check=False)
        with open(f"{record}.new", "wb") as asked:
            asked.write(done.stdout)
        os.rename(f"{record}.new", f"{record}.asked")
    os.execv(sys.executable, [sys.executable, program, record, "Allow this command?\n"])
