"""The loop: ask the machine, do what it says, ask again. It knows no phases.

Everything is on the record before it is done and after, so that a runner that
was killed anywhere is followed by another one. Source: spec 002, "The
Orchestrator Loop".
"""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass

from gemba_core.errors import GembaError
from gemba_core.frame.line import new_event_id
from gemba_core.frame.text import shown_line
from gemba_core.waiting import Outcome, Take
from gemba_core.workflow import machine
from gemba_core.workflow.action import Action, Ask, Done, GateFailed
from gemba_core.workflow.group import Group, end_orphan
from gemba_core.workflow.journal import Journal
from gemba_core.workflow.output import write_whole
from gemba_core.workflow.person import RETRY, Person, Question, question_of, stuck
from gemba_core.workflow.phases import Phases
from gemba_core.workflow.process import Process
from gemba_core.workflow.record import Asking, Concluded, Consulted, Issued, Reported, Settled
from gemba_core.workflow.repeats import Repeats
from gemba_core.workflow.site import Site

MAX_STEPS = 500


class Stopped(Exception):
    """The workflow ends here, and why."""


class Unanswered(Exception):
    """Nobody has answered; a later runner waits for the same escalation."""


@dataclass(frozen=True, slots=True)
class Crew:
    """Who does what the machine orders."""

    phases: Phases
    person: Person


class Loop:
    """One runner of one workflow, going on where the journal ends."""

    def __init__(
        self,
        site: Site,
        journal: Journal,
        crew: Crew,
        *,
        inherited: Mapping[str, str],
        max_steps: int = MAX_STEPS,
    ) -> None:
        self._site = site
        self._journal = journal
        self._now = journal.history
        self._crew = crew
        self._inherited = inherited
        self._max_steps = max_steps
        self._repeats = Repeats(site.workspace)

    def run(self) -> Concluded:
        """To its end; the last word of the journal. Raises GembaError, OSError."""
        try:
            self._recover()
            self._go_on()
        except Stopped as stop:
            concluded = Concluded("stopped", str(stop))
        except Unanswered as silence:
            concluded = Concluded("waiting", str(silence))
        except (GembaError, OSError) as error:
            # What has failed may be the journal itself, or whoever is told of it.
            with suppress(GembaError, OSError):
                self._journal.append(Concluded("failed", str(error)))
            raise
        except (SystemExit, KeyboardInterrupt):
            with suppress(GembaError, OSError):
                self._journal.append(Concluded("interrupted"))
            raise
        else:
            concluded = Concluded("done")
        self._journal.append(concluded)
        return concluded

    def _recover(self) -> None:
        """Settle what a runner that died has left half done."""
        asking = self._now.asking
        if asking is not None:
            end_orphan(Group(asking.pid, asking.started))
            self._site.put_progress_back()
        remaining = self._now.remaining
        for item, left in tuple(self._now.running.items()):
            self._crew.phases.recover(left, remaining[item])

    def _go_on(self) -> None:
        for _ in range(self._max_steps):
            action = self._now.action if self._now.is_pending else self._next()
            if isinstance(action, Done):
                return
            self._do(action)
        raise GembaError(
            f"{self._max_steps} steps, and no end; if there is one, go on with a larger --max-steps"
        )

    def _next(self) -> Action:
        """Ask the machine; its answer is on the record before anything is done."""
        self._site.keep_progress()
        step = self._now.step + 1

        def begun(process: Process) -> None:
            self._journal.append(Asking(step, process.group.pid, process.group.started))

        action, printed = machine.ask(self._site, self._inherited, begun=begun)
        # What is refused is never pending: the machine, once mended, is asked anew.
        self._site.check(action)
        self._journal.append(Issued(step, printed))
        if not isinstance(action, Done | GateFailed):
            self._repeats.add(action)
        return action

    def _do(self, action: Action | None) -> None:
        if isinstance(action, GateFailed):
            self._wait_until_mended("gate", action.reason)
        elif isinstance(action, Ask):
            self._ask(action)
        elif self._now.remaining:
            self._spawn()

    def _spawn(self) -> None:
        """Run what has not succeeded, again where a person says so."""
        if self._now.consulted is not None:
            self._wait_until_mended("failure", self._now.consulted.text)
        while self._now.remaining:
            failed = self._crew.phases.run(self._now.step, self._now.remaining)
            if failed:
                self._wait_until_mended("failure", "\n".join(failed))

    def _ask(self, ask: Ask) -> None:
        path = self._site.output_file(ask.output_file)

        def answered(value: str, detail: str) -> None:
            write_whole(path, f"{value}\n", self._site.own)
            self._journal.append(Reported(self._now.step, 1, True, detail))

        def take(outcome: Outcome) -> None:
            if outcome.value is not None and outcome.ended in ("answered", "defaulted"):
                by = outcome.resolution.by if outcome.resolution else ""
                answered(outcome.value, f"{outcome.ended} by {by}")

        if not self._crew.person.may_be_asked:
            if ask.default is None:
                raise Stopped(
                    "in dangerous mode nobody is asked, and it has no default: "
                    + shown_line(ask.title or ask.text)
                )
            answered(ask.default, "the declared default: in dangerous mode nobody is asked")
            return
        outcome = self._consult(question_of(ask), take)
        if outcome.ended not in ("answered", "defaulted"):
            said = f": {outcome.value}" if outcome.value else ""
            raise Stopped(f"{ask.title or shown_line(ask.text)}: {outcome.ended}{said}")

    def _wait_until_mended(self, about: str, reason: str) -> None:
        """Until a person says that it is to be tried again. Raises Stopped."""
        if not self._crew.person.may_be_asked:
            raise Stopped(reason)
        printed = [self._site.action_folder(self._now.step, item) for item in self._now.remaining]
        question = stuck(about, reason, self._site, printed)
        outcome = self._consult(question, lambda _: None)
        is_yes = outcome.resolution is not None and outcome.resolution.kind == "approve"
        if not (is_yes or (outcome.value or "").strip().lower() == RETRY):
            raise Stopped(f"{reason}\n{outcome.ended}: {outcome.value or 'nothing'}")

    def _consult(self, question: Question, take: Take) -> Outcome:
        """Ask a person, or wait for what a runner before us has asked. Raises Unanswered."""
        consulted = self._now.consulted
        if consulted is None:
            consulted = Consulted(self._now.step, new_event_id(), question.about, question.reason)
            self._journal.append(consulted)
        outcome = self._crew.person.consult(consulted.escalation, question, take)
        if outcome.ended == "unanswered":
            what = shown_line(question.title or consulted.text)
            raise Unanswered(f"nobody has answered {consulted.escalation} yet: {what}")
        settled = Settled(self._now.step, consulted.escalation, outcome.ended, outcome.value)
        self._journal.append(settled)
        return outcome
