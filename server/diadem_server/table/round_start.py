"""When a round is dealt: once all who play for themselves are ready, or when the maker says so."""

from diadem_server.table.seating import Seating
from diadem_shared import match as rules
from diadem_shared.entries import Changed, Entry, Left, Started
from diadem_shared.match import Match
from diadem_shared.refusals import Code, Refusal, RefusalError


class RoundStart:
    def __init__(self, seating: Seating) -> None:
        self.unwritten: Refusal | None = None
        """Why the round that is due could not be written."""
        self._seating = seating
        self._to_agree: set[int | None] = set()
        """Sessions that were here when the options were changed and have not been ready since: they may sit
        down before they have seen it."""

    def follow(self, entry: Entry, session: int | None) -> None:
        """What an entry, made by this session, does to who has agreed to the options."""
        match entry:
            case Changed():
                here = {person.id for person in self._seating.viewers}
                self._to_agree = {*self._seating.owners, *here} - {session, None}
            case Left():
                self._to_agree.discard(session)
            case Started():
                self._to_agree.clear()
            case _:
                pass

    def refuse_if_not_agreed(self, match: Match) -> None:
        """The maker does not start what others have not agreed to."""
        names = [
            player.name
            for player, owner in zip(match.players, self._seating.owners, strict=True)
            if owner in self._to_agree
        ]
        if names:
            raise RefusalError(Refusal(Code.NOT_AGREED, {"names": names}))

    def note_who_agrees(self) -> None:
        """Whoever says that they are ready, now or for the next round, has seen the options."""
        self._to_agree -= self._seating.ready

    def all_are_ready(self, match: Match) -> bool:
        """Whether a round is to come and nobody is waited for, though somebody plays for themselves."""
        if not match.phase.is_before_round:
            return False
        ready, present = self._seating.is_ready, self._seating.present
        playing = self._seating.playing(match.players)
        return bool(playing) and all(ready[seat] and present[seat] for seat in playing)

    def blocked(self, match: Match) -> Refusal | None:
        """Why no round is dealt although all are ready."""
        if not self.all_are_ready(match):
            return None
        return self.unwritten or rules.explain(match, Started())
