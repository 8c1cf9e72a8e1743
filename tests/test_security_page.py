"""docs/security.md names code and a test for whatever it promises; `test_docs` sees to it that they are there."""

from tests.pages import ROOT

PAGE = (ROOT / "docs/security.md").read_text()


def test_the_page_names_what_protects_and_what_watches() -> None:
    """In every row of every table there is code in the middle and a test at the end."""
    rows = [line.split("|")[1:-1] for line in PAGE.splitlines() if line.startswith("| ")]
    described = [row for row in rows if row[0].strip() != "what they may not do"]
    assert len(described) > 20
    for _, where, watched in described:
        assert "`" in where or "process of its own" in where or "bound" in where
        assert "`tests/" in watched
