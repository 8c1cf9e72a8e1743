"""docs/security.md names code and a test for whatever it promises; `test_docs` sees to it that they are there."""

import re

from tests.pages import ROOT

PAGE = (ROOT / "docs/security.md").read_text()
TABLE = re.compile(r"(?:^\|.*\n)+", re.MULTILINE)


def test_the_page_names_what_protects_and_what_watches() -> None:
    """In every row of every table of promises there is code in the middle and a test at the end."""
    tables = [table for table in TABLE.findall(PAGE) if table.startswith("| what they may not do")]
    rows = [line.split("|")[1:-1] for table in tables for line in table.splitlines()[2:]]
    assert len(rows) > 20
    for _, where, watched in rows:
        assert "`" in where or "process of its own" in where or "bound" in where
        assert "`tests/" in watched
