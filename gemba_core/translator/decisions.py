"""What operators decide: GembaResolve, GembaReopen, GembaCancel, GembaClaim, GembaRelease."""

from msgspec.structs import replace

from gemba_core.frame import payload as shape
from gemba_core.frame.record import Frame, strictly
from gemba_core.frame.text import deliverable
from gemba_core.frame.vocabulary import RESOLUTION_KINDS
from gemba_core.translator.change import Change, Claimed, Delivered, Dropped, Reopened, Resolved
from gemba_core.translator.drop import dropped
from gemba_core.translator.escalations import Step, canceled, settled
from gemba_core.translator.state import Answer, Escalation, SessionState


def resolve(state: SessionState, frame: Frame) -> Step:
    """GembaResolve: the first one wins; a later one changes nothing and is counted."""
    given = strictly(frame.payload, shape.Resolve)
    if given is None or given.kind not in RESOLUTION_KINDS or not given.escalation_ids:
        return dropped(state, frame, "malformed")
    if given.kind == "modify" and not deliverable(given.value or ""):
        return dropped(state, frame, "empty_text")
    if given.resolution_id in state.answers:
        return dropped(state, frame, "seen_before")
    changes: list[Change] = []
    won: list[Escalation] = []
    for escalation_id in dict.fromkeys(given.escalation_ids):
        item = state.find(escalation_id)
        reason = _why_not(item, given.resolution_id)
        if item is None or reason:
            changes.append(Dropped(frame.session_id, frame.hook, frame.event_id, reason))
            continue
        state = settled(state, item, "resolved", given.resolution_id)
        won.append(item)
        changes.append(
            Resolved(
                item.id,
                given.resolution_id,
                given.kind,
                given.value,
                given.resolved_by,
                given.via,
                frame.ts,
                given.always,
            )
        )
    text = answer_text(given.kind, given.value, given.via)
    if text is None or not won:
        return state, tuple(changes)
    if all(item.channel == "notification" for item in won):
        # A decision, not a text: no prompt is ever its receipt.
        text = ""
    answer = Answer(
        given.resolution_id,
        won[0].number,
        text,
        tuple(item.id for item in won),
        by_policy=given.via == "policy",
    )
    changes.append(Delivered(answer.id, 1, "queued", frame.ts, given.resolved_by))
    return replace(state, answers=state.answers.set(answer.id, answer)), tuple(changes)


def _why_not(item: Escalation | None, resolution_id: str) -> str:
    """Why that resolution does not settle it; empty if it does."""
    if item is None:
        return "unknown_escalation"
    if item.state != "open":
        return "already_settled"
    # Opened again since: the same decision, sent once more, is not a new one.
    return "seen_before" if item.has_had(resolution_id) else ""


BY_POLICY = "No person answered by the deadline; the default that you declared applies: "


def answer_text(kind: str, value: str | None, via: str = "") -> str | None:
    """What reaches the agent: the value alone, else yes or no, else nothing (defer).

    What policy decided says so: it must not read as a person's answer. Source:
    wire.md, "Answers to the agent".
    """
    if kind == "defer":
        return None
    if value is not None and deliverable(value):
        return (BY_POLICY if via == "policy" else "") + deliverable(value)
    return {"approve": "yes", "deny": "no"}.get(kind)


def reopen(state: SessionState, frame: Frame) -> Step:
    """GembaReopen: open again; an answer that nobody has taken yet is void.

    It keeps the ids of its resolutions, none of which settles it a second time.
    """
    given = strictly(frame.payload, shape.Act)
    item = state.find(given.escalation_id) if given else None
    if given is None or item is None:
        return dropped(state, frame, "unknown_escalation" if given else "malformed")
    if item.state == "open":
        return dropped(state, frame, "already_open")
    changes: list[Change] = [Reopened(item.id, given.by, frame.ts)]
    answer = state.answers.get(item.resolution_id or "")
    if answer is not None and answer.status in ("queued", "held", "failed"):
        others = tuple(one for one in answer.escalation_ids if one != item.id)
        if others:
            answers = state.answers.set(answer.id, replace(answer, escalation_ids=others))
        else:
            answers = state.answers.delete(answer.id)
            changes.append(
                Delivered(answer.id, answer.attempt, "failed", frame.ts, given.by, "reopened")
            )
        state = replace(state, answers=answers)
    again = replace(item, state="open")
    state = replace(
        state,
        open=state.open.set(item.id, again),
        closed=state.closed.delete(item.id),
        dialogs=state.dialogs + (item.channel == "notification"),
    )
    return state, tuple(changes)


def cancel(state: SessionState, frame: Frame) -> Step:
    """GembaCancel: closed without a decision."""
    given = strictly(frame.payload, shape.Act)
    item = state.find(given.escalation_id) if given else None
    if given is None or item is None:
        return dropped(state, frame, "unknown_escalation" if given else "malformed")
    if item.state != "open":
        return dropped(state, frame, "already_settled")
    return canceled(state, [item], given.reason or "canceled", given.by, frame.ts)


def claim(state: SessionState, frame: Frame) -> Step:
    """GembaClaim, GembaRelease: who looks after an open escalation."""
    given = strictly(frame.payload, shape.Act)
    item = state.find(given.escalation_id) if given else None
    if given is None or item is None or item.state != "open":
        return dropped(state, frame, "not_open" if given else "malformed")
    holder = given.by if frame.hook == "GembaClaim" else None
    until = given.until if holder else None
    claimed = replace(item, claimed_by=holder, claimed_until=until)
    state = replace(state, open=state.open.set(item.id, claimed))
    return state, (Claimed(item.id, holder, until),)
