"""Every reaction has words in every language, and one of a newer server has none."""

from typing import get_args

import pytest

from diadem_client import i18n
from diadem_client.i18n import LANGUAGES
from diadem_client.wording.reactions import choices, reaction
from diadem_shared.protocol import Reaction


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reaction_has_words(language: str) -> None:
    i18n.set_language(language)
    try:
        words = [reaction(kind) for kind in get_args(Reaction)]
        assert all(words)
        assert len({*words}) == len(words)
        assert [kind for kind, _ in choices()] == [*get_args(Reaction)]
    finally:
        i18n.set_language("en")


def test_one_that_is_not_known_has_no_words() -> None:
    assert reaction("cartwheel") == ""
