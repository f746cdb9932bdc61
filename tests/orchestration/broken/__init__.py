"""Adaptors derived from the reference, of which each breaks one rule of the contract."""

from tests.orchestration.broken import (
    endings,
    errors,
    escalations,
    events,
    manifests,
    mutations,
    sessions,
    workspaces,
)

BROKEN = (
    *manifests.BROKEN,
    *sessions.BROKEN,
    *endings.BROKEN,
    *workspaces.BROKEN,
    *escalations.BROKEN,
    *mutations.BROKEN,
    *events.BROKEN,
    *errors.BROKEN,
)
