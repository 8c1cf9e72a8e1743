"""What a bot remembers of a round: its own plays that the table refused (M-12)."""

from diadem_shared.games.diamino.play import Play
from diadem_shared.games.diamino.table import DiaminoEvent, Opened, Proposed, TakenBack


class Memory:
    def __init__(self) -> None:
        self._proposed: Play | None = None
        self._refused: set[Play] = set()

    def see(self, event: DiaminoEvent) -> None:
        match event:
            case Opened():
                self._refused.clear()
            case Proposed(play=play):
                self._proposed = play
            case TakenBack() if self._proposed:
                self._refused.add(self._proposed)
            case _:
                pass

    def refuses(self, play: Play) -> bool:
        return play in self._refused
