"""Every input that the search begins with, or that broke a promise once."""

from pathlib import Path

import pytest

from tests.fuzz import CORPUS, NAMES, corpus, harness


@pytest.mark.parametrize("name", NAMES)
def test_what_the_search_begins_with_is_borne(name: str) -> None:
    for seed in harness(name).SEEDS:
        harness(name).one_input(seed)


@pytest.mark.parametrize(
    ("name", "path"),
    [(name, path) for name in NAMES for path in corpus(name)],
    ids=lambda each: each.name if isinstance(each, Path) else each,
)
def test_what_was_found_once_is_borne(name: str, path: Path) -> None:
    harness(name).one_input(path.read_bytes())


def test_every_folder_of_the_corpus_has_a_harness() -> None:
    assert {path.name for path in CORPUS.iterdir()} <= set(NAMES)
