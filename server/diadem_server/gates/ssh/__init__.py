"""The ssh gate: players connect with plain ssh, and each session runs a hosted client on a pty.

It runs in a process of its own, whose entry point is `process`, and needs asyncssh, an extra.
"""
