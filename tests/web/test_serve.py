"""gemba serve: how it starts, what it says, and how it ends."""

import os
import socket
from pathlib import Path

import pytest

from tests.inbox.scene import ask, resolution
from tests.operator.desk import gemba
from tests.web.served import serving

TOKEN = "t" * 40


def refused(*args: str, env: dict[str, str] | None = None, code: int = 2) -> str:
    """What it says when it does not start."""
    done = gemba("serve", *args, env=env)
    assert done.returncode == code, done.stderr
    assert not done.stdout
    return done.stderr


def test_it_says_where_it_is_and_ends_without_a_trace() -> None:
    """Its token is gone with it."""
    path = Path(os.environ["GEMBA_HOME"]) / "serve.token"
    with serving() as running:
        assert running.server.get("health")["status"] == "ok"
        assert path.read_text().strip() == running.server.token
        assert running.end() == (0, "")
    assert not path.exists()


def test_each_start_has_a_token_of_its_own() -> None:
    """An old link opens nothing."""
    with serving() as first, serving() as second:
        assert first.server.token != second.server.token
        assert len(first.server.token) >= 32
        first.end()
        path = Path(os.environ["GEMBA_HOME"]) / "serve.token"
        assert path.read_text().strip() == second.server.token


def test_it_ends_while_clients_listen() -> None:
    """At once, and with nothing to complain about."""
    with serving() as running, running.server.stream() as stream:
        stream.next("reset")
        assert running.end() == (0, "")


def test_other_commands_beside_it_leave_its_index_alone() -> None:
    """They open and close the same database, and it goes on with it."""
    with serving() as running:
        for _ in range(2):
            item = ask()
            assert gemba("escalations", "list").returncode == 0
            assert running.server.get(f"escalations/{item}")["state"] == "open"


def test_it_translates_applies_deadlines_and_delivers() -> None:
    """No other process is needed."""
    with serving() as running, running.server.stream() as stream:
        stream.next("reset")
        item = ask(deadline="2020-01-01T00:00:00Z", on_expiry="default=blue")
        stream.until(item, "settled")
    assert resolution(item).via == "policy"


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "somewhere.example"])
def test_for_others_it_needs_a_token_of_the_operators_own(host: str) -> None:
    """It says how to give one, and why."""
    said = refused("--host", host)
    assert "--token-file" in said
    assert "GEMBA_SERVE_TOKEN" in said


def test_for_others_it_says_what_it_exposes() -> None:
    """And takes the token that it was given, which it writes nowhere."""
    with serving("--host", "0.0.0.0", env={"GEMBA_SERVE_TOKEN": TOKEN}) as running:
        assert running.server.token == TOKEN
        port = running.server.url.rpartition(":")[2]
        with socket.create_connection(("127.0.0.1", int(port)), timeout=10):
            pass
        code, said = running.end()
    assert code == 0
    assert "every machine that reaches this one" in said
    assert not (Path(os.environ["GEMBA_HOME"]) / "serve.token").exists()


def test_a_token_may_lie_in_a_file(tmp_path: Path) -> None:
    """Which only its owner reads."""
    path = tmp_path / "token"
    path.write_text(f"{TOKEN}\n")
    path.chmod(0o600)
    with serving("--token-file", str(path)) as running:
        assert running.server.token == TOKEN
        assert running.server.get("health")


@pytest.mark.parametrize(
    ("text", "mode", "what"),
    [(TOKEN, 0o644, "chmod 600"), ("short", 0o600, "32"), (None, 0o600, "No such file")],
)
def test_a_token_file_that_is_no_secret_is_refused(
    tmp_path: Path, text: str | None, mode: int, what: str
) -> None:
    """With what to do about it."""
    path = tmp_path / "token"
    if text is not None:
        path.write_text(text)
        path.chmod(mode)
    assert what in refused("--token-file", str(path))


def test_a_port_that_is_taken_is_said() -> None:
    """With what to do next."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert f"127.0.0.1:{port}" in refused("--port", port, code=1)


def test_inside_an_agents_session_nothing_is_served() -> None:
    """An agent never answers itself, by this door either."""
    assert "agent" in refused(env={"GEMBA_SESSION_ID": "s1"}, code=1)


def test_without_the_extra_it_says_how_to_install_it(tmp_path: Path) -> None:
    """As one line, like every failure."""
    (tmp_path / "uvicorn.py").write_text("raise ModuleNotFoundError('x', name='uvicorn')\n")
    said = refused(env={"PYTHONPATH": str(tmp_path)}, code=1)
    assert "gemba-toolkit[web]" in said
    assert len(said.splitlines()) == 1


def test_the_operator_may_have_a_name() -> None:
    """It goes on the record where the session gives none."""
    item = ask()
    with serving("--as", "bob") as running:
        assert running.server.respond(item).status_code == 200
    assert resolution(item).resolved_by == "bob"
