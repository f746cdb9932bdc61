"""`gemba workflow`: one file for each command."""
