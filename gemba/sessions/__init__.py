"""`gemba sessions`: the agents' sessions, and what can be done with them."""
