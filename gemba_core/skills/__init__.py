"""Skills: markdown that agents read and follow; where they lie, what each says of itself."""
