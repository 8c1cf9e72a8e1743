"""The middle of a table of Diadingo: aim at a diamond and take it, or rob a ring."""

from collections.abc import Sequence
from typing import ClassVar

from msgspec.structs import replace

from diadem_client.board.canvas import Canvas
from diadem_client.board.drawn import DrawnPane
from diadem_client.board.pane import Scene
from diadem_client.games.diadingo import drawing
from diadem_client.games.diadingo.draft import Aim, Theft, theft_from
from diadem_client.games.diadingo.gems import Moment
from diadem_client.games.diadingo.render_model import RenderModel
from diadem_client.games.diadingo.turns import changed
from diadem_client.i18n import N_
from diadem_client.i18n import gettext as _
from diadem_client.state.presentation import Motion
from diadem_client.ui.actions import Action, bindings
from diadem_client.wording.turns import Line
from diadem_client.wording.values import grouped
from diadem_shared.game import Event, Seat
from diadem_shared.games.diadingo.board import SPOTS, Spot, Value
from diadem_shared.games.diadingo.notation import notate
from diadem_shared.games.diadingo.table import (
    Decline,
    Move,
    Opened,
    PublicState,
    Steal,
    Take,
    Tried,
    Turned,
    TurnPhase,
)

NOT_A_KEY = "D4"
"""Named for a spot of the row F, which reads like a function key."""
LOOKING = 2.0
"""Seconds in which a try can be seen. It is all there is to remember it by (D-12)."""
REACHING, LIFTING = 0.3, 0.5
"""Seconds in which another player aims, and in which it is said what a diamond brings."""


class DiadingoPane(DrawnPane):
    ACTIONS: ClassVar[tuple[Action, ...]] = (
        Action("take", ("enter",), N_("take"), N_("Try the diamond you aim at.")),
        Action("rob", ("enter",), N_("rob"), N_("Rob the ring you point at, or nobody.")),
        Action("decline", ("0",), N_("rob nobody"), N_("Point at robbing nobody.")),
        Action(
            "forget",
            ("escape",),
            N_("another row"),
            N_("Forget the letter you typed."),
            in_footer=False,
        ),
        Action("left", ("left",), N_("left"), N_("Aim further left."), in_footer=False),
        Action("right", ("right",), N_("right"), N_("Aim further right."), in_footer=False),
        Action("up", ("up",), N_("up"), N_("Aim further up."), in_footer=False),
        Action("down", ("down",), N_("down"), N_("Aim further down."), in_footer=False),
    )
    BINDINGS = bindings(ACTIONS)

    aim = Aim()
    theft: Theft | None = None
    moment: Moment | None = None
    told: tuple[Sequence[Line], Sequence[Line]] = ((), ())
    """What happened in this round, as it is told while a try is seen, and later."""
    fresh: tuple[frozenset[Spot], frozenset[tuple[Seat, Value]]] = (frozenset(), frozenset())

    # What is shown

    def take_up(self, scene: Scene) -> None:
        table: PublicState = scene.public
        robbing = scene.seat is not None and scene.may_act and table.phase is TurnPhase.STEAL
        if any(isinstance(event, Opened) for event in (*scene.skipped, *scene.events)):
            self.aim, self.moment = Aim(), None  # of the round before
        another = any(isinstance(event, Turned) for event in scene.events)
        earlier = None if another else self.theft
        self.theft = theft_from(table, scene.seat or 0, earlier) if robbing else None
        self.told = scene.lines(_done(scene.past)), scene.lines(_done(_recalled(scene)))
        self.fresh = changed(scene.since_last_turn())
        if scene.events:
            self.moment = _moment(scene)

    def motion(self, scene: Scene) -> Motion:
        tried = [event for event in scene.events if isinstance(event, Tried)]
        others = any(each.seat != scene.seat for each in tried)
        return Motion((REACHING,) if others else (), (LIFTING,) if tried else (), LOOKING)

    @classmethod
    def sketch(cls, canvas: Canvas, scene: Scene) -> None:
        told = scene.lines(_done(_recalled(scene)))
        drawing.draw(
            canvas, RenderModel(table=scene.public, seat=scene.seat, names=scene.names, told=told)
        )

    def draw(self, canvas: Canvas, scene: Scene) -> None:
        table: PublicState = scene.public
        looks = self.frame is not None and self.coming is None
        aim = self.aim
        if self.coming is not None:
            tried = (event for event in self.coming.events if isinstance(event, Tried))
            aim = Aim(each.spot) if (each := next(tried, None)) else aim
        lifts = looks and self.frame == 0
        aims = scene.seat is not None and table.phase is TurnPhase.TAKE
        drawing.draw(
            canvas,
            RenderModel(
                table=table,
                seat=scene.seat,
                names=scene.names,
                notes=scene.notes,
                bots=scene.bots,
                aim=aim if aims or self.coming is not None else None,
                theft=self.theft,
                moment=self.moment if looks else None,
                lifts=lifts,
                told=self.told[0 if looks else 1],
                fresh_spots=self.fresh[0],
                fresh_rings=self.fresh[1],
            ),
        )

    @property
    def question(self) -> str:
        scene = self.scene
        if scene is None or not scene.may_act:
            return ""
        table: PublicState = scene.public
        if self.theft is not None:
            return _("Theft: whom do you rob? A number points, Enter robs. 0 robs nobody.")
        if self.aim.row:
            return self._which_number
        sentence = _("A ring of {value} dollars: aim with arrows or type {spot}, Enter takes.")
        spot = self.aim.spot if self.aim.spot[0] != "F" else NOT_A_KEY
        return sentence.format(value=grouped(int(table.card or 0)), spot=spot)

    @property
    def _which_number(self) -> str:
        return _("{row}: which number? Esc: another row.").format(row=self.aim.row)

    def offers(self, action: str) -> bool:
        scene = self.scene
        if scene is None or not scene.may_act:
            return action in {"left", "right", "up", "down"}
        if action in {"rob", "decline"}:
            return self.theft is not None
        if action == "forget":
            return bool(self.aim.row)
        return action != "take" or self.theft is None

    def propose(self, move: Move) -> None:
        match move:
            case Take(spot):
                self.aim = Aim(spot)
            case Steal() | Decline() if self.theft is not None:
                self.theft = self.theft.pointing_at(move)
            case _:
                return
        self.redraw()

    # What the keys do

    def action_left(self) -> None:
        self._move(-1, 0)

    def action_right(self) -> None:
        self._move(1, 0)

    def action_up(self) -> None:
        self._move(0, -1)

    def action_down(self) -> None:
        self._move(0, 1)

    def _move(self, across: int, down: int) -> None:
        if self.scene is None:
            return
        if self.theft is not None:
            self.theft = self.theft.moved(across + down)
        elif aim := self.aim.moved(across, down, self.scene.public.board):
            self.aim = aim
        else:
            self.hint(_("No diamond lies further that way."))
        self.redraw()

    def clicked(self, what: int) -> None:
        """A spot, or from -1 down a line of the list."""
        if self.theft is not None and what < 0:
            self.theft = replace(self.theft, at=-1 - what)
        elif what >= 0:
            self.aim = Aim(SPOTS[what])

    def clicked_again(self, what: int) -> None:
        if self.theft is None and what >= 0:
            self.action_take()
        elif self.theft is not None and what < 0:
            self.action_rob()

    def typed(self, key: str, character: str) -> bool:
        """A spot such as C4, or the number of a ring to rob."""
        if self.theft is not None:
            return self._picked(character)
        aim = self.aim.typed(character)
        if aim is None:
            return False
        self.aim = aim
        if aim.row and not self.question:
            self.hint(self._which_number)
        self.redraw()
        return True

    def _picked(self, character: str) -> bool:
        if self.theft is None or not (character.isascii() and character.isdigit()):
            return False
        picked = self.theft.picked(int(character))
        if picked is None:
            self.hint(_("The list has no {number}.").format(number=character))
            return True
        self.theft = picked
        self.redraw()
        return True

    def action_decline(self) -> None:
        self.hint(_("There is no theft to decline now."))

    def action_take(self) -> None:
        self._play(Take(self.aim.spot))

    def action_rob(self) -> None:
        if self.theft is not None:
            self._play(self.theft.move)

    def action_forget(self) -> None:
        self.aim = replace(self.aim, row="")
        if not self.question:
            self.hint("")
        self.redraw()

    def _play(self, move: Move) -> None:
        scene = self.scene
        if scene is None or scene.seat is None:
            self.hint(_("You are only watching."))
        elif refusal := scene.rules.explain(scene.view, move):
            self.hint(scene.reason(refusal))
        else:
            self.decide(notate(move))


def _recalled(scene: Scene) -> list[Event]:
    """What may still be told once it is over (D-12)."""
    recalled = (scene.rules.recall(scene.public, event) for event in scene.past)
    return [event for event in recalled if event is not None]


def _done(past: Sequence[Event]) -> Sequence[Event]:
    """All but the card that lies open: that is seen."""
    return past[:-1] if past and isinstance(past[-1], Turned) else past


def _moment(scene: Scene) -> Moment | None:
    tried = [event for event in scene.events if isinstance(event, Tried)]
    return Moment(tried[-1].spot, tried[-1].loose, tried[-1].value) if tried else None
