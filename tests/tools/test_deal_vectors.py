"""What the page of the protocol says of how each game deals is enough to deal, by an implementation that has but the page."""

import json
import re
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from typing import Any

import pytest

from diadem_shared.chance import Chance
from diadem_shared.game import Seat
from diadem_shared.games import GAMES
from diadem_shared.games.castles.table import Options
from tests.tools.test_shuffle_vector import below, hashed, numbers
from tools.protocol_tables import PAGE

PARAGRAPHS = PAGE.read_text().partition("**How each game deals.**")[2]
TOLD: dict[str, Any] = json.loads(
    re.findall(r"```json\n(.*?)```", PARAGRAPHS.partition("<!-- end -->")[0], re.DOTALL)[0]
)
FIRST_LOOSE = 26
BONUS = 12
HANDS = re.findall(r"\d+", PARAGRAPHS.partition("tiles for 2 to 8 seats")[0].rpartition("of ")[2])
RUMMY = dict(enumerate(map(int, HANDS), 2))


def shuffled(items: Sequence[Any], stream: Iterator[int]) -> list[Any]:
    mixed = list(items)
    for last in range(len(mixed) - 1, 0, -1):
        other = below(last + 1, stream)
        mixed[last], mixed[other] = mixed[other], mixed[last]
    return mixed


# As the page says


def castles(cards: Sequence[str], seats: int, stream: Iterator[int]) -> tuple[list[str], Seat]:
    return shuffled(cards, stream), below(seats, stream)


def diadingo(seats: int, stream: Iterator[int]) -> tuple[Seat, list[Any], list[str]]:
    told = TOLD["diadingo"]
    first, deck = below(seats, stream), shuffled(told["cards"], stream)
    loose = set(shuffled(told["spots"], stream)[:FIRST_LOOSE])
    return first, deck, [spot for spot in told["spots"] if spot not in loose]


def diamino(
    tiles: str, seats: int, size: int, stream: Iterator[int]
) -> tuple[list[dict[Seat, str]], list[str], str]:
    draws: list[dict[Seat, str]] = []
    tied = list(range(seats))
    while len(tied) > 1:
        drawn = dict(zip(tied, shuffled(tiles, stream), strict=False))
        draws.append(drawn)
        ranks = {seat: "A" if tile == "*" else tile for seat, tile in drawn.items()}
        tied = [seat for seat in tied if ranks[seat] == min(ranks.values())]
    mixed = shuffled(tiles, stream)
    hands = ["".join(sorted(mixed[at * size : at * size + size])) for at in range(seats)]
    return [*draws, dict.fromkeys(tied, "")], hands, "".join(sorted(mixed[seats * size :]))


# The example


def seed() -> bytes:
    pairs = zip(TOLD["commitments"], TOLD["openings"], strict=True)
    values = [text.encode() for pair in pairs for text in pair]
    return hashed("diadem round", bytes.fromhex(TOLD["secret"]), bytes(8), *values)


def test_all_is_dealt_from_what_was_committed_to() -> None:
    server = hashed("diadem server", bytes.fromhex(TOLD["secret"]))
    for name, opening, committed in zip(
        *(TOLD[each] for each in ("players", "openings", "commitments")), strict=True
    ):
        added = bytes.fromhex(opening)
        mine = hashed("diadem player", server, bytes(8), name.encode(), added).hex()
        assert committed == (mine if added else "")
    assert seed().hex() == TOLD["round seed"]


def test_the_example_is_what_the_page_says() -> None:
    seats = len(TOLD["players"])
    for game in ("diamoniak", "piratatak"):
        told = TOLD[game]
        dealt = castles(told["cards"], seats, numbers(seed(), "deal"))
        assert dealt == (told["deck"], told["first"])
    told = TOLD["diadingo"]
    dealt_spots = diadingo(seats, numbers(seed(), "deal"))
    assert dealt_spots == (told["first"], told["deck"], told["fixed"])
    for game, size in (("diamino-rummy", RUMMY[seats]), ("diamino-bonus", BONUS)):
        told = TOLD[game]
        tiles = TOLD["tiles"][told["language"]]
        *draws, first = diamino_draws(tiles, seats, size)
        assert draws == [{int(seat): tile for seat, tile in each.items()} for each in told["draws"]]
        assert [*first] == [told["first"]]
        _, hands, reserve = diamino(tiles, seats, size, numbers(seed(), "deal"))
        assert (hands, reserve) == (told["hands"], told["reserve"])


def diamino_draws(tiles: str, seats: int, size: int) -> list[dict[Seat, str]]:
    return diamino(tiles, seats, size, numbers(seed(), "deal"))[0]


def test_each_move_has_chance_of_its_own() -> None:
    """Two moves of one round that draw."""
    told = TOLD["diamino-bonus"]
    hands, reserve = list(told["hands"]), list(told["reserve"])
    for number, move in enumerate(TOLD["exchanges"]):
        stream = numbers(seed(), f"move {number}")
        hand = list(hands[move["seat"]])
        for tile in move["gives"]:
            hand.remove(tile)
        hand += [reserve.pop(below(len(reserve), stream)) for _ in move["gives"]]
        reserve = sorted([*reserve, *move["gives"]])
        assert "".join(sorted(hand)) == move["hand"]


# The games, with other numbers of players and other seeds


def seeds(game: str) -> Iterator[tuple[int, bytes]]:
    for seats in GAMES[game].seats:
        for number in range(3):
            yield seats, blake2b(f"{game} {seats} {number}".encode(), digest_size=32).digest()


def start(game: str, options: dict[str, Any], seats: int, seed: bytes) -> Any:
    rules = GAMES[game]
    return rules.start(rules.read_options(options), seats, None, Chance(seed, "deal"))[0]


@pytest.mark.parametrize("game", ["diamoniak", "piratatak"])
def test_castles_are_dealt_as_the_page_says(game: str) -> None:
    for seats, seed in seeds(game):
        state = start(game, {}, seats, seed)
        told = castles(TOLD[game]["cards"], seats, numbers(seed, "deal"))
        assert ([*state.deck], state.turn) == told
        chosen = GAMES[game].start(Options(youngest=1), seats, None, Chance(seed, "deal"))[0]
        assert ([*chosen.deck], chosen.turn) == (told[0], 1)
        later = GAMES[game].start(Options(youngest=1), seats, 0, Chance(seed, "deal"))[0]
        assert ([*later.deck], later.turn) == (told[0], 0)


def test_diadingo_is_dealt_as_the_page_says() -> None:
    for seats, seed in seeds("diadingo"):
        state = start("diadingo", {}, seats, seed)
        first, deck, fixed = diadingo(seats, numbers(seed, "deal"))
        while deck[-1] == "theft":
            deck.pop()
        assert (state.turn, [*state.deck, state.card]) == (first, deck)
        assert [spot for spot in TOLD["diadingo"]["spots"] if spot not in state.loose] == fixed


@pytest.mark.parametrize("language", ["de", "en", "fr"])
@pytest.mark.parametrize("game", ["diamino-rummy", "diamino-bonus"])
def test_diamino_is_dealt_as_the_page_says(game: str, language: str) -> None:
    for seats, seed in seeds(game):
        size = BONUS if game == "diamino-bonus" else RUMMY[seats]
        state = start(game, {"language": language}, seats, seed)
        tiles = TOLD["tiles"][language]
        draws, hands, reserve = diamino(tiles, seats, size, numbers(seed, "deal"))
        assert (state.turn, [*state.hands], state.reserve) == (min(draws[-1]), hands, reserve)
