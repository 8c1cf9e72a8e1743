"""When a round is dealt: once all who play for themselves are ready, or when the maker says so."""

from typing import TYPE_CHECKING

from diadem import match as rules
from diadem.entries import Changed, Entry, Left, Started
from diadem.match import Phase
from diadem.refusals import Code, Refusal, Refused

if TYPE_CHECKING:
    from diadem_server.table.table import Table


class Dealing:
    def __init__(self, table: "Table") -> None:
        self._table = table
        self._to_agree: set[int] = set()
        """Sessions that sat here when the options were changed and have not been ready since."""
        self._unwritten: Refusal | None = None
        """Why the round that is due could not be written."""

    def follow(self, entry: Entry, session: int | None) -> None:
        """What an entry, made by this session, does to who has agreed to the options."""
        seating = self._table.seating
        match entry:
            case Changed():
                self._to_agree = {owner for owner in seating.owners if owner is not None}
                self._to_agree.discard(session or 0)
            case Left():
                self._to_agree.intersection_update(owner or 0 for owner in seating.owners)
            case Started():
                self._to_agree.clear()
            case _:
                pass

    def refuse_if_not_agreed(self) -> None:
        """The maker does not start what others have not agreed to."""
        seating = self._table.seating
        names = [
            player.name
            for player, owner in zip(self._table.match.players, seating.owners, strict=True)
            if owner in self._to_agree
        ]
        if names:
            raise Refused(Refusal(Code.NOT_AGREED, {"names": names}))

    async def deal_if_ready(self) -> None:
        """Looked at whenever something was done at the table."""
        self._note_who_agrees()
        if self._unwritten or not self.all_are_ready:
            return
        why = await self._table.enter(Started())
        if why is not None and why.code == Code.JOURNAL_UNAVAILABLE:
            self._unwritten = why
            self._table.later(self._try_again)
            self._table.show(None)

    async def deal(self) -> None:
        """Without waiting for anybody: nobody plays for themselves."""
        await self._table.enter(Started())

    async def _try_again(self) -> None:
        self._unwritten = None

    def _note_who_agrees(self) -> None:
        if self._to_agree:
            seating = self._table.seating
            ready = zip(seating.owners, seating.is_ready, strict=True)
            self._to_agree.difference_update(owner for owner, is_ready in ready if is_ready)

    @property
    def is_due(self) -> bool:
        """Whether a round is to come."""
        return self._table.match.phase in {Phase.GATHERING, Phase.BETWEEN}

    @property
    def all_are_ready(self) -> bool:
        """Whether nobody is waited for, though somebody plays for themselves."""
        if not self.is_due:
            return False
        seating = self._table.seating
        waited_for = [
            is_ready and is_present
            for seat, is_ready, is_present in zip(
                range(len(seating.owners)), seating.is_ready, seating.present, strict=True
            )
            if seating.plays(seat)
        ]
        return bool(waited_for) and all(waited_for)

    @property
    def blocked(self) -> Refusal | None:
        """Why no round is dealt although all are ready."""
        if not self.all_are_ready:
            return None
        return self._unwritten or rules.explain(self._table.match, Started())
