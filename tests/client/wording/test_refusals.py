"""Every refusal there is has a sentence, and the sentence can be filled in."""

import re
from collections.abc import Iterator
from string import Formatter

import pytest

from diadem_client import i18n
from diadem_client.games import GAMES as CLIENT_GAMES
from diadem_client.refusals import ClientCode
from diadem_client.wording.refusals import COMMON, sentence_for, words_for
from diadem_shared.games import GAMES
from diadem_shared.games.castles.refusals import CastlesCode
from diadem_shared.games.diadingo.refusals import DiadingoCode
from diadem_shared.games.diamino.board import BadBoard
from diadem_shared.games.diamino.refusals import DiaminoCode, LayingCode
from diadem_shared.games.diamino.verdict import BLACK_REASONS
from diadem_shared.refusals import Code, Refusal, RefusalCode
from tests.cases import cases
from tests.client.refused import DETAILS, NAME, received, refusal
from tests.game_features import is_spoken

NO_REFUSAL = {"again"}
"""Said in the same way, but of something that was asked for."""
CLAUSE = re.compile(r"[.,;:!?] ")


@pytest.fixture(params=i18n.LANGUAGES)
def language(request: pytest.FixtureRequest) -> Iterator[str]:
    yield i18n.set_language(request.param)
    i18n.set_language("en")


def of_all_games() -> Iterator[tuple[str, str]]:
    """Every code there is, with the game whose words are used for it."""
    for code in (*Code, *ClientCode):
        yield "", code
    for game, made in GAMES.items():
        for code in sorted(made.refusals):
            yield game, code


def test_every_refusal_is_a_sentence_that_says_what_to_do_instead(language: str) -> None:
    in_english = {
        "",
        *COMMON.values(),
        *(words for game in CLIENT_GAMES.values() for words in game.wording.refusals.values()),
    }
    for game, code in of_all_games():
        said = sentence_for(refusal(code, game), ["Ana", NAME], game)
        assert f"({code})" not in said
        assert said[0].isupper() or said.startswith(str(DETAILS["server"])) or said[0].isdigit()
        assert said.endswith((".", "?"))
        assert code in NO_REFUSAL or CLAUSE.search(said), said
        sentence = words_for(code, game) or ""
        is_english = language == "en" or (game and not is_spoken(game, language))
        assert is_english or i18n.gettext(sentence) not in in_english


@cases("game", GAMES)
def test_every_refusal_of_a_game_has_a_sentence(game: str) -> None:
    known = COMMON.keys() | CLIENT_GAMES[game].wording.refusals.keys()
    assert GAMES[game].refusals - known == set()


@pytest.mark.parametrize("codes", [Code, ClientCode])
def test_every_refusal_around_a_game_has_a_sentence(codes: type[RefusalCode]) -> None:
    assert set(codes) - COMMON.keys() == set()


@cases("code", COMMON)
def test_a_sentence_never_breaks_for_want_of_a_detail(code: str) -> None:
    sentence = sentence_for(received(code))
    assert sentence
    assert not [field for _, field, _, _ in Formatter().parse(sentence) if field]


def test_players_are_called_by_name_and_lists_are_read_out() -> None:
    refusal = Refusal(DiadingoCode.NOTHING_TO_STEAL, {"seat": 1, "value": 3000})
    assert sentence_for(refusal, ["Ana", "Bob"]).startswith(
        "Bob has no filled ring of 3 000 dollars"
    )
    unreadable = Refusal(Code.UNREADABLE, {"text": "x", "forms": ["draw", "stop"]})
    assert "draw, stop" in sentence_for(unreadable)


def test_a_game_may_have_words_of_its_own() -> None:
    assert "witch" in sentence_for(Refusal(CastlesCode.DANGER_WAITS), game="diamoniak")
    assert "cannon" in sentence_for(Refusal(CastlesCode.DANGER_WAITS), game="piratatak")


@pytest.mark.parametrize(("game", "cards"), [("diamoniak", "diamond"), ("piratatak", "gold coin")])
def test_cards_are_called_as_the_game_calls_them(game: str, cards: str) -> None:
    said = sentence_for(Refusal(DiaminoCode.NOT_HELD, {"cards": ["blue2", "currency"]}), game=game)
    assert said.startswith(f"You do not hold blue 2, {cards}.")


def test_what_a_newer_server_refuses_is_still_a_sentence() -> None:
    assert "(tomorrow)" in sentence_for(received("tomorrow"))


def test_every_reason_is_given() -> None:
    also = (
        Refusal(LayingCode.GAP, {"fields": ["C8"]}),
        Refusal(LayingCode.UNKNOWN_WORDS, {"words": ["ZQ", "XY"]}),
    )
    assert sentence_for(Refusal(LayingCode.TOUCHES_NOTHING, also=also)) == (
        "The word has to touch one that lies there. Lay it against another. There is a gap at C8. "
        "Fill it, or lay closer together. The list does not know ZQ, XY. Try another word."
    )


@cases("reason", BLACK_REASONS)
def test_why_a_field_is_barred_is_said_in_words(reason: str) -> None:
    said = sentence_for(Refusal(LayingCode.BLACK_FIELD, {"fields": ["C8"], "why": [reason]}))
    assert said.startswith("C8 is black: ")
    assert reason not in said


@cases("error", BadBoard.__subclasses__())
def test_what_is_wrong_with_a_board_is_said_in_words(error: type[BadBoard]) -> None:
    assert error.code not in sentence_for(Refusal(DiaminoCode.BAD_BOARD, {"why": error.code}))
