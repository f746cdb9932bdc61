"""`gemba escalations`: the inbox."""
