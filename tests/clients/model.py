"""A model that is a script: the Responses API on loopback, for the real Codex CLI."""

import json
import re
import threading
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, TypeAlias

Step: TypeAlias = Mapping[str, Any]
Item: TypeAlias = Mapping[str, Any]

PAUSE: Step = {}

_SHELL = "exec_command"

# What the client says when a command takes longer than its call.
_RUNNING = re.compile(r"running with session ID (\d+)")


def run(command: str, **more: object) -> Step:
    """Have a shell command run; `more` goes to the client's tool as it is."""
    return _call(_SHELL, cmd=command, **more)


def ask_to_run(command: str) -> Step:
    """Have a command run that the person must allow first, where approvals are on request."""
    return run(command, sandbox_permissions="require_escalated", justification="because")


def say(text: str) -> Step:
    """End the turn with a message."""
    content = [{"type": "output_text", "text": text}]
    return {"type": "message", "role": "assistant", "content": content}


class Model:
    """Answers each request with the next step, and with `Done.` when there are none left.

    A command that is handed back unfinished is polled until it has exited, as
    `gemba-ask` advises. At a PAUSE it thinks until `go_on`.
    """

    def __init__(self, *steps: Step) -> None:
        self.requests: list[list[Item]] = []
        self._steps = list(steps)
        self.is_thinking = False
        self._may_answer = threading.Semaphore(0)
        self._is_closed = False
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,))
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    def then(self, *steps: Step) -> None:
        """More steps, after those that are left."""
        with self._lock:
            self._steps += steps

    def go_on(self, *, after: float = 0) -> None:
        """End the present or the next pause, in so many seconds."""
        threading.Timer(after, self._may_answer.release).start()

    def texts(self) -> list[str]:
        """All that the client has told in the conversation: of its longest request, each text."""
        longest = max(self.requests, key=len, default=[])
        return [text for item in longest for text in _texts_of(item)]

    def prompts(self) -> list[str]:
        """What the client has given as the person's words, its own preliminaries left out."""
        longest = max(self.requests, key=len, default=[])
        said = [text for item in longest if item.get("role") == "user" for text in _texts_of(item)]
        return [text for text in said if not re.match(r"<\w+>|# AGENTS.md", text)]

    def close(self) -> None:
        self._is_closed = True
        self.go_on()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def _next(self, items: list[Item]) -> Step:
        with self._lock:
            self.requests.append(items)
            running = _RUNNING.search(str(items[-1].get("output", ""))) if items else None
            if running:
                session = int(running[1])
                return _call("write_stdin", session_id=session, chars="", yield_time_ms=30_000)
        step = self._step()
        if step is PAUSE:
            self.is_thinking = True
            while not self._may_answer.acquire(timeout=0.1) and not self._is_closed:
                pass
            self.is_thinking = False
            step = self._step()
        return step

    def _step(self) -> Step:
        with self._lock:
            return self._steps.pop(0) if self._steps else say("Done.")

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        model = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, format: str, *args: object) -> None:
                """Say nothing."""

            def do_GET(self) -> None:
                self._head("application/json")
                self.wfile.write(b'{"data": [], "models": []}')

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                tools = {tool.get("name") for tool in body.get("tools", [])}
                # Without it, it is not the agent that asks: the client wants a title.
                is_agent = _SHELL in tools
                step = model._next(body.get("input", [])) if is_agent else say("A title")
                number = len(model.requests)
                item = {"id": f"i{number}", "call_id": f"c{number}", **step}
                usage = dict.fromkeys(("input_tokens", "output_tokens", "total_tokens"), 1)
                self._head("text/event-stream")
                self._event("response.created", response={"id": f"r{number}"})
                self._event("response.output_item.done", item=item)
                self._event("response.completed", response={"id": f"r{number}", "usage": usage})

            def _head(self, kind: str) -> None:
                self.send_response(200)
                self.send_header("content-type", kind)
                self.end_headers()

            def _event(self, kind: str, **data: Any) -> None:
                said = json.dumps({"type": kind, **data})
                self.wfile.write(f"event: {kind}\ndata: {said}\n\n".encode())

        return Handler


def _call(name: str, **arguments: object) -> Step:
    return {"type": "function_call", "name": name, "arguments": json.dumps(arguments)}


def _texts_of(item: Item) -> list[str]:
    if "output" in item:
        return [str(item["output"])]
    return [part["text"] for part in item.get("content") or [] if "text" in part]
