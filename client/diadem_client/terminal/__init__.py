"""What is written to a terminal, and how little of it."""
