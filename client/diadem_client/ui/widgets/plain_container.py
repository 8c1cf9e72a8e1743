"""A container of which nothing is seen but what is in it."""

from textual.containers import Container


class Covered(Container):
    BLANK = True
    """With every frame Textual renders all that lies under what has changed, line by line; a blank
    widget is one line, used for all."""
