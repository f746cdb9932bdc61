"""`gemba handoff`: one file for each command."""
