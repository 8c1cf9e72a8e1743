"""A match is played again: the same at a new table, with those who want to."""

from collections.abc import Sequence
from typing import Protocol

from diadem_server.lobby.first_player import FirstPlayer
from diadem_server.lobby.registry import Registry
from diadem_server.sessions.sessions import Session
from diadem_server.storage.journal import JournalUnavailable
from diadem_server.storage.records import BanRow
from diadem_server.table.table import Table
from diadem_shared.entries import Setup
from diadem_shared.protocol import Answer
from diadem_shared.refusals import Code, Refusal, RefusalError


class Tables(Protocol):
    """What it asks of the lobby."""

    @property
    def registry(self) -> Registry: ...

    def session(self, id_: int | None) -> Session | None: ...

    async def make_table(
        self,
        setup: Setup,
        maker: Session,
        sitters: Sequence[FirstPlayer],
        answer: Answer | None,
        *,
        bans: Sequence[BanRow] = (),
        are_ready: bool = False,
    ) -> Table: ...

    def move_to(self, session: Session, table: Table) -> None: ...


async def start_rematch(
    lobby: Tables, table: Table, asked_by: tuple[Session, Answer] | None = None
) -> None:
    """Make it and take them there; it is dealt once all of them are. Raises RefusalError.

    Where one of them asked for it now, that is answered.
    """
    sitters = await _sitters(lobby, table)
    people = [person for each in sitters if (person := lobby.session(each.session)) is not None]
    if not people:
        raise RefusalError(Refusal(Code.NO_SEAT))
    maker, answer = asked_by or (people[0], None)
    new = await lobby.make_table(
        table.match.setup, maker, sitters, answer, bans=table.bans.rows, are_ready=True
    )
    table.rematch.table = new.code
    if answer is not None:
        maker.answer(answer)
    for person in people:
        move_player(lobby, table, person, new)
    table.show(None)


async def try_rematch(lobby: Tables, table: Table) -> Refusal | None:
    """The same without being asked; why it could not be made."""
    try:
        await start_rematch(lobby, table)
    except RefusalError as refused:
        return refused.refusal
    except JournalUnavailable:
        return Refusal(Code.JOURNAL_UNAVAILABLE)
    return None


def move_player(lobby: Tables, table: Table, person: Session, new: Table) -> None:
    if person.table == table.code:
        table.remove_viewer(person, Refusal(Code.AGAIN, {"table": new.code}))
        lobby.move_to(person, new)


async def _sitters(lobby: Tables, table: Table) -> list[FirstPlayer]:
    """In the order they sat in; who has sat down elsewhere meanwhile does not come along."""
    sitters, seating = list[FirstPlayer](), table.seating
    willing = table.rematch.willing
    for player, owner in zip(table.match.players, seating.owners, strict=True):
        if player.bot is not None:
            sitters.append(FirstPlayer(player.name, player.bot))
        elif owner is not None and owner in willing:
            if await lobby.registry.seat_of(owner):
                seating.ready.discard(owner)
            else:
                sitters.append(FirstPlayer(player.name, None, owner))
    return sitters
