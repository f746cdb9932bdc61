"""An agent-like terminal program with an input line, for tests.

Usage: composer.py RECORD [DIALOG]

It takes bracketed pastes, shows what it has in an input line below the texts
submitted before, and submits on Enter. A paste of over 1,000 characters is
shown as a stand-in. SIGUSR1 opens a permission dialog that shows DIALOG; while
it is up, pastes are swallowed and Enter approves. SIGUSR2 empties the screen.
Everything that happens is appended to RECORD, one JSON object per line.
"""

import json
import os
import signal
import sys
import termios
import tty
from types import FrameType

BEGIN, END = b"\x1b[200~", b"\x1b[201~"


class Composer:
    def __init__(self, record: str, dialog: str) -> None:
        self.record = record
        self.dialog = dialog
        self.dialog_open = False
        self.text = ""
        self.history: list[str] = []

    def run(self) -> None:
        self.show("\x1b[?2004h")
        self.redraw()
        signal.signal(signal.SIGUSR1, self.open_dialog)
        signal.signal(signal.SIGUSR2, self.empty)
        self.note("ready")
        unread = b""
        while more := os.read(0, 65536):
            unread = self.take(unread + more)

    def take(self, unread: bytes) -> bytes:
        while unread:
            if unread.startswith(BEGIN):
                pasted, end, rest = unread.removeprefix(BEGIN).partition(END)
                if not end:
                    return unread
                self.paste(pasted.decode().replace("\r", "\n"))
                unread = rest
            elif BEGIN.startswith(unread):
                return unread
            else:
                if unread[:1] == b"\r":
                    self.enter()
                else:
                    self.note("key", unread[:1].hex())
                unread = unread[1:]
        return b""

    def paste(self, text: str) -> None:
        if self.dialog_open:
            self.note("swallowed", text)
            return
        self.text += text
        self.redraw()
        self.note("pasted", text)

    def enter(self) -> None:
        if self.dialog_open:
            self.note("approved")
            return
        self.history.append(self.text)
        self.note("submitted", self.text)
        self.text = ""
        self.redraw()

    def open_dialog(self, _signal: int, _frame: FrameType | None) -> None:
        self.show("\x1b[2J\x1b[H" + self.dialog.replace("\n", "\r\n"))
        self.dialog_open = True
        self.note("dialog")

    def empty(self, _signal: int, _frame: FrameType | None) -> None:
        self.text = ""
        self.history.clear()
        self.redraw()
        self.note("emptied")

    def redraw(self) -> None:
        shown = self.text
        if len(shown) > 1000:
            shown = f"[Pasted Content {len(shown)} chars]"
        rows = [f"> {text[:60]}".replace("\n", " ") for text in self.history[-5:]]
        rows.append("> " + shown.replace("\n", "\n  "))
        screen = "\n".join(rows).replace("\t", "    ").replace("\n", "\r\n")
        self.show("\x1b[2J\x1b[H" + screen)

    def show(self, screen: str) -> None:
        # The whole of it: a terminal may take less at a time.
        unwritten = screen.encode()
        while unwritten:
            unwritten = unwritten[os.write(1, unwritten) :]

    def note(self, event: str, text: str = "") -> None:
        with open(self.record, "a", encoding="utf-8") as record:
            record.write(json.dumps({"event": event, "text": text}) + "\n")


if __name__ == "__main__":
    tty.setraw(0, termios.TCSANOW)
    Composer(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "").run()
