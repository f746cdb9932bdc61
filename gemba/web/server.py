"""The server as a whole: its socket, its token, and its end."""

import ipaddress
import os
import resource
import secrets
import signal
import socket
import stat
import sys
from types import FrameType
from urllib.parse import quote

import uvicorn

from gemba.web.access import Door
from gemba.web.app import application
from gemba.web.plane import Plane
from gemba_core import home
from gemba_core.errors import GembaError, UsageError

# Beyond the streams there must be room for requests.
_MOST_CONNECTIONS = 2000
_BACKLOG = 1024
_SHORTEST_TOKEN = 32
# Milliseconds until a peer that takes nothing any more is given up.
_UNREAD = 60_000
_SETTINGS = {
    "http": "h11",
    "ws": "none",
    "lifespan": "on",
    "log_config": None,
    # What goes wrong is told by us, once; a log of requests would hold the token.
    "log_level": "critical",
    "access_log": False,
    "server_header": False,
    "proxy_headers": False,
    "limit_concurrency": _MOST_CONNECTIONS,
    "timeout_keep_alive": 30,
    "timeout_graceful_shutdown": 5,
}


class Server:
    """A server that listens, until the end of the context.

    Raises UsageError where it would listen for others without a token of the
    operator's own, and GembaError where it cannot listen.
    """

    def __init__(
        self, host: str, port: int, *, token_file: str | None, operator: str, plane: Plane
    ) -> None:
        given = _given_token(token_file)
        is_local = _is_loopback(host)
        if not is_local and given is None:
            raise UsageError(
                f"--host {host}: whoever reaches this machine could try to answer your agents: "
                "give a token of your own with --token-file or GEMBA_SERVE_TOKEN"
            )
        self.socket = _listening(host, port)
        self._host, self._port = host, int(self.socket.getsockname()[1])
        self._is_own = given is None
        self._plane = plane
        names = {"localhost", host} if is_local else {"localhost", host, socket.gethostname()}
        self.door = Door(
            token=given or secrets.token_urlsafe(32),
            hosts=frozenset(name.lower() for name in names),
            any_address=not is_local,
            port=self._port,
            operator=operator,
        )

    @property
    def url(self) -> str:
        """Where it is reached."""
        host = socket.gethostname() if self._host in ("0.0.0.0", "::") else self._host
        return f"http://{f'[{host}]' if ':' in host else host}:{self._port}"

    @property
    def link(self) -> str:
        """The link that lets in."""
        return f"{self.url}/?token={quote(self.door.token, safe='')}"

    @property
    def exposes(self) -> list[str]:
        """What a person should know who lets others reach it."""
        if not self.door.any_address:
            return []
        return [
            f"listening on {self._host}: every machine that reaches this one can try the token, "
            "and who is in between reads prompts, answers and the token itself, for it is plain "
            "HTTP; an ssh tunnel is better (docs/serve.md)"
        ]

    def __enter__(self) -> "Server":
        if self._is_own:
            home.write_private(home.serve_token_path(), f"{self.door.token}\n".encode())
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()
        if self._is_own and _read(home.serve_token_path()) == self.door.token:
            os.unlink(home.serve_token_path())

    def run(self) -> None:
        """Serve until Ctrl-C or SIGTERM."""
        _allow_files()
        # uvicorn raises the signal again when it is done: then we still have to tidy up.
        signal.signal(signal.SIGTERM, _end)
        try:
            self.prepared().run(sockets=[self.socket])
        except KeyboardInterrupt:
            return

    def prepared(self) -> uvicorn.Server:
        """What runs on `socket`, ready to run; its `should_exit` ends it."""
        app = application(self.door, self._plane)
        return _Uvicorn(uvicorn.Config(app, **_SETTINGS))  # type: ignore[arg-type]  # a dict of all kinds


class _Uvicorn(uvicorn.Server):
    """Ends the streams first: it waits for connections, and these would never end."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self.config.app.state.hub.close()  # type: ignore[union-attr]  # it is our application
        await super().shutdown(sockets)


def _end(_: int, __: FrameType | None) -> None:
    sys.exit(0)


def _given_token(path: str | None) -> str | None:
    """The operator's own token, if there is one. Raises UsageError."""
    if path is None:
        token, where = home.serve_token(), "GEMBA_SERVE_TOKEN"
    else:
        token, where = _of_file(path), path
    if token is None:
        return None
    if len(token) < _SHORTEST_TOKEN or not token.isascii() or not token.isprintable():
        raise UsageError(
            f"{where}: a token has at least {_SHORTEST_TOKEN} plain characters; make one with "
            "python3 -c 'import secrets; print(secrets.token_urlsafe())'"
        )
    return token


def _of_file(path: str) -> str:
    try:
        mode = os.stat(path).st_mode
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}") from error
    if stat.S_IMODE(mode) & 0o077:
        raise UsageError(f"{path}: others can read it; chmod 600 {path}")
    return _read(path) or ""


def _read(path: str) -> str | None:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read().strip()
    except OSError:
        return None


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _listening(host: str, port: int) -> socket.socket:
    """Raises GembaError."""
    try:
        [*_, (family, _, _, _, address)] = socket.getaddrinfo(
            "127.0.0.1" if host == "localhost" else host, port, type=socket.SOCK_STREAM
        )
        listening = socket.create_server(address[:2], family=family, backlog=_BACKLOG)
    except (OSError, UnicodeError) as error:
        why = getattr(error, "strerror", None) or error
        raise GembaError(
            f"{host}:{port}: {why}; give another --host or --port, or leave --port out"
        ) from error
    # Connections inherit these. asyncio sets the first one itself, but not for such a socket;
    # without it each answer waits 40 ms for the client's acknowledgement.
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _UNREAD)
    return listening


def _allow_files() -> None:
    """Let us have as many files open as connections may need."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 2 * _MOST_CONNECTIONS
    if soft != resource.RLIM_INFINITY and soft < wanted:
        most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, most), hard))
