"""The operator's `gemba` command: one thin file for each command."""
