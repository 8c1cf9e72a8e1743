"""Who reads what is told: what readers do themselves is said to them, not of them."""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from diadem_client.i18n import gettext as _
from diadem_shared.game import Seat, Viewer


class Reader(Struct, frozen=True):
    names: Sequence[str]
    seat: Viewer = None

    def told(self, doer: Seat, of_them: str, to_reader: str, **more: Any) -> str:
        if doer == self.seat:
            return to_reader.format(**more)
        return of_them.format(name=self.name(doer), **more)

    def listed(self, seat: Seat) -> str:
        """The name in a list, in the middle of a sentence."""
        return _("you") if seat == self.seat else self.name(seat)

    def name(self, seat: Seat) -> str:
        known = self.names[seat] if seat in range(len(self.names)) else ""
        return known or _("Somebody")
