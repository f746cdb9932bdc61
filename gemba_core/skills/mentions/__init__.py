"""`$name` in a text: found, resolved, and expanded to the skill's guidance."""
