"""What is worth remembering of Diamino: words, plays of many tiles, and rounds."""

from typing import Any

from diadem_shared.games.diamino.table import DiaminoEvent, Laid
from diadem_shared.games.diamino.tiles import TILE_SETS
from diadem_shared.highlights import ROUND, Best, Highlights

WORD, TILES = "word", "tiles"


class DiaminoHighlights(Highlights[DiaminoEvent]):
    kinds = {WORD: Best.MOST, TILES: Best.MOST, ROUND: Best.MOST}  # noqa: RUF012, never changed
    """What the tiles of a word are worth, tiles laid in one play, and the score of a round."""

    def __init__(self, options: Any) -> None:
        super().__init__(options)
        self._tiles = TILE_SETS[options.language]

    def see(self, event: DiaminoEvent) -> None:
        if isinstance(event, Laid):
            self.note(event.seat, TILES, len(event.play.tiles))
            for word, run in zip(event.words, event.runs, strict=False):
                self.note(event.seat, WORD, self._tiles.value(run.tiles), word)
