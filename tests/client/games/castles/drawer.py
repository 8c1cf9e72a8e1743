"""Castles drawn with everything that a player could be asked for; what can be read on every such drawing."""

import re

from diadem_client.board.canvas import Canvas
from diadem_client.board.pane import LEAST, Scene
from diadem_client.games.castles import drawing as castles
from diadem_client.games.castles import render_model as castles_model
from diadem_client.games.castles.draft import Shopping, toll_for
from diadem_client.games.castles.turns import gained
from diadem_client.look import signs
from diadem_client.wording.turns import Line
from diadem_shared.games.castles import Castles
from tests.client.board.sheet import SENTENCE, Sheet, assert_turn_is_told


def draw(scene: Scene, canvas: Canvas, at: int) -> None:
    game, table = scene.rules, scene.public
    assert isinstance(game, Castles)
    toll = toll_for(table.holdings[scene.seat]).pointing(at) if scene.seat == table.turn else None
    shopping = Shopping(tuple(range(1, len(scene.names)))) if at % 3 == 2 else None
    castles.draw(
        canvas,
        castles_model.RenderModel(
            table=table,
            edition=game.edition,
            seat=scene.seat,
            names=scene.names,
            notes=("",) * len(scene.names),
            told=[Line(SENTENCE, is_new=at % 2 == 0)] * (1 + at % 4),
            card=table.drawn[-1] if table.drawn else None,
            fresh=gained(scene.since_last_turn()),
            toll=toll if at % 3 == 1 else None,
            shopping=shopping,
        ),
    )


def check(scene: Scene, sheet: Sheet, at: int) -> None:
    assert_turn_is_told(scene, sheet)
    if at % 3 < 2 or sheet.height > LEAST.height + 2:
        assert_cards_are_counted(scene, sheet)


def assert_cards_are_counted(scene: Scene, sheet: Sheet) -> None:
    """Diamonds or coins by their sign, beside it how many; or as a line of what can be given up."""
    coins = scene.public.holdings[scene.seat].reserve.count("currency")
    sign = sheet.sign(signs.DIAMOND if scene.game == "diamoniak" else signs.COIN)
    name = "diamond" if scene.game == "diamoniak" else "gold coin"
    found = {f"{sign} {coins}", f"{sign} x{coins}", f"{name} x{coins}"}
    as_cards = re.search(rf"\bx{coins}\b", sheet.text()) and name in sheet.text()
    alone = coins == 1 and name in sheet.text()
    told = any(words in sheet.text() for words in found) or as_cards or alone
    assert told or not coins, sheet.text()
