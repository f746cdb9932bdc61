"""`gemba adaptor`: which there are, what they declare, and whether it is true."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from gemba_core.testing import PROBES
from tests.commands import run_cli

BROKEN = """
from gemba_core.orchestration.noop import Noop
from gemba_core.testing.noop import NoopSubject
from gemba_core.testing import Subject

class Inventive(Noop):
    async def read_agent(self, agent_id):
        raise KeyError("\\x1b[31m" + agent_id)

class BrokenSubject(NoopSubject):
    kind = Inventive

class HalfSubject(Subject):
    pass

def closed():
    raise OSError("no runtime here")
"""


@pytest.fixture
def broken(tmp_path: Path) -> dict[str, str]:
    """The environment in which the module `broken` is found."""
    (tmp_path / "broken.py").write_text(BROKEN)
    return {"PYTHONPATH": str(tmp_path)}


def test_the_reference_is_listed() -> None:
    """By the name that `test` and `describe` take."""
    assert "noop" in run_cli("gemba", "adaptor", "list").stdout.splitlines()
    assert "noop" in json.loads(run_cli("gemba", "adaptor", "list", "--json").stdout)


def test_an_adaptor_is_described() -> None:
    """By its manifest: a page, or its wire shape."""
    page = run_cli("gemba", "adaptor", "describe", "noop").stdout
    assert "subprocess, worktree" in page
    manifest = json.loads(run_cli("gemba", "adaptor", "describe", "noop", "--json").stdout)
    assert manifest["workspace_kinds"] == ["subprocess", "worktree"]


def test_an_adaptor_that_cannot_be_opened_is_told(broken: dict[str, str]) -> None:
    """In one line, whatever it raised."""
    done = run_cli("gemba", "adaptor", "describe", "broken:closed", env=broken)
    assert done.returncode == 1
    assert done.stderr == "gemba: broken:closed: cannot be opened: no runtime here\n"


@pytest.mark.parametrize("command", ["describe", "test"])
def test_an_adaptor_that_cannot_be_loaded_is_told(command: str) -> None:
    """In one line too."""
    done = run_cli("gemba", "adaptor", command, "no_such_module:open")
    assert done.returncode == 1
    assert done.stderr.startswith("gemba: no_such_module:open: cannot be loaded: ")


def test_a_subject_without_an_adaptor_is_a_wrong_call(broken: dict[str, str]) -> None:
    """What it lacks is said."""
    done = run_cli("gemba", "adaptor", "test", "broken:HalfSubject", env=broken)
    assert done.returncode == 2
    assert "adaptor" in done.stderr


@pytest.mark.parametrize(
    ("target", "code", "why"),
    [
        ("os:getcwd", 2, "neither opens an adaptor nor is a Subject"),
        ("broken:closed", 1, "cannot be opened: no runtime here"),
    ],
)
def test_what_opens_no_adaptor_is_told_once(
    broken: dict[str, str], target: str, code: int, why: str
) -> None:
    """Not by each of the probes."""
    done = run_cli("gemba", "adaptor", "test", target, env=broken)
    assert (done.returncode, done.stdout) == (code, "")
    assert why in done.stderr


@pytest.mark.parametrize("command", ["describe", "test"])
def test_an_unknown_adaptor_is_not_found(command: str) -> None:
    """The message names those that are installed."""
    done = run_cli("gemba", "adaptor", command, "nowhere")
    assert done.returncode == 4
    assert "noop" in done.stderr


def test_the_reference_passes() -> None:
    """Each probe has its line, and the counts come last."""
    done = run_cli("gemba", "adaptor", "test", "noop")
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert "ok    B end_session_idempotent" in lines
    assert lines[-1] == f"{len(PROBES)} passed, 0 failed, 0 skipped"


def test_a_broken_adaptor_fails(broken: dict[str, str]) -> None:
    """The line says which rule and why, inert; the exit code is 1."""
    probe = "unknown_agent_is_none"
    target = ("broken:BrokenSubject", "--probe", probe)
    done = run_cli("gemba", "adaptor", "test", *target, env=broken)
    assert done.returncode == 1
    assert done.stdout.startswith(f"FAIL  A {probe}: KeyError: ")
    assert "\x1b" not in done.stdout
    assert done.stdout.endswith("0 passed, 1 failed, 0 skipped\n")


def test_what_is_skipped_is_said() -> None:
    """With the override that is missing; nothing failed, so the exit code is 0."""
    target = ("gemba_core.orchestration.noop:open_noop", "--probe", "active_turn_id_skips_reaper")
    done = run_cli("gemba", "adaptor", "test", *target)
    assert done.returncode == 0
    assert done.stdout.startswith("skip  B active_turn_id_skips_reaper: needs the override")


def test_a_report_for_programs(tmp_path: Path) -> None:
    """One object on standard output, and the same as JUnit XML in a file."""
    junit = tmp_path / "report.xml"
    target = ("noop", "--probe", "unknown_agent_is_none", "--probe", "end_session_idempotent")
    done = run_cli("gemba", "adaptor", "test", *target, "--json", "--junit", str(junit))
    report = json.loads(done.stdout)
    assert (report["name"], report["passed"]) == ("noop", 2)
    cases = ElementTree.parse(junit).getroot().findall("testcase")
    names = [result["name"] for result in report["results"]]
    assert [case.get("name") for case in cases] == names


def test_a_report_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    """Where, and why, before anything is tried."""
    junit = str(tmp_path / "no" / "report.xml")
    target = ("noop", "--probe", "unknown_agent_is_none")
    done = run_cli("gemba", "adaptor", "test", *target, "--junit", junit)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"--junit: {junit}: No such file" in done.stderr


def test_an_unknown_probe_is_a_wrong_call() -> None:
    """Before anything is tried."""
    done = run_cli("gemba", "adaptor", "test", "noop", "--probe", "nonsense")
    assert done.returncode == 2
    assert "nonsense" in done.stderr
