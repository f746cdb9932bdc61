"""`/api/escalations`: what agents ask, and deciding it."""

import base64
from collections.abc import Callable
from typing import Annotated, Literal

import msgspec
from fastapi import APIRouter, Query, Response
from pydantic import BaseModel, ConfigDict, Discriminator, Field, StringConstraints, Tag

from gemba.escalations.claim import LONGEST
from gemba.web.once import Once
from gemba.web.operator import Acting
from gemba.web.problem import CONFLICT, NOT_FOUND
from gemba.web.shapes import EscalationPage, Escalations, OneEscalation, answers, json
from gemba.web.words import (
    EVERY,
    WORDS,
    EscalationId,
    Nonce,
    OneOf,
    Role,
    Since,
    Source,
    State,
    Urgency,
)
from gemba_core.errors import NotFound
from gemba_core.frame.line import MAX_INPUT
from gemba_core.frame.text import deliverable
from gemba_core.frame.vocabulary import RESOLUTION_KINDS
from gemba_core.inbox import claims, settle
from gemba_core.inbox.actor import Actor
from gemba_core.inbox.deliver import redeliver as deliver_again
from gemba_core.inbox.find import find, find_all
from gemba_core.inbox.opened import use_index
from gemba_core.index import Escalation, Filter, Index

_MOST = 500
_USUAL = 100
# Closing without an answer: no kind of resolution, but the same to who decides.
CANCEL = "cancel"

router = APIRouter(prefix="/api/escalations", tags=["escalations"])


Note = Annotated[str, StringConstraints(max_length=MAX_INPUT)]


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class Words(_Body):
    """An answer in words. The same nonce twice is one answer, also after a restart."""

    kind: Literal["modify"]
    value: Annotated[str, StringConstraints(pattern=WORDS, max_length=MAX_INPUT)]
    nonce: Nonce


class Verdict(_Body):
    """A decision. The same nonce twice is one decision, also after a restart.

    A `note` is handed to the agent instead of a plain yes or no; with defer and cancel it is
    kept on the record. `always` takes up the client's own lasting rule with a permission.
    """

    kind: Annotated[str, OneOf(*(kind for kind in RESOLUTION_KINDS if kind != "modify"), CANCEL)]
    note: Note | None = None
    always: bool = False
    nonce: Nonce


class _Several(_Body):
    ids: Annotated[list[str], Field(min_length=1, max_length=_MOST)]


class WordsToSeveral(Words, _Several):
    """One answer in words to all of them or none."""


class VerdictOnSeveral(Verdict, _Several):
    """One decision about all of them or none."""


_WORDS, _VERDICT = "modify", "verdict"


def _which(body: object) -> str | None:
    """Which of the two a decision is, so that what is wrong is told of that one alone."""
    kind = body.get("kind") if isinstance(body, dict) else getattr(body, "kind", None)
    if kind == _WORDS:
        return _WORDS
    return _VERDICT if kind in (*RESOLUTION_KINDS, CANCEL) else None


_BY_KIND = Discriminator(
    _which,
    custom_error_type="decision",
    custom_error_message="give a JSON object (Content-Type: application/json) with a kind: "
    + ", ".join((*RESOLUTION_KINDS, CANCEL)),
)
Decision = Annotated[
    Annotated[Words, Tag(_WORDS)] | Annotated[Verdict, Tag(_VERDICT)],
    _BY_KIND,
]
DecisionOnSeveral = Annotated[
    Annotated[WordsToSeveral, Tag(_WORDS)] | Annotated[VerdictOnSeveral, Tag(_VERDICT)],
    _BY_KIND,
]


class Reason(_Body):
    """Why, for the record. The same nonce twice is one act while the server runs."""

    note: Note | None = None
    nonce: Nonce | None = None


class Claim(_Body):
    """For how long somebody looks after it."""

    minutes: Annotated[float, Field(gt=0, le=LONGEST / 60)] = 30
    nonce: Nonce | None = None


class Release(_Body):
    """The end of a claim. The same nonce twice is one act while the server runs."""

    nonce: Nonce | None = None


class Again(_Body):
    """`leave`: do not deliver it again, and free its pane for others."""

    leave: bool = False
    nonce: Nonce | None = None


class _Asked(BaseModel):
    """The commands' filters, and where the page begins."""

    model_config = ConfigDict(extra="forbid")

    state: list[State] = Field(["open"], description="Any of these; `all` for all.")
    session: str | None = None
    urgency: Urgency | None = None
    kind: Source | None = None
    role: Role | None = None
    since: Since | None = Field(None, description="2h, 7d or 2026-11-01.")
    search: str | None = None
    order: Literal["urgent", "newest"] = "urgent"
    limit: Annotated[int, Field(ge=1, le=_MOST)] = _USUAL
    cursor: str | None = Field(None, description="`next_cursor` of the page before.")

    def filter(self) -> Filter:
        """What the index is asked for: one more than the page holds. Raises NotFound."""
        return Filter(
            states=() if EVERY in self.state else tuple(self.state),
            session=self.session,
            urgency=self.urgency,
            source=self.kind,
            role=self.role,
            since=self.since,
            search=self.search,
            limit=self.limit + 1,
            newest=self.order == "newest",
            after=_place(self.cursor) if self.cursor else None,
        )


@router.get("", responses=answers(EscalationPage) | NOT_FOUND)
def list_(asked: Annotated[_Asked, Query()]) -> Response:
    """Escalations through the filters: blocking first, then oldest first; or newest first."""
    found = use_index(lambda index: _found(index, asked.filter()))
    page = found[: asked.limit]
    return json(EscalationPage(page, _cursor(page[-1]) if len(found) > len(page) else None))


# Before what has an id: else it would be taken for one where its method is not allowed.
@router.post("/respond", responses=answers(Escalations) | NOT_FOUND | CONFLICT)
def respond_to_several(given: DecisionOnSeveral, actor: Acting) -> Response:
    """Settle all of them with one decision, or none."""
    return json(Escalations(use_index(lambda index: _decided(index, given.ids, given, actor))))


@router.get("/{id}", responses=answers(Escalation) | NOT_FOUND)
def show(id: EscalationId) -> Response:
    """One escalation; the beginning of its id is enough."""
    return json(use_index(lambda index: find(index, id)))


@router.post("/{id}/respond", responses=answers(OneEscalation) | NOT_FOUND | CONFLICT)
def respond(id: EscalationId, given: Decision, actor: Acting) -> Response:
    """Settle it. It is on the record when this returns; what becomes of the delivery is told
    as events."""
    [item] = use_index(lambda index: _decided(index, [id], given, actor))
    return json(OneEscalation(item))


@router.post("/{id}/reopen", responses=answers(OneEscalation) | NOT_FOUND | CONFLICT)
def reopen(id: EscalationId, actor: Acting, given: Reason | None = None) -> Response:
    """Open it again; an answer that was not handed over yet is void."""
    why = given or Reason()

    def act(index: Index) -> None:
        settle.reopen(index, [id], reason=why.note, actor=actor)

    return json(OneEscalation(_once(act, id, "reopen", why.nonce)))


@router.post("/{id}/claim", responses=answers(OneEscalation) | NOT_FOUND | CONFLICT)
def claim(id: EscalationId, actor: Acting, given: Claim | None = None) -> Response:
    """Tell the others that you look after it. It binds nobody: the first answer counts."""
    how = given or Claim()

    def act(index: Index) -> None:
        claims.claim(index, [id], seconds=60 * how.minutes, actor=actor)

    return json(OneEscalation(_once(act, id, "claim", how.nonce)))


@router.post("/{id}/release", responses=answers(OneEscalation) | NOT_FOUND | CONFLICT)
def release(id: EscalationId, actor: Acting, given: Release | None = None) -> Response:
    """End the claim, whoever holds it."""

    def act(index: Index) -> None:
        claims.release(index, [id], actor=actor)

    return json(OneEscalation(_once(act, id, "release", given.nonce if given else None)))


@router.post("/{id}/redeliver", responses=answers(OneEscalation) | NOT_FOUND | CONFLICT)
def redeliver(id: EscalationId, actor: Acting, given: Again | None = None) -> Response:
    """Deliver its answer once more, when a person has seen that the agent did not get it."""
    how = given or Again()

    def act(index: Index) -> None:
        deliver_again(index, id, actor=actor, leave=how.leave)

    return json(OneEscalation(_once(act, id, "redeliver", how.nonce)))


_acts = Once()


def _once(act: Callable[[Index], None], id: str, name: str, nonce: str | None) -> Escalation:
    """Do it, unless it was done with that nonce; the escalation as it is then."""

    def run(index: Index) -> Escalation:
        _acts.do(lambda: act(index), nonce, name, id)
        return find(index, id)

    return use_index(run)


def _decided(
    index: Index, ids: list[str], given: Words | Verdict, actor: Actor
) -> list[Escalation]:
    if isinstance(given, Verdict) and given.kind == CANCEL:
        reason = _said(given.note)
        _acts.do(
            lambda: settle.cancel(index, ids, reason=reason, actor=actor), given.nonce, CANCEL, *ids
        )
        return find_all(index, ids)
    settle.respond(
        index,
        ids,
        kind=given.kind,
        value=_said(given.note) if isinstance(given, Verdict) else given.value,
        actor=actor,
        nonce=given.nonce,
        always=isinstance(given, Verdict) and given.always,
    )
    return find_all(index, ids)


def _said(note: str | None) -> str | None:
    """A note that says nothing is none."""
    return note if note and deliverable(note) else None


def _cursor(item: Escalation) -> str:
    """Opaque to programs: which escalation the next page begins behind."""
    return base64.urlsafe_b64encode(msgspec.json.encode((item.session_id, item.id))).decode()


def _place(cursor: str) -> tuple[str, str]:
    try:
        data = base64.b64decode(cursor, altchars=b"-_", validate=True)
        return msgspec.json.decode(data, type=tuple[str, str])
    except (ValueError, msgspec.MsgspecError):
        raise _nowhere() from None


def _found(index: Index, wanted: Filter) -> list[Escalation]:
    if wanted.after is not None and index.escalation(*wanted.after) is None:
        raise _nowhere()
    return index.escalations(wanted)


def _nowhere() -> NotFound:
    return NotFound("cursor: there is no such place, or not any more; begin without one")
