"""A webhook receiver on this machine, and the configuration that sends to it."""

import json
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from gemba_core import home

SECRET = "s3cr3t-token-in-the-path"
VARIABLE = "HOOK_ADDRESS"


@dataclass
class Receiver:
    """What it was sent. While `answers` is 500 it takes nothing; it answers while `open` is set."""

    port: int = 0
    answers: int = 200
    open: threading.Event = field(default_factory=threading.Event)
    messages: list[dict[str, Any]] = field(default_factory=list)
    refused: int = 0

    @property
    def address(self) -> str:
        return f"json://127.0.0.1:{self.port}/{SECRET}"

    @property
    def env(self) -> dict[str, str]:
        return {VARIABLE: self.address}

    @property
    def titles(self) -> list[str]:
        return [message["title"] for message in self.messages]


@contextmanager
def receiving(port: int = 0) -> Iterator[Receiver]:
    """It listens until the end; a given port is that of an earlier one."""
    receiver = Receiver()
    receiver.open.set()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if receiver.answers == 200:
                receiver.messages.append(json.loads(body))
            else:
                receiver.refused += 1
            receiver.open.wait()
            self.send_response(receiver.answers)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Nothing on standard error."""

    with ThreadingHTTPServer(("127.0.0.1", port), Handler) as server:
        receiver.port = server.server_port
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield receiver
        finally:
            server.shutdown()
            thread.join()


def configure(*rules: str) -> None:
    """Write `[[notify]]` tables; each rule is its lines beside name and url."""
    path = Path(home.config_path())
    path.parent.mkdir(parents=True, exist_ok=True)
    tables = [
        f'[[notify]]\nname = "rule{number}"\nurl = "env:{VARIABLE}"\n{rule}\n'
        for number, rule in enumerate(rules, 1)
    ]
    # In its place all at once: a watch may be reading it.
    fresh = path.with_suffix(".new")
    fresh.write_text("\n".join(tables))
    os.replace(fresh, path)
