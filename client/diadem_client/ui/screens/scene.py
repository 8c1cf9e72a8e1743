"""What a pane is given to draw of a table."""

import time

from diadem_client.board.pane import Scene
from diadem_client.state.client_state import TableState
from diadem_client.wording import state


def scene_of(table: TableState, *, with_events: bool = True) -> Scene:
    """The same view may come again, as somebody gets ready: what it told is not told twice."""
    assert table.view is not None  # noqa: S101, whoever calls has looked
    return Scene(
        game=table.game.name,
        names=table.names,
        view=table.view,
        actors=table.public.actors,
        is_stood_in=table.is_stood_in,
        events=table.game_events if with_events else (),
        skipped=table.skipped_events if with_events else (),
        past=table.past,
        notes=state.notes(table, time.monotonic()),
        bots=state.bots(table),
        scores=table.scores,
    )
