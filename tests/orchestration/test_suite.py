"""What the conformance suite does with what it finds: reports, skips, limits."""

import asyncio
import json
import re
import subprocess
import sys
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from gemba_core.errors import NotFound, UsageError
from gemba_core.orchestration.agent import AgentRef
from gemba_core.orchestration.noop import Noop, open_noop
from gemba_core.testing import (
    PROBES,
    OrchestrationConformance,
    Outcome,
    Report,
    Subject,
    results,
    run_probes,
    subject_of,
)
from gemba_core.testing.noop import NoopSubject

ROOT = Path(__file__).parent.parent.parent

# The probes of the contract's own table, by their groups.
MINIMUM = {
    "A": {"list_agents_returns_declared_capabilities"},
    "B": {
        "claim_next_ready_reserves",
        "end_session_idempotent",
        "end_session_terminal_absorbing",
        "end_session_populates_close_reason",
        "active_turn_id_skips_reaper",
        "scope_teardown_releases_resources",
        "list_pending_requests_exists",
    },
    "C": {"acquire_fs_scoped_honored", "required_isolation_honored"},
    "D": {"resolve_escalation_unblocks_session"},
    "E": {"event_ordering_across_assignment"},
    "F": {"every_boundary_error_is_tagged"},
}


_MIXED = """
from gemba_core.orchestration.noop import open_noop
from gemba_core.testing import OrchestrationConformance

class TestIt(OrchestrationConformance):
    def adaptor(self):
        return open_noop()
"""


class Bare(Subject):
    """Overrides what must be, and nothing else."""

    def adaptor(self) -> AbstractAsyncContextManager[Noop]:
        return open_noop()


class NeverAnswers(Noop):
    """An adaptor that hangs."""

    async def read_agent(self, agent_id: str) -> AgentRef | None:
        await asyncio.Event().wait()
        return None


class Slow(NoopSubject):
    """One that hangs, and little patience with it."""

    kind = NeverAnswers
    timeout = 0.05


class Closed(NoopSubject):
    """An adaptor that cannot be opened; what it says would paint on a terminal, and break XML."""

    def adaptor(self) -> AbstractAsyncContextManager[Noop]:
        raise OSError("no such\x1b[31m runtime")


def _report(subject: Subject, *names: str) -> Report:
    chosen = [probe for probe in PROBES if probe.name in names]
    return Report("it", tuple(results(subject, chosen)))


@pytest.mark.parametrize("group", MINIMUM)
def test_the_minimum_is_there(group: str) -> None:
    """Each probe of the contract's table has its name and its group."""
    assert MINIMUM[group] <= {probe.name for probe in PROBES if probe.group == group}


def test_probes_are_told_apart() -> None:
    """No two have one name, and each says what it proves."""
    assert len({probe.name for probe in PROBES}) == len(PROBES)
    assert all(probe.proves.strip().endswith(".") for probe in PROBES)


def test_every_probe_is_documented() -> None:
    """docs/adaptors.md has a row for each, and none for one that there is not."""
    page = (ROOT / "docs" / "adaptors.md").read_text()
    rows = [line.split("`")[1] for line in page.splitlines() if line.startswith("| `")]
    assert [name for name in rows if name in {probe.name for probe in PROBES}] == [
        probe.name for probe in PROBES
    ]


def test_the_documented_example_is_caught() -> None:
    """By the probe whose line docs/adaptors.md shows, and those of the rules beside it."""
    page = (ROOT / "docs" / "adaptors.md").read_text()
    blocks = re.findall(r"^```python\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    namespace: dict[str, Any] = {}
    exec(next(block for block in blocks if "ForgetfulSubject" in block), namespace)  # noqa: S102  # ours
    report = run_probes(namespace["ForgetfulSubject"]())
    failed = {result.probe.name for result in report.results if result.outcome is Outcome.FAILED}
    assert failed == {
        "end_session_idempotent",
        "end_session_terminal_absorbing",
        "concurrent_ends_agree",
        "provider_close_keeps_its_reason",
    }


def test_a_probe_without_its_override_is_skipped() -> None:
    """It names the override, and does not count as passed."""
    report = _report(Bare(), "active_turn_id_skips_reaper")
    (result,) = report.results
    assert result.outcome is Outcome.SKIPPED
    assert "begin_turn" in result.reason
    assert report.count(Outcome.PASSED) == 0
    assert report.is_conformant


def test_pytest_shows_each_probe(tmp_path: Path) -> None:
    """As a test of its own: passed, or skipped with the override that it needs."""
    (tmp_path / "test_it.py").write_text(_MIXED)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-rA", "-p", "no:cacheprovider", str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stdout
    assert "PASSED test_it.py::TestIt::test_B_end_session_idempotent" in done.stdout
    assert "needs the override 'begin_turn'" in done.stdout


def test_each_probe_is_a_test() -> None:
    """With its group and name in the test's, and what it proves as docstring."""
    for probe in PROBES:
        test = getattr(OrchestrationConformance, f"test_{probe.group}_{probe.name}")
        assert test.__doc__ == probe.proves


def test_an_adaptor_that_hangs_fails() -> None:
    """After the subject's time limit, which the reason says."""
    (result,) = _report(Slow(), "unknown_agent_is_none").results
    assert result.outcome is Outcome.FAILED
    assert "0.05 s" in result.reason


def test_an_adaptor_that_cannot_be_opened_fails() -> None:
    """With its own error as the reason."""
    report = _report(Closed(), "unknown_agent_is_none")
    assert not report.is_conformant
    assert report.results[0].reason == "OSError: no such\x1b[31m runtime"


def test_a_report_is_json() -> None:
    """Its counts, and each result with its group, name, outcome and reason."""
    told = json.loads(json.dumps(_report(Bare(), "unknown_agent_is_none").to_json()))
    assert (told["name"], told["passed"], told["failed"], told["skipped"]) == ("it", 1, 0, 0)
    (result,) = told["results"]
    assert (result["group"], result["name"]) == ("A", "unknown_agent_is_none")
    assert (result["outcome"], result["reason"]) == ("passed", "")


def test_a_report_is_junit_xml() -> None:
    """Well-formed whatever an adaptor says, with failures and skips marked as such."""
    failed = _report(Closed(), "unknown_agent_is_none").results
    skipped = _report(Bare(), "active_turn_id_skips_reaper").results
    suite = ElementTree.fromstring(Report("it", failed + skipped).to_junit())
    assert (suite.get("tests"), suite.get("failures"), suite.get("skipped")) == ("2", "1", "1")
    first, second = suite.findall("testcase")
    assert (first.get("classname"), first.get("name")) == ("it.A", "unknown_agent_is_none")
    assert first.find("failure") is not None
    assert second.find("skipped") is not None


def test_a_run_has_every_probe() -> None:
    """In the order of the catalogue, under the subject's name."""
    report = run_probes(Closed())
    assert report.name == "Closed"
    assert [result.probe for result in report.results] == list(PROBES)


def test_an_installed_adaptor_comes_with_its_subject() -> None:
    """Found under the same name."""
    assert isinstance(subject_of("noop"), NoopSubject)


def test_a_subject_may_be_named_itself() -> None:
    """By its module and class."""
    assert isinstance(subject_of("gemba_core.testing.noop:NoopSubject"), NoopSubject)


def test_what_opens_an_adaptor_is_a_subject_without_overrides() -> None:
    """Then what needs an override is skipped."""
    subject = subject_of("gemba_core.orchestration.noop:open_noop")
    report = _report(subject, "unknown_agent_is_none", "degraded_calls_say_so")
    assert [result.outcome for result in report.results] == [Outcome.PASSED, Outcome.SKIPPED]


def test_a_target_that_opens_nothing_is_refused() -> None:
    """Before any probe."""
    with pytest.raises(UsageError, match="neither"):
        subject_of("gemba_core.orchestration.feed:CAPACITY")


def test_an_unknown_target_is_not_found() -> None:
    """The message names those that there are."""
    with pytest.raises(NotFound, match="noop"):
        subject_of("nowhere")
