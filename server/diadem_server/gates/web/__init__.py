"""The web gate: it serves one page, which shows a hosted client in the browser.

The page and the gate speak as docs/web.md says.
"""
