"""The linter for skills."""
