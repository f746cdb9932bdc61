"""The index: what the logs say, as rows. A projection: it can be deleted at any time."""

from gemba_core.index.rows import (
    Delivery,
    Dropped,
    Due,
    Escalation,
    Filter,
    LogStatus,
    Resolution,
    Session,
    Workspace,
)
from gemba_core.index.store import Index

__all__ = [
    "Delivery",
    "Dropped",
    "Due",
    "Escalation",
    "Filter",
    "Index",
    "LogStatus",
    "Resolution",
    "Session",
    "Workspace",
]
