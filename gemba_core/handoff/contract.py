"""An `agent_contract_handoff` in its parts, frozen; nothing in it is required here.

What is missing is `validate`'s business, so that all of it is told at once.
Unknown keys are kept. Source: spec 001, and the public producer's field table.
"""

import re
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal, TypeAlias

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, PrivateAttr, WithJsonSchema

from gemba_core.handoff.finding import Finding

COMPLETE = "COMPLETE"
APPROVAL_REQUEST = "APPROVAL_REQUEST"
NEEDS_INPUT = "NEEDS_INPUT"
BLOCKED = "BLOCKED"
IN_PROGRESS = "IN_PROGRESS"
NEEDS_VERIFICATION = "NEEDS_VERIFICATION"
STATUSES = (COMPLETE, APPROVAL_REQUEST, NEEDS_INPUT, BLOCKED, IN_PROGRESS, NEEDS_VERIFICATION)

PASS = "pass"
OWNED_HERE = "owned_here"
# Of these, the result is not authoritative by itself.
OWNED_ELSEWHERE = ("cross_surface_dependency", "not_my_surface")
OWNERSHIPS = (OWNED_HERE, *OWNED_ELSEWHERE)
RISKS = ("LOW", "MEDIUM", "HIGH", "CRITICAL")
AGENT_ID = r"^a[0-9a-f]{5,}$"
APPROVAL_ID = r"^P-[0-9a-f]{32}$"


def normalised(value: object) -> object:
    """Trimmed, upper-cased, without the punctuation that agents end it with."""
    return value.strip().upper().rstrip(".,;").rstrip() if isinstance(value, str) else value


def _whole(value: object) -> object:
    """A number that has no fraction as an integer: JSON knows one kind of number."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _schema(schema: dict[str, Any], model: type[BaseModel]) -> None:
    """The fields that `validate` misses where they are not there."""
    assert issubclass(model, Part)
    if model.required:
        schema["required"] = list(model.required)


# Strictly, a JSON array would be no tuple.
_LIST = Field(strict=False)
Items: TypeAlias = Annotated[tuple[Any, ...], _LIST]
Count: TypeAlias = Annotated[int | None, BeforeValidator(_whole)]
# Text, or what agents write in its place: a list of commands, an object of steps.
Content: TypeAlias = str | list[Any] | dict[str, Any] | None
Status: TypeAlias = Annotated[
    str, BeforeValidator(normalised), WithJsonSchema({"enum": list(STATUSES)})
]


class Part(BaseModel):
    """An object of the contract. Two are equal if they hold the same, unknown keys included."""

    model_config = ConfigDict(
        extra="allow", frozen=True, strict=True, protected_namespaces=(), json_schema_extra=_schema
    )
    required: ClassVar[tuple[str, ...]] = ()


class AgentStatus(Part):
    """Who returned it, and how it stands. `plan_status` may be called `agent_state`."""

    required = ("plan_status", "agent_id", "pending_steps", "next_action")

    plan_status: Status = ""
    agent_id: Annotated[str, WithJsonSchema({"type": "string", "pattern": AGENT_ID})] = ""
    pending_steps: Items = ()
    next_action: Content = None


class Verification(Part):
    """The proof: `result` must be `pass` on COMPLETE."""

    required = ("result",)

    result: str = ""
    method: Content = None
    checks: Content = None
    details: Content = None
    type: str | None = None


class EvidenceReport(Part):
    """What was done and seen; each list may be empty. A command is text or `{command, result}`."""

    required = (
        "patterns_checked",
        "files_checked",
        "commands_run",
        "key_outputs",
        "verbatim_outputs",
        "cross_layer_impacts",
        "open_gaps",
    )

    patterns_checked: Items = ()
    files_checked: Items = ()
    commands_run: Items = ()
    key_outputs: Items = ()
    verbatim_outputs: Items = ()
    cross_layer_impacts: Items = ()
    open_gaps: Items = ()
    verification: Verification | None = None


class ConsolidationReport(Part):
    """How this agent's work fits with that of others."""

    required = (
        "ownership_assessment",
        "confirmed_findings",
        "suspected_findings",
        "conflicts",
        "open_gaps",
        "next_best_agent",
    )

    ownership_assessment: Annotated[str | None, WithJsonSchema({"enum": [*OWNERSHIPS, None]})] = (
        None
    )
    confirmed_findings: Items = ()
    suspected_findings: Items = ()
    conflicts: Items = ()
    open_gaps: Items = ()
    next_best_agent: Content = None


class ApprovalRequest(Part):
    """What a person is to consent to. With an `approval_id` a grant waits for that consent."""

    required = ("operation", "exact_content", "scope", "risk_level", "rollback", "verification")

    operation: Content = None
    exact_content: Content = None
    scope: Content = None
    risk_level: Annotated[
        str | None, BeforeValidator(normalised), WithJsonSchema({"enum": [*RISKS, None]})
    ] = None
    rollback: Content = None
    verification: Content = None
    approval_id: Annotated[
        str | None, WithJsonSchema({"type": ["string", "null"], "pattern": APPROVAL_ID})
    ] = None


class LoopState(Part):
    """Where a loop stands that works towards a threshold."""

    required = ("iteration", "max_iterations")

    iteration: Count = None
    max_iterations: Count = None
    metric: float | None = None
    threshold: float | None = None

    @property
    def holds(self) -> bool:
        """Whether a COMPLETE does not count yet. Source: spec 001, `loop_state`."""
        if self.iteration is None or self.max_iterations is None:
            return False
        if self.metric is None or self.threshold is None:
            return False
        return self.iteration < self.max_iterations and self.metric < self.threshold


class MemorializeSuggestion(Part):
    """Something that the agent would have remembered."""

    required = ("description", "body")

    description: str = ""
    body: str = ""
    slug: str | None = None
    type: Literal["atom", "decision", "negative"] | None = None
    class_: Annotated[Literal["anchor", "thread", "log"] | None, Field(alias="class")] = None
    rationale: str | None = None


class ContractUpdate(Part):
    """A change to the project's own knowledge, for whoever keeps that."""

    required = ("contract", "payload")

    contract: str = ""
    payload: Any = None


class ContextConsumption(Part):
    """What the turn took of the agent's context."""

    tokens_used: int | None = None
    pct_window: float | None = None


class Contract(Part):
    """What an agent handed back, as far as it could be read; `remarks` say what could not."""

    required = ("agent_status", "evidence_report")

    agent_status: AgentStatus = AgentStatus()
    evidence_report: EvidenceReport = EvidenceReport()
    consolidation_report: ConsolidationReport | None = None
    approval_request: ApprovalRequest | None = None
    loop_state: LoopState | None = None
    user_facing_summary: str | None = None
    memorialize_suggestions: Annotated[tuple[MemorializeSuggestion, ...], _LIST] | None = None
    memory_suggestions: Annotated[tuple[str, ...], _LIST] | None = None
    update_contracts: Annotated[tuple[ContractUpdate, ...], _LIST] | None = None
    rollback_executed: Content = None
    context_consumption: ContextConsumption | None = None
    failure_report: Content = None
    work_phase: str | None = None

    _remarks: tuple[Finding, ...] = PrivateAttr(default=())

    @property
    def remarks(self) -> tuple[Finding, ...]:
        """What was noticed while it was read: parts of another shape, earlier blocks."""
        return self._remarks

    @property
    def status(self) -> str:
        """Its `plan_status`, normalised; empty if it has none."""
        return self.agent_status.plan_status

    @property
    def agent_id(self) -> str | None:
        """Who returned it, if it says so in the right form."""
        given = self.agent_status.agent_id
        return given if re.fullmatch(AGENT_ID, given) else None

    def noting(self, remarks: tuple[Finding, ...]) -> "Contract":
        """The same with these remarks."""
        noted = self.model_copy()
        noted._remarks = remarks
        return noted

    def plain(self) -> Mapping[str, Any]:
        """Its keys and values as the agent would write them."""
        return self.model_dump(by_alias=True, exclude_unset=True)


def schema() -> dict[str, Any]:
    """The JSON Schema of a contract."""
    made = Contract.model_json_schema()
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **made}
