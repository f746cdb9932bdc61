"""The agent's question or blocker to a person."""
