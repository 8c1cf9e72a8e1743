"""Castle moves as text."""

from diadem_shared.games.castles import Castles
from tests.cases import cases
from tests.shared.games.castles.positions import Diamoniak, Piratatak, position, refused


@cases(
    ("game", "text", "written"),
    [
        (Diamoniak, "  DRAW ", "draw"),
        (Diamoniak, "Buy  From 2", "buy from 2"),
        (Diamoniak, "pay Diamonds pink3 diamond", "pay pink3 diamond diamond"),
        (Diamoniak, "play fairy", "fairy"),
        (Piratatak, "pay coin cannon red3", "pay red3 coin cannon"),
        (Piratatak, "cannon", "cannon"),
    ],
)
def test_typed_moves_are_read_forgivingly(game: Castles, text: str, written: str) -> None:
    assert game.notate(game.parse(text)) == written


@cases(
    ("game", "text"),
    [
        (Diamoniak, ""),
        (Diamoniak, "dance"),
        (Diamoniak, "buy from 0"),
        (Diamoniak, "buy from ²"),
        (Diamoniak, "buy from -1"),
        (Diamoniak, "buy from 99999999999999999999999999999"),
        (Diamoniak, "pay blue7 blue1 blue2"),
        (Diamoniak, "pay witch"),
        (Diamoniak, "pay coin coin coin"),
        (Diamoniak, "cannon"),
        (Diamoniak, "pay red3"),
        (Piratatak, "pay pink3"),
        (Piratatak, "fairy"),
    ],
)
def test_what_cannot_be_read_is_refused_with_what_could(game: Castles, text: str) -> None:
    assert refused(position("", ""), text, game=game) == "unreadable"
