"""One probe's dealings with one adaptor."""

from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager

from gemba_core.orchestration.adaptor import OrchestrationPlaneAdaptor
from gemba_core.orchestration.agent import AgentRef
from gemba_core.orchestration.assignment import ReadyFilter, Reservation
from gemba_core.orchestration.error import AdaptorError
from gemba_core.orchestration.escalation import (
    EscalationResolution,
    EscalationResolutionKind,
    EscalationUrgency,
)
from gemba_core.orchestration.scope import new_nonce
from gemba_core.orchestration.session import (
    ConfirmNonce,
    Session,
    SessionEndMode,
    SessionStatus,
)
from gemba_core.orchestration.workspace import (
    IsolationCapabilities,
    Workspace,
    WorkspaceKind,
    WorkspaceRequest,
)
from gemba_core.testing.outcome import NotApplicable, Unmet
from gemba_core.testing.subject import Subject

# So many items at most may be ready where all of them are claimed.
_MOST = 100


class Trial:
    """What probes do again and again."""

    def __init__(self, subject: Subject, adaptor: OrchestrationPlaneAdaptor) -> None:
        self.subject = subject
        self.adaptor = adaptor
        self.manifest = adaptor.describe()

    async def claimant(self) -> AgentRef:
        """Who claims."""
        return await self.subject.claimant(self.adaptor)

    async def claim(self) -> Reservation:
        """A new reservation."""
        return await self.subject.claim(self.adaptor)

    async def assignment(self) -> Reservation:
        """A new reservation that is ready for its session."""
        return await self.subject.assignment(self.adaptor)

    async def claim_all(self) -> list[Reservation]:
        """A reservation of everything that is ready."""
        claimant = await self.claimant()
        found: list[Reservation] = []
        while one := await self.adaptor.claim_next_ready(ReadyFilter(), claimant):
            found.append(one)
            if len(found) > _MOST:
                raise NotApplicable(f"more than {_MOST} items are ready: open it with fewer")
        return found

    async def workspace(
        self,
        assignment_id: str | None = None,
        *,
        kind: WorkspaceKind | None = None,
        isolation: IsolationCapabilities | None = None,
    ) -> Workspace:
        """A new workspace, by default of a new assignment."""
        self.kinds()
        return await self.adaptor.acquire_workspace(
            WorkspaceRequest(
                assignment_id=assignment_id or (await self.claim()).id,
                repository=self.subject.repository,
                preferred_kind=kind,
                required_isolation=isolation or IsolationCapabilities(),
            )
        )

    def kinds(self) -> tuple[WorkspaceKind, ...]:
        """The kinds of workspaces on offer. Raises NotApplicable where there is none."""
        if not self.manifest.workspace_kinds:
            why = self.manifest.extension.get("unavailable", "the manifest declares none")
            raise NotApplicable(f"no workspace is on offer: {why}")
        return self.manifest.workspace_kinds

    async def session(self) -> Session:
        """A new session."""
        return await self.subject.session_starter(self.adaptor)

    async def status(self, session_id: str) -> SessionStatus:
        """How it stands now."""
        return (await self.adaptor.peek_session(session_id)).status

    async def end(
        self, session_id: str, mode: SessionEndMode = SessionEndMode.COMPLETED
    ) -> Session:
        """End it, under a nonce of its own."""
        return await self.adaptor.end_session(session_id, mode, new_nonce())

    async def escalation(
        self, session_id: str, urgency: EscalationUrgency = EscalationUrgency.BLOCKING
    ) -> str:
        """A new open escalation of that session."""
        return await self.subject.open_escalation(self.adaptor, session_id, urgency)

    async def resolve(
        self,
        escalation_id: str,
        kind: EscalationResolutionKind = EscalationResolutionKind.APPROVE,
        nonce: ConfirmNonce | None = None,
    ) -> None:
        """Decide it."""
        resolution = EscalationResolution(kind=kind, resolved_by="conformance", value="go on")
        await self.adaptor.resolve_escalation(escalation_id, resolution, nonce or new_nonce())


async def refusal(call: Awaitable[object], what: str) -> AdaptorError:
    """The error that this call ends in. Raises Unmet where it succeeds."""
    try:
        await call
    except AdaptorError as error:
        return error
    raise Unmet(f"{what}: accepted, but must be refused")


@asynccontextmanager
async def opened(subject: Subject) -> AsyncIterator[Trial]:
    """A trial with an adaptor of its own."""
    async with subject.adaptor() as adaptor:
        yield Trial(subject, adaptor)
