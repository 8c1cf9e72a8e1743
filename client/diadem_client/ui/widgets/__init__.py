"""Pieces that screens are made of. What they show is never read as markup."""
