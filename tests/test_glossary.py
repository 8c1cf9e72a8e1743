"""The glossary's terms are the code's: each one is used in the file that its line names."""

import re

from tests.pages import ROOT, files_of, named_on

PAGE = (ROOT / "docs/glossary.md").read_text()
ROW = re.compile(r"^\| (?!term |---)([^|]+) \| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)


def terms() -> dict[str, str]:
    """Where to read of each term, as its line has it."""
    return {term: where for term, _what, where in ROW.findall(PAGE)}


def is_used(term: str, where: str) -> bool:
    """Whether a file that the line names has the term, as part of a name or in a sentence; "(node)" says only which."""
    words = re.sub(r" \(.*\)", "", term)
    pattern = re.compile(re.sub(r"[ -]", "[ _-]?", words), re.IGNORECASE)
    files = [file for path, _name in named_on(where) for file in files_of(path)]
    return any(pattern.search(f"{file}\n{(ROOT / file).read_text()}") for file in files)


def test_every_term_is_used_in_the_code() -> None:
    assert len(terms()) > 40
    assert [term for term, where in terms().items() if not is_used(term, where)] == []


def test_a_term_that_nobody_uses_is_noticed() -> None:
    assert not is_used("flux capacitor", terms()["seat"])


def test_terms_are_in_order() -> None:
    for section in PAGE.split("\n## ")[1:]:
        found = [term for term, _what, _where in ROW.findall(section)]
        assert found == sorted(found)


def test_whoever_starts_here_is_led_to_it() -> None:
    for page in ("CONTRIBUTING.md", "docs/architecture.md"):
        assert "glossary.md)" in (ROOT / page).read_text()
