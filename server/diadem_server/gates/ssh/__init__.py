"""Tables over bare ssh: each session a client of its own on a terminal of its own.

Runs in a process of its own, whose entry point is `process`. Needs asyncssh, an extra.
"""
