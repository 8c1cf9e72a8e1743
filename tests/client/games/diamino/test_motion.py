"""What moves at a table of Diamino, and which keys hurry it."""

from itertools import pairwise

from diadem_client.games.diamino.pane import DiaminoPane
from diadem_shared.entries import Moved
from tests.client.board.host import SMALL, Host, desk_at, press
from tests.shared.games.diamino.positions import position


async def test_the_tiles_of_a_play_light_up_step_by_step_and_then_stay() -> None:
    host = Host(desk_at("diamino-rummy", position("EN", "A"), seat=1), bots=False)
    async with host.run_test(size=SMALL):
        scene = host.desk.enter(Moved(0, "lay D1 across E"))
        motion = host.pane.motion(scene)
        assert motion.before == ()
        seen = []
        for frame in (*range(len(motion.after)), None):
            host.pane.pose(frame, None)
            if frame == 0:
                host.pane.show(scene)
            host.pane.redraw()
            seen.append([tuple(host.pane.render_line(y)) for y in range(SMALL[1] - 4)])
        assert all(one != other for one, other in pairwise(seen))


class Waiting:
    """What shows one entry after another, with some that wait."""

    is_behind = True

    def catch_up(self) -> None:
        pass


async def test_space_turns_the_word_in_hand_and_is_else_for_what_waits() -> None:
    host = Host(desk_at("diamino-rummy", position("EN", "A")), judges=False)
    async with host.run_test(size=SMALL) as pilot:
        turn = next(action for action in DiaminoPane.ACTIONS if action.id == "turn")
        assert host.pane.uses(turn)
        host.pane.showing = Waiting()
        assert not host.pane.uses(turn)
        await press(pilot, ["right", "right", "right", "e"])
        assert host.pane.uses(turn)
