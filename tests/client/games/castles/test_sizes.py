"""Castles in every size."""

from diadem_client.board.canvas import Canvas
from tests.client.board.test_sizes import scenes
from tests.client.games.castles.drawer import draw


def test_where_there_is_room_castles_are_twice_as_large() -> None:
    def painted(width: int, height: int) -> int:
        canvas = Canvas(width, height)
        draw(scene, canvas, 0)
        return sum(
            paint.ink in walls or paint.ground in walls for row in canvas.rows() for _, paint in row
        )

    scene = next(
        scene for scene in scenes("diamoniak") if any(each.castle for each in scene.public.holdings)
    )
    colour = next(each.builds for each in scene.public.holdings if each.castle)
    walls = {f"{colour}.{shade}" for shade in "abcde"}
    assert painted(196, 46) > 2 * painted(106, 32)
