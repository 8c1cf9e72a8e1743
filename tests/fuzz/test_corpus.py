"""Every input that the search begins with, or that broke a promise once."""

import pytest

from tests.fuzz import CORPUS, NAMES, corpus, harness


@pytest.mark.parametrize("name", NAMES)
def test_no_input_breaks_a_promise(name: str) -> None:
    for seed in [*harness(name).SEEDS, *(path.read_bytes() for path in corpus(name))]:
        try:
            harness(name).one_input(seed)
        except Exception as broken:
            broken.add_note(f"the input was {seed!r}")
            raise


def test_every_folder_of_the_corpus_has_a_harness() -> None:
    assert {path.name for path in CORPUS.iterdir()} <= set(NAMES)
