"""The real Codex CLI with a model that is a script on loopback."""

import json
import os
import subprocess
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from tests.clients.codex import find as find

_CONFIG = """\
# mine
model = "scripted"
model_provider = "scripted"

[model_providers.scripted]
name = "scripted"
base_url = "http://127.0.0.1:{port}/v1"
wire_api = "responses"
env_key = "SCRIPTED_KEY" # any

[analytics]
enabled = false
"""


@contextmanager
def scripted_model(*commands: str) -> Iterator[str]:
    """A model that has these shell commands run, one in each answer, then says `Done.`

    Yields the client's configuration for it.
    """

    class Model(BaseHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

        def do_GET(self) -> None:
            self._head("application/json")
            self.wfile.write(b'{"data": [], "models": []}')

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            done = sum(item.get("type") == "function_call_output" for item in body["input"])
            self._head("text/event-stream")
            usage = dict.fromkeys(("input_tokens", "output_tokens", "total_tokens"), 1)
            self._event("response.created", response={"id": f"r{done}"})
            self._event("response.output_item.done", item=self._answer(body, done))
            self._event("response.completed", response={"id": f"r{done}", "usage": usage})

        def _answer(self, body: Mapping[str, Any], done: int) -> dict[str, Any]:
            if done >= len(commands):
                said = [{"type": "output_text", "text": "Done."}]
                return {"type": "message", "role": "assistant", "id": "m", "content": said}
            tools = {tool.get("name") for tool in body["tools"]}
            name, key = next(
                pair
                for pair in (("exec_command", "cmd"), ("shell_command", "command"))
                if pair[0] in tools
            )
            call = {"name": name, "arguments": json.dumps({key: commands[done]})}
            return {"type": "function_call", "id": f"f{done}", "call_id": f"c{done}", **call}

        def _head(self, kind: str) -> None:
            self.send_response(200)
            self.send_header("content-type", kind)
            self.end_headers()

        def _event(self, kind: str, **data: Any) -> None:
            said = json.dumps({"type": kind, **data})
            self.wfile.write(f"event: {kind}\ndata: {said}\n\n".encode())

    server = ThreadingHTTPServer(("127.0.0.1", 0), Model)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield _CONFIG.format(port=server.server_port)
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def run(
    argv: Sequence[str], folder: Path, env: Mapping[str, str]
) -> subprocess.CompletedProcess[str]:
    """Run the client (or what starts it) to its end, without a terminal and without input."""
    return subprocess.run(
        argv,
        cwd=folder,
        # In a home below the temporary folder it makes no helper programs, which its sandbox needs.
        env={**os.environ, "SCRIPTED_KEY": "x", "TMPDIR": str(folder), **env},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=90,
        check=False,
    )
