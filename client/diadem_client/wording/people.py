"""The people at a table, and the measures (mute, kick, ban) that the player can take about each."""

from collections.abc import Callable
from typing import TypeAlias

from msgspec import Struct

from diadem_client.i18n import N_, listed
from diadem_client.i18n import gettext as _
from diadem_client.state.client_state import TableState
from diadem_shared import protocol
from diadem_shared.match import Phase

Kind: TypeAlias = Callable[..., protocol.Command]


class Person(Struct, frozen=True):
    name: str
    plays: bool = False
    looks_on: bool = False
    muted: bool = False
    banned: bool = False


class Measure(Struct, frozen=True):
    """A command about a person."""

    kind: Kind
    label: str
    done: str
    """The notice after it was done."""
    given: dict[str, bool] = {}


MUTE = Measure(
    protocol.Mute,
    N_("mute: read no more of what they say"),
    N_("{name} is muted. You read no more of what they say."),
    {"on": True},
)
UNMUTE = Measure(
    protocol.Mute,
    N_("unmute: read again what they say"),
    N_("You read again what {name} says."),
    {"on": False},
)
KICK = Measure(
    protocol.Kick,
    N_("send away; they may come again"),
    N_("{name} was sent away and may come again."),
)
BAN = Measure(
    protocol.Ban,
    N_("ban from this table"),
    N_("{name} is banned from this table."),
    {"on": True},
)
LIFT_BAN = Measure(
    protocol.Ban,
    N_("lift the ban"),
    N_("{name} may come to this table again."),
    {"on": False},
)


def people(table: TableState, me: str) -> list[Person]:
    """Everybody but the player: those who play, watch, said something lately, or are banned."""
    players = [each.name for each in table.public.players if each.bot is None or each.away]
    onlookers = table.public.onlookers
    speakers = [said.name for said in table.chat]
    names = dict.fromkeys((*players, *onlookers, *reversed(speakers), *table.banned))
    mine = me if table.seat is None else table.names[table.seat]
    return [
        Person(
            name,
            plays=name in players,
            looks_on=name in onlookers and name not in players,
            muted=name in table.muted,
            banned=name in table.banned,
        )
        for name in names
        if name != mine
    ]


def described(person: Person) -> str:
    here = person.plays or person.looks_on
    words = (
        (person.plays, _("plays")),
        (person.looks_on, _("looks on")),
        (person.banned, _("banned")),
        (not here and not person.banned, _("was here")),
        (person.muted, _("muted")),
    )
    return f"{person.name}  ({listed(word for applies, word in words if applies)})"


def measures(table: TableState, person: Person) -> list[Measure]:
    """The measures that this player can take about a person."""
    found = []
    if person.plays or person.looks_on or not person.banned:
        found.append(UNMUTE if person.muted else MUTE)
    if table.is_maker:
        if person.banned:
            found.append(LIFT_BAN)
        elif not person.plays or table.public.phase is Phase.GATHERING:
            found += [KICK] if person.plays or person.looks_on else []
            found.append(BAN)
    return found
