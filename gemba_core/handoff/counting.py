"""Deciding about a round whose messages may have been counted before: none counts twice.

A message was counted before if `decide` has counted it and nobody has raised it
since, or if it has led to a pause about which a person has not answered yet.
"""

import hashlib
from collections.abc import Container, Sequence
from dataclasses import dataclass, replace

from gemba_core.handoff.decide import decide
from gemba_core.handoff.decision import Decision, Step
from gemba_core.handoff.history import Counted, History
from gemba_core.handoff.parse import Returned
from gemba_core.handoff.question import question_of
from gemba_core.handoff.sender import Sender, senders
from gemba_core.handoff.validate import Context


@dataclass(frozen=True, slots=True)
class Round:
    """The agents' messages, what was returned in each, and what is known beside them."""

    messages: Sequence[bytes]
    returned: Sequence[Returned]
    in_flight: int
    context: Context

    def decided(self, history: History) -> Decision:
        """Each message counts. The decision's history remembers that it did."""
        decision = self._decision(history)
        if decision.turn == "hold":
            return decision
        counted = {
            self._digest(one): Counted(one.key, one.place, history.of(one.key, one.place))
            for one in self._heard(history)
        }
        return replace(decision, history=decision.history.remembering(counted))

    def taken_up(self, history: History, unanswered: Container[str]) -> Decision:
        """Only messages count that have not been counted; `unanswered` are keys of questions."""
        marks = [self._digest(one) for one in self._heard(history)]
        standing = {mark for mark in marks if history.stands(mark, unanswered)}
        before = history
        for mark in standing:
            before = before.before(mark)
        decision = self._decision(before)
        if decision.turn == "hold":
            return replace(decision, history=history)
        after, counted = history, {}
        for mark, one, step in zip(marks, self._heard(before), decision.steps, strict=True):
            if mark not in standing:
                after = after.with_tries(one.key, one.place, decision.history.of(one.key))
            counted[mark] = _pausing(step, one, before)
        return replace(decision, history=after.remembering(counted))

    def _decision(self, history: History) -> Decision:
        return decide(self.returned, history, in_flight=self.in_flight, context=self.context)

    def _heard(self, history: History) -> list[Sender]:
        return senders(self.returned, history, self.context)

    def _digest(self, sender: Sender) -> str:
        """By which its message is known again, if it is the same agent's."""
        who = (sender.agent_id or sender.place).encode()
        return hashlib.sha256(who + b"\n" + self.messages[sender.index]).hexdigest()[:32]


def _pausing(step: Step, sender: Sender, before: History) -> Counted | None:
    """What is remembered of a message that was raised: only that it has led to a pause."""
    if step.action != "pause":
        return None
    tries = before.of(sender.key, sender.place)
    return Counted(sender.key, sender.place, tries, question_of(step).key)
