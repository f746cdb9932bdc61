"""/openapi.json: what it says holds, for whatever is sent."""

import re
import subprocess
from pathlib import Path

import pytest

from gemba.web import problem
from tests.commands import SCRIPTS, environment
from tests.inbox.scene import ask
from tests.web.served import Served, serving

_EXAMPLES = 50
# A stream does not end by itself: tests of its own try it.
_ENDLESS = "/api/events"


def test_it_describes_every_route(server: Served) -> None:
    """In version 3.1, with the rows' own schemas, and both ways to come in."""
    document = server.http.get("/openapi.json").json()
    assert document["openapi"].startswith("3.1")
    assert {"/api/escalations", "/api/escalations/{id}/respond", _ENDLESS} <= set(document["paths"])
    parts = document["components"]
    assert {"Escalation", "Session", "Problem"} <= set(parts["schemas"])
    assert set(parts["securitySchemes"]) == {"token", "session"}


def test_every_error_is_one_of_those_described(server: Served) -> None:
    """Unknown paths and methods, too."""
    for answer in (
        server.http.get("/api/none"),
        server.http.delete("/api/sessions"),
        server.http.post("/api/expand", content=b"{", headers={"Content-Type": "application/json"}),
        server.http.post("/api/expand", content=b"\xff"),
    ):
        assert answer.status_code in (400, 404, 405, 422)
        assert answer.json().keys() == {"_kind", "retryable", "message", "detail"}


@pytest.mark.torture
@pytest.mark.timeout(900)
def test_schemathesis_finds_no_answer_that_is_not_described(tmp_path: Path) -> None:
    """No status, no header and no body beyond the document, and no fault of the server's."""
    for number in range(4):
        ask(session=f"s{number}")
    with serving() as running:
        server = running.server
        command = [
            *(str(SCRIPTS / "schemathesis"), "run", f"{server.url}/openapi.json"),
            *("--header", f"Authorization: Bearer {server.token}"),
            *("--exclude-path", _ENDLESS, "--max-examples", str(_EXAMPLES)),
            *("--seed", "1", "--generation-deterministic", "--no-color"),
        ]
        done = subprocess.run(
            command, env=environment(), cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout
        assert running.end() == (0, "")


def test_every_route_stands_in_the_docs(server: Served) -> None:
    """docs/serve.md names each with its method."""
    said = (Path(__file__).parents[2] / "docs" / "serve.md").read_text()
    for path, methods in server.http.get("/openapi.json").json()["paths"].items():
        for method in methods:
            assert f"`{method.upper()} {path}`" in said


def test_every_kind_of_problem_stands_in_the_docs() -> None:
    """With what it means."""
    said = (Path(__file__).parents[2] / "docs" / "serve.md").read_text()
    sources = (Path(problem.__file__).parent).glob("*.py")
    kinds = {
        kind
        for source in sources
        for kind in re.findall(r'problem\(\s*\d+,\s*"(\w+)"', source.read_text())
    }
    kinds |= {kind for _, _, kind, _ in problem.RAISED}
    assert {"no_token", "full", "already_settled"} <= kinds
    for kind in kinds:
        assert f"`{kind}`" in said, kind
