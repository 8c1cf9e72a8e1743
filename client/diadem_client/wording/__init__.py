"""What is said in words that belongs to no single game."""
