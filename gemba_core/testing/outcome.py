"""How a probe says that it did not pass."""

from unittest import SkipTest


class Unmet(AssertionError):
    """The adaptor breaks the rule that the probe stands for."""


class NotApplicable(SkipTest):
    """The probe proves nothing here: an override is missing, or the manifest does not claim it.

    A SkipTest, which pytest and unittest both report as skipped.
    """


def expect(holds: object, otherwise: str) -> None:
    """Raises Unmet with `otherwise` unless it holds. Not `assert`, which `python -O` removes."""
    if not holds:
        raise Unmet(otherwise)


def missing(override: str) -> NotApplicable:
    """That override of the subject is needed."""
    return NotApplicable(f"needs the override {override!r}")
