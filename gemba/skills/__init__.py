"""`gemba skills`: one file for each command."""
