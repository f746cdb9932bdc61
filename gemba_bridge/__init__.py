"""The agent's hooks: one call, one frame. Never breaks an agent."""
