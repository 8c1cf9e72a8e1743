"""Tables over bare ssh: each session a client of its own on a terminal of its own.

Needs asyncssh, an extra; whatever is imported before --ssh is asked for does without.
"""


class CannotOpen(Exception):
    """Why nobody can come in over ssh, in a line for the host."""
