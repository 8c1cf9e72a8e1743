"""How much of something is allowed, and when to try again."""
