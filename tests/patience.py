"""How long a test waits for what should come at once."""

PATIENCE = 120.0
"""Long, as the machines that test are busy, and players' clients at a gate have a lower priority than all else there: what never
comes is found all the same."""
