"""A client's permission dialog for tests: as Codex shows it, and what is pressed while it is up.

Usage: dialog.py RECORD COMMAND [deaf]

`y` approves and ends the dialog; SIGUSR1 ends it too; a `deaf` one takes no key.
Each key is appended to RECORD, one JSON object per line.
"""

import json
import os
import signal
import sys
import termios
import tty
from types import FrameType

ROWS = """\
Running {command}

  Would you like to run the following command?

  Reason: because

  $ {command}


› 1. Yes, proceed (y)
  2. Yes, and don't ask again for commands that start with `{command}` (p)
  3. No, and tell Codex what to do differently (esc)

  Press enter to confirm or esc to cancel"""


class Dialog:
    def __init__(self, record: str, command: str, deaf: bool) -> None:
        self.record = record
        self.rows = ROWS.replace("{command}", command)
        self.deaf = deaf

    def run(self) -> None:
        self.show(f"\x1b[?25l\x1b[2J\x1b[H{self.rows}")
        signal.signal(signal.SIGUSR1, self.close)
        self.note("ready")
        while key := os.read(0, 1):
            self.note("key", key.decode())
            if key == b"y" and not self.deaf:
                self.close()

    def close(self, _signal: int = 0, _frame: FrameType | None = None) -> None:
        self.show("\x1b[2J\x1b[H\x1b[?25h> ")
        self.note("closed")

    def show(self, screen: str) -> None:
        os.write(1, screen.replace("\n", "\r\n").encode())

    def note(self, event: str, text: str = "") -> None:
        with open(self.record, "a", encoding="utf-8") as record:
            record.write(json.dumps({"event": event, "text": text}) + "\n")


if __name__ == "__main__":
    tty.setraw(0, termios.TCSANOW)
    Dialog(sys.argv[1], sys.argv[2], "deaf" in sys.argv[3:]).run()
