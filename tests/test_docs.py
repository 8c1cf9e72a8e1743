"""The pages lead somewhere: every link, every file they name, and every page from the README on."""

import re
from pathlib import Path

import pytest

from tests.pages import ROOT, is_there, named_on, names_in

PAGES = sorted(
    path
    for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("tools/**/*.md")]
    if ".venv" not in path.parts
)
CODE = {
    str(path.relative_to(ROOT))
    for folder in ("shared", "server", "client", "tests", "tools")
    for path in (ROOT / folder).rglob("*.py")
}
DECISIONS = sorted((ROOT / "docs/decisions").glob("[0-9]*.md"))
LINK = re.compile(r"\]\(([^)\s]+)\)")


def links(page: Path) -> list[tuple[Path, str]]:
    """Where the links of a page lead on this disk, and to which heading there."""
    found = []
    for target in LINK.findall(page.read_text()):
        if "://" not in target:
            path, _, heading = target.partition("#")
            found.append(((page.parent / path).resolve() if path else page, heading))
    return found


def headings(page: Path) -> set[str]:
    titles = re.findall(r"^#+ (.*)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_link_leads_somewhere(page: Path) -> None:
    for target, heading in links(page):
        assert target.exists(), target
        assert not heading or heading in headings(target), heading


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_what_is_named_is_there(page: Path) -> None:
    """A decision that another one has taken the place of tells of code that may be gone."""
    text = page.read_text()
    if "**Superseded" not in text:
        assert [
            each for each in named_on(text) if not any(is_there(*way) for way in ways(*each))
        ] == []


def ways(path: str, name: str) -> list[tuple[str, str]]:
    """A page may leave out the folders that its reader knows."""
    return [(file, name) for file in CODE if f"/{file}".endswith(f"/{path}")]


def test_the_readme_leads_to_every_page() -> None:
    reached, ahead = set(), [ROOT / "README.md"]
    while ahead:
        page = ahead.pop()
        if page not in reached and page.suffix == ".md":
            reached.add(page)
            ahead += [target for target, _ in links(page)]
    assert [name_of(page) for page in PAGES if page not in reached] == []


def test_decisions_have_a_number_each_and_are_in_the_index() -> None:
    numbers = [int(path.name[:4]) for path in DECISIONS]
    assert len(set(numbers)) == len(numbers)
    index = (ROOT / "docs/decisions/README.md").read_text()
    for path in DECISIONS:
        title = path.read_text().splitlines()[0].removeprefix("# ")
        assert f"| [{path.name[:4]}]({path.name}) | {title} |" in index


@pytest.mark.parametrize("name", ["nobody", "Class.nothing"])
def test_a_name_that_is_gone_is_noticed(name: str) -> None:
    assert name not in set(names_in("class Class:\n    def something(self): ..."))
