"""Looks for a deal on which all comes to pass that a guided first game speaks of.

    python -m tools.lessons GAME [LANGUAGE]

writes the first that it finds into the client; Diamino needs one for each language. It takes up to a few minutes, and has
to be done anew where the rules or the word lists have changed so that the deal there is leads elsewhere: a test says so.
"""
