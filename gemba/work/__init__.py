"""`gemba work`: one file for each command."""
