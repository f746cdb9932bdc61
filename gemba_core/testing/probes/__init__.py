"""The catalogue of probes, a module for each part of the contract."""

from gemba_core.testing.probes import (
    assignments,
    endings,
    errors,
    escalations,
    events,
    manifest,
    mutations,
    sessions,
    workspaces,
)

# In the order of the groups.
PROBES = (
    *manifest.PROBES,
    *assignments.PROBES,
    *sessions.PROBES,
    *endings.PROBES,
    *workspaces.PROBES,
    *escalations.PROBES,
    *mutations.PROBES,
    *events.PROBES,
    *errors.PROBES,
)

__all__ = ["PROBES"]
