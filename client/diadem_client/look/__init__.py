"""How it looks: colours by their roles, the signs, and the pixel art, as data and without a screen."""
