"""The agent's own word about its state."""
