"""A dry run: the machine over an empty workspace, its agents and people faked.

Each output is a sample of the skill's own, where it has one of that name in
`samples/`, and else a line that says what it stands for.
"""

import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from gemba_core import caller
from gemba_core.errors import GembaError
from gemba_core.waiting import Outcome, Take
from gemba_core.workflow.action import Spawn
from gemba_core.workflow.context import missing
from gemba_core.workflow.journal import Journal, Tell
from gemba_core.workflow.loop import Crew, Loop
from gemba_core.workflow.output import write_whole
from gemba_core.workflow.person import STOP, Question
from gemba_core.workflow.record import Reported, Started
from gemba_core.workflow.site import Site, site_for
from gemba_core.workflow.skill import Scripted

SAMPLES = "samples"
MAX_STEPS = 200


@dataclass(frozen=True, slots=True)
class Rehearsed:
    """How it ended (`done`, `stopped` at a gate, `failed`), and what is wrong with the skill."""

    ended: str
    detail: str
    problems: tuple[str, ...]


def rehearse(skill: Scripted, tell: Tell, *, samples: str | None = None) -> Rehearsed:
    """Run the skill in a temporary workspace, which is gone afterwards.

    `samples`: another folder than the skill's own. Raises OSError.
    """
    problems: dict[str, None] = {}
    with tempfile.TemporaryDirectory(prefix="gemba-check-") as workspace:
        site = site_for(skill, workspace, workspace)
        site.make()
        with Journal(site.journal, tell) as journal:
            fakes = _Fakes(site, journal, samples or os.path.join(skill.folder, SAMPLES), problems)
            crew = Crew(fakes, fakes)
            loop = Loop(site, journal, crew, inherited=caller.environment(), max_steps=MAX_STEPS)
            try:
                concluded = loop.run()
            except GembaError as error:
                return Rehearsed("failed", str(error), tuple(problems))
    return Rehearsed(concluded.ended, concluded.detail, tuple(problems))


class _Fakes:
    """Agents that do nothing but leave their output; a person who takes the first option."""

    may_be_asked = True

    def __init__(
        self, site: Site, journal: Journal, samples: str, problems: dict[str, None]
    ) -> None:
        self._site = site
        self._journal = journal
        self._samples = samples
        self._problems = problems

    def run(self, step: int, spawns: Mapping[int, Spawn]) -> list[str]:
        """See Phases."""
        for item, spawn in spawns.items():
            self._problems.update(dict.fromkeys(missing(spawn, self._site)))
            path = self._site.output_file(spawn.output_file)
            write_whole(path, self._sample(spawn.output_file), self._site.own)
            self._journal.append(Reported(step, item, True, "faked"))
        return []

    def recover(self, left: Started, spawn: Spawn) -> None:
        """See Phases: a dry run is never taken up again."""
        raise AssertionError("nobody takes up a dry run")

    def consult(self, escalation: str, question: Question, take: Take) -> Outcome:
        """See Person. A gate stays where it is."""
        if question.about != "ask":
            return Outcome("answered", STOP)
        options = [one.value for one in question.options]
        outcome = Outcome("answered", question.default or (options or ["(an answer)"])[0])
        take(outcome)
        return outcome

    def _sample(self, name: str) -> str:
        try:
            return Path(self._samples, name).read_text("utf-8")
        except OSError:
            return f"(faked: what {name} is to hold)\n"
