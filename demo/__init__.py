"""The main job for real: an agent asks, a person answers, the agent has the answer."""
