"""Panes in every size: nothing lies over anything else, and what one needs to play is there."""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache

from hypothesis import given, settings
from hypothesis import strategies as st

from diadem_client.board.canvas import Canvas, Ink, Rect
from diadem_client.board.pane import LEAST, Scene
from diadem_client.games.castles import drawing as castles
from diadem_client.games.castles import render_model as castles_model
from diadem_client.games.castles.draft import Shopping, toll_for
from diadem_client.games.castles.turns import gained
from diadem_client.games.diadingo import drawing as diadingo
from diadem_client.games.diadingo import render_model as diadingo_model
from diadem_client.games.diadingo.draft import Aim, theft_from
from diadem_client.games.diadingo.turns import changed
from diadem_client.games.diamino import drawing as diamino
from diadem_client.games.diamino.draft import Parcel, new_draft
from diadem_client.games.diamino.history import Item
from diadem_client.games.diamino.unseen import unseen
from diadem_client.look import signs
from diadem_client.look.palette import Paint
from diadem_client.wording.turns import Line
from diadem_shared.entries import Started
from diadem_shared.games import GAMES
from diadem_shared.games.castles import Castles
from diadem_shared.games.diadingo.table import TurnPhase as DiadingoPhase
from diadem_shared.match import Phase
from tests.client.board.host import Desk
from tests.thoroughness import times

LEVELS = {"diamino-rummy": "easy", "diamino-bonus": "easy"}
ASKING = {"danger", "steal", "give", "judge"}
SENTENCE = "Bartholomea Fitzroya begins the yellow castle. From the reserve: yellow 1, yellow 6."


class Sheet(Canvas):
    """A canvas that notices letters and digits being written over."""

    def __init__(self, width: int, height: int, *, ascii_only: bool = False) -> None:
        super().__init__(width, height, ascii_only=ascii_only)
        self.collisions: list[str] = []

    def put(self, x: int, y: int, text: str, paint: Paint = Ink.PLAIN) -> int:
        before = self._row(y)
        after = super().put(x, y, text, paint)
        lost = [
            f"{old!r} at {at},{y} under {text!r}"
            for at, (old, new) in enumerate(zip(before, self._row(y), strict=True))
            if old != new and old.isalnum()
        ]
        self.collisions += lost
        return after

    def _row(self, y: int) -> list[str]:
        rows = self.rows()
        return [cell for cell, _paint in rows[y]] if 0 <= y < len(rows) else []


def test_a_sheet_notices_text_over_text() -> None:
    sheet = Sheet(20, 1)
    sheet.put(0, 0, "Players")
    sheet.fill(Rect(10, 0, 5, 1), "row")
    assert not sheet.collisions
    sheet.put(5, 0, "40")
    assert sheet.collisions


@cache
def scenes(game: str) -> list[Scene]:
    """A match at its beginning, and later, as each player in turn sees it."""
    return list(_scenes(game))


def _scenes(game: str) -> Iterator[Scene]:
    for seats in sorted({GAMES[game].seats[0], GAMES[game].seats[-1]}):
        for seat in (0, 1):
            desk = Desk(game, seats=seats, seed="sizes", seat=seat, level=LEVELS.get(game, ""))
            yield desk.enter(Started())
            for step in range(14 * seats):
                if desk.match.phase is Phase.PLAYING:
                    mover = desk.match.actors[0]
                    scene = desk.play(mover, desk.chosen(mover))
                    if step % 9 == 8 or (scene.may_act and scene.public.phase in ASKING):
                        yield scene


def drawn(scene: Scene, canvas: Canvas, at: int) -> None:
    """With everything that the player could be asked for, and something pointed at."""
    DRAWERS[scene.game](scene, canvas, at)


def draw_castles(scene: Scene, canvas: Canvas, at: int) -> None:
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


def test_where_there_is_room_castles_are_twice_as_large() -> None:
    def painted(width: int, height: int) -> int:
        canvas = Canvas(width, height)
        draw_castles(scene, canvas, 0)
        return sum(
            paint.ink in walls or paint.ground in walls for row in canvas.rows() for _, paint in row
        )

    scene = next(
        scene for scene in scenes("diamoniak") if any(each.castle for each in scene.public.holdings)
    )
    colour = next(each.builds for each in scene.public.holdings if each.castle)
    walls = {f"{colour}.{shade}" for shade in "abcde"}
    assert painted(196, 46) > 2 * painted(106, 32)


def draw_diadingo(scene: Scene, canvas: Canvas, at: int) -> None:
    fresh_spots, fresh_rings = changed(scene.since_last_turn())
    robbing = scene.may_act and scene.public.phase is DiadingoPhase.STEAL
    theft = theft_from(scene.public, scene.seat or 0) if robbing else None
    diadingo.draw(
        canvas,
        diadingo_model.RenderModel(
            table=scene.public,
            seat=scene.seat,
            names=scene.names,
            aim=None if theft else Aim(),
            theft=theft.moved(at) if theft else None,
            told=[Line(SENTENCE, is_new=at % 2 == 0)] * (1 + at % 4),
            fresh_spots=fresh_spots,
            fresh_rings=fresh_rings,
        ),
    )


def tiles_of(scene: Scene) -> str:
    assert scene.view.private is not None
    return str(scene.view.private.tiles)


def draw_diamino(scene: Scene, canvas: Canvas, at: int) -> None:
    hand: str = tiles_of(scene)
    parcel = Parcel(hand, 3) if at % 3 == 1 else None
    told = [Item(SENTENCE)] * (at % 4)
    draft = new_draft(scene.public.board, hand)
    diamino.draw(
        canvas,
        diamino.RenderModel(
            table=scene.public,
            seat=scene.seat,
            names=scene.names,
            actors=scene.actors,
            draft=draft.moved(at % 3 - 1, at % 5 - 2),
            parcel=parcel,
            history=told,
            unseen=unseen(scene.public, hand, scene.seat) if at % 5 == 4 else None,
        ),
    )


DRAWERS: dict[str, Callable[[Scene, Canvas, int], None]] = {
    "diamoniak": draw_castles,
    "piratatak": draw_castles,
    "diadingo": draw_diadingo,
    "diamino-rummy": draw_diamino,
    "diamino-bonus": draw_diamino,
}
SIZES = st.tuples(st.integers(LEAST.width, 220), st.integers(LEAST.height, 57))


@settings(max_examples=times(60, 5000), deadline=None)
@given(st.data(), st.sampled_from(sorted(GAMES)), SIZES, st.integers(0, 24), st.booleans())
def test_whatever_is_drawn_can_be_read(
    data: st.DataObject,
    game: str,
    size: tuple[int, int],
    at: int,
    ascii_only: bool,  # noqa: FBT001, as hypothesis gives it
) -> None:
    scene = data.draw(st.sampled_from(scenes(game)))
    sheet = Sheet(*size, ascii_only=ascii_only)
    drawn(scene, sheet, at)
    assert not sheet.collisions, sheet.text()
    assert all(len(row) == size[0] for row in sheet.rows())
    text = sheet.text()
    if "diamino" not in game or at % 5 != 4:
        assert_turn_is_told(scene, sheet)
    if "diamino" in game:
        assert_rack_is_whole(scene, text)
    elif game != "diadingo" and (at % 3 < 2 or size[1] > LEAST.height + 2):
        assert_cards_are_counted(scene, sheet)


def assert_turn_is_told(scene: Scene, sheet: Sheet) -> None:
    if scene.may_act and getattr(scene.public, "card", None) != "theft":
        turn = sheet.sign(signs.TURN)
        assert re.search(f"{turn} ?You", sheet.text()), sheet.text()


def assert_rack_is_whole(scene: Scene, text: str) -> None:
    """Somewhere below the board all tiles of the hand lie."""
    hand = Counter(tiles_of(scene).replace("*", ""))
    rows = text.splitlines()
    assert any(
        hand <= Counter(re.sub("[^A-Z]", "", "".join(rows[first:])))
        for first in range(10, len(rows))
    ), text


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


def test_no_scene_is_left_out() -> None:
    asking = {
        game: {str(getattr(scene.public, "phase", "")) for scene in scenes(game) if scene.may_act}
        for game in GAMES
    }
    alike = {game for game, phases in asking.items() if len(phases) < 2}
    assert {game for game in alike if not game.startswith("diamino")} == set()
