"""The pages lead somewhere: every link, every file they name, and every page from the README on."""

import re
from functools import cache
from pathlib import Path

from tests.pages import ROOT, files_of, is_there, named_on, names_in

PAGES = {
    path: path.read_text()
    for path in sorted(
        [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("tools/**/*.md")]
    )
}
DECISIONS = sorted((ROOT / "docs/decisions").glob("[0-9]*.md"))
STATUS = re.compile(
    r"\n\nStatus: \*\*(Accepted|Superseded)\*\*(.*), (\d{4}-\d\d-\d\d)\.\n", re.MULTILINE
)
LINK = re.compile(r"\]\(([^)\s]+)\)")


def links(page: Path) -> list[tuple[Path, str]]:
    """Where the links of a page lead on this disk, and to which heading there."""
    found = []
    for target in LINK.findall(PAGES[page]):
        if "://" not in target:
            path, _, heading = target.partition("#")
            found.append(((page.parent / path).resolve() if path else page, heading))
    return found


@cache
def headings(page: Path) -> set[str]:
    titles = re.findall(r"^#+ (.*)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


def test_every_link_leads_somewhere() -> None:
    broken = [
        f"{name_of(page)}: {target}#{heading}"
        for page in PAGES
        for target, heading in links(page)
        if not target.exists() or (heading and heading not in headings(target))
    ]
    assert not broken, "\n".join(broken)


def test_what_is_named_is_there() -> None:
    """A decision that another one has taken the place of tells of code that may be gone."""
    missing = [
        f"{name_of(page)}: {path}::{name}"
        for page, text in PAGES.items()
        if "Status: **Superseded" not in text
        for path, name in named_on(text)
        if not any(is_there(file, name) for file in files_of(path))
    ]
    assert not missing, "\n".join(missing)


def test_the_readme_leads_to_every_page() -> None:
    reached, ahead = set(), [ROOT / "README.md"]
    while ahead:
        page = ahead.pop()
        if page in PAGES and page not in reached:
            reached.add(page)
            ahead += [target for target, _ in links(page)]
    assert [name_of(page) for page in PAGES if page not in reached] == []


def test_each_decision_has_a_number_a_status_and_a_date() -> None:
    numbers = [path.name[:4] for path in DECISIONS]
    assert len(set(numbers)) == len(numbers)
    assert [name_of(path) for path in DECISIONS if not STATUS.search(PAGES[path])] == []


def test_the_index_of_decisions_lists_each_in_order() -> None:
    rows = [line for line in PAGES[ROOT / "docs/decisions/README.md"].splitlines() if "| [" in line]
    assert rows == [_row_of(path) for path in DECISIONS]


def _row_of(path: Path) -> str:
    status = STATUS.search(PAGES[path])
    title = PAGES[path].splitlines()[0].removeprefix("# ")
    assert status is not None
    return f"| [{path.name[:4]}]({path.name}) | {title} | {status[1].lower()}{status[2]} | {status[3]} |"


def test_a_name_that_is_gone_is_noticed() -> None:
    source = "class Class:\n    def something(self): ..."
    assert set(names_in(source)) == {"Class", "Class.something"}
