"""The middle of a table of castles: draw, stop, buy, and what to give a witch."""

from collections.abc import Sequence
from typing import ClassVar

from msgspec.structs import replace

from diadem_client.board.canvas import Canvas
from diadem_client.board.drawn import DrawnPane
from diadem_client.board.pane import Scene
from diadem_client.games.castles import drawing
from diadem_client.games.castles.draft import Shopping, Toll, can_buy, sellers, toll_for
from diadem_client.games.castles.prompts import danger_question, ruin, still_to_mark
from diadem_client.games.castles.render_model import RenderModel
from diadem_client.games.castles.turns import gained
from diadem_client.i18n import N_
from diadem_client.i18n import gettext as _
from diadem_client.state.presentation import Motion
from diadem_client.ui.actions import Action, bindings
from diadem_client.wording.turns import Line
from diadem_shared.game import Event, Seat
from diadem_shared.games.castles import Castles
from diadem_shared.games.castles.editions import DANGER, SHIELD, Card
from diadem_shared.games.castles.refusals import CastlesCode
from diadem_shared.games.castles.table import (
    Bought,
    Buy,
    Draw,
    Drew,
    Move,
    Paid,
    Pay,
    PublicState,
    Shield,
    Shielded,
    Stop,
    TurnPhase,
)
from diadem_shared.refusals import Refusal

TURNING = (0.09, 0.09)
"""Seconds for which a card is seen from its back, and from its edge."""
TINTED = 0.4
"""Seconds for which the name of who has built a part is marked."""


def _actions(buy: str, shield: str, save: str) -> tuple[Action, ...]:
    return (
        Action("draw", ("d",), N_("draw"), N_("Draw a card.")),
        Action("stop", ("p",), N_("stop"), N_("Stop drawing; the next player goes on.")),
        Action("buy", ("b",), N_("buy"), buy),
        Action("shield", ("f",), shield, save),
        Action("mark", ("space",), N_("mark"), N_("Mark a card to give it up, or unmark it.")),
        Action("pay", ("enter",), N_("pay"), N_("Give up the cards that are marked.")),
        Action("choose", ("enter",), N_("buy"), N_("Buy from whom you point at.")),
        Action("unmark", ("escape",), N_("unmark"), N_("Mark none of the cards.")),
        Action("back", ("escape", "backspace"), N_("do not buy"), N_("Do not buy after all.")),
        Action("before", ("left", "up"), N_("before"), N_("The card before."), in_footer=False),
        Action("after", ("right", "down"), N_("after"), N_("The card after."), in_footer=False),
    )


class CastlesPane(DrawnPane):
    ACTIONS: ClassVar[tuple[Action, ...]] = _actions(
        N_("Buy a part of your castle for three diamonds."),
        N_("fairy"),
        N_("Let your fairy save you from the witch."),
    )
    BINDINGS = bindings(ACTIONS)

    toll: Toll | None = None
    shopping: Shopping | None = None
    card: Card | None = None
    """The one that was to be seen last, until another is or a round begins."""
    told: Sequence[Line] = ()
    fresh: frozenset[tuple[Seat, Card]] = frozenset()
    """What came to whom since the player's last turn."""
    ruin: str = ""
    """Why the player's last turn was over at once, if it was."""
    _earlier: Toll | None = None
    _built: frozenset[Seat] = frozenset()
    """Who has built with what happened last."""

    # What is shown

    def show(self, scene: Scene) -> None:
        self._built = self._builders(scene) if scene.events else frozenset()
        super().show(scene)

    def take_up(self, scene: Scene) -> None:
        table: PublicState = scene.public
        self.toll = None
        if scene.may_act and table.phase is TurnPhase.DANGER:
            self.toll = toll_for(table.mover, self._earlier)
        self._earlier = self.toll
        if not (scene.may_act and table.phase is TurnPhase.OPEN):
            self.shopping = None
        if not any((table.drawn, table.aside, *(each.cards for each in table.holdings))):
            self.card = None  # of the round before
        if self.card is None and table.drawn:
            self.card = table.drawn[-1]
        if scene.events:
            self.card = _card_in(scene.events)
        self.told, self.fresh = scene.lines(), gained(scene.since_last_turn())
        self.ruin = ruin(scene)

    def motion(self, scene: Scene) -> Motion:
        """A card that is drawn turns over; who has built is marked."""
        turns = any(isinstance(event, Drew) for event in scene.events)
        grows = self._builders(scene)
        return Motion(TURNING if turns else (), (TINTED,) if grows else ())

    def _builders(self, scene: Scene) -> frozenset[Seat]:
        """Whose building has more parts now."""
        if self.scene is None:
            return frozenset()
        pairs = zip(self.scene.public.holdings, scene.public.holdings, strict=False)
        return frozenset(
            seat for seat, (old, new) in enumerate(pairs) if len(new.castle) > len(old.castle)
        )

    @classmethod
    def sketch(cls, canvas: Canvas, scene: Scene) -> None:
        drawing.draw(
            canvas, replace(_model(scene), told=scene.lines(), card=_card_in(scene.events))
        )

    def draw(self, canvas: Canvas, scene: Scene) -> None:
        model = replace(
            _model(scene),
            told=self.told,
            card=self.card,
            fresh=self.fresh,
            turning=self.frame if self.coming is not None else None,
            tinted=self._built if self.frame is not None and self.coming is None else frozenset(),
            toll=self.toll,
            shopping=self.shopping,
        )
        drawing.draw(canvas, model)

    @property
    def question(self) -> str:
        if self.scene is None:
            return ""
        if not self.scene.may_act:
            return self.ruin
        table: PublicState = self.scene.public
        pirates = self.scene.game == "piratatak"
        if self.shopping is not None:
            return _("From whom do you buy? Choose a number, then press Enter.")
        match table.phase:
            case TurnPhase.OPEN:
                return (
                    _("Draw a card (D) or buy one (B)?")
                    if can_buy(table, table.turn)
                    else _("Draw a card: D.")
                )
            case TurnPhase.DRAWN:
                return _("Draw on (D) or stop (P)?")
            case TurnPhase.DANGER:
                return danger_question(table, self.toll, pirates=pirates)
            case TurnPhase.OVER:
                return ""

    def offers(self, action: str) -> bool:
        scene = self.scene
        if scene is None or not scene.may_act:
            return False
        if self.shopping is not None:
            return action in {"choose", "back", "before", "after"}
        table: PublicState = scene.public
        match table.phase:
            case TurnPhase.OPEN:
                return action == "draw" or (action == "buy" and can_buy(table, table.turn))
            case TurnPhase.DRAWN:
                return action in {"draw", "stop"}
            case TurnPhase.DANGER:
                return self._may_pay(action, table)
            case TurnPhase.OVER:
                return False

    def _may_pay(self, action: str, table: PublicState) -> bool:
        toll = self.toll
        if toll is None or action == "shield":
            return toll is not None and table.mover.shielded
        if action == "pay":
            return toll.complete
        if action == "unmark":
            return toll.marked > 0
        return action in {"mark", "before", "after"}

    # What the keys do

    def uses(self, action: Action) -> bool:
        return action.id != "mark" or self.toll is not None

    def action_draw(self) -> None:
        self._play(Draw())

    def action_stop(self) -> None:
        self._play(Stop())

    def action_shield(self) -> None:
        self._play(Shield())

    def action_buy(self) -> None:
        scene = self.scene
        if scene is None or scene.seat is None:
            return
        found = sellers(scene.public, scene.seat)
        if self.shopping is not None and len(found) > 1:
            return  # the list is open, perhaps at whom a hint has named
        if len(found) > 1 and self._against(Buy(found[0])) is None:
            self.shopping = Shopping(tuple(found))
            self.redraw()
            return
        others = (seat for seat in range(len(scene.names)) if seat != scene.seat)
        move = Buy(found[0] if found else next(others))
        against = self._against(move)
        if not found and against is not None and against.code == CastlesCode.SELLER_HAS_NONE:
            self.hint(_("Nobody has a part of yours in reserve. Draw instead."))
            return
        self._play(move)

    def propose(self, move: Move) -> None:
        """Cards are marked, and the list of sellers is opened at the one that is meant, even if there is no other."""
        scene, self.shopping = self.scene, None
        match move:
            case Pay(cards) if self.toll is not None:
                self.toll = self._earlier = self.toll.marking(cards)
            case Buy(seller) if scene is not None and scene.seat is not None and scene.may_act:
                found = tuple(sellers(scene.public, scene.seat))
                if seller in found:
                    self.shopping = Shopping(found, found.index(seller))
            case _:
                pass
        self.redraw()

    def action_mark(self) -> None:
        if self.toll is None:
            return
        toggled = self.toll.toggled()
        if toggled is None:
            self.hint(_("Enough cards are marked. Unmark one first, or press Enter."))
            return
        self.toll = self._earlier = toggled
        self.redraw()

    def action_choose(self) -> None:
        if self.shopping is not None:
            self._play(Buy(self.shopping.seller))

    def action_pay(self) -> None:
        if self.toll is None:
            self.hint(self.question or _("It is not your turn."))
        elif self.toll.complete:
            self._play(self.toll.move)
        else:
            self.hint(still_to_mark(self.toll))

    def action_unmark(self) -> None:
        if self.toll is not None:
            self.toll = self._earlier = self.toll.emptied()
            self.redraw()

    def action_back(self) -> None:
        if self.shopping is None:
            self.hint(_("There is nothing to go back from."))
            return
        self.shopping = None
        self.redraw()

    def action_before(self) -> None:
        self._point(-1)

    def action_after(self) -> None:
        self._point(1)

    def _point(self, by: int) -> None:
        if self.shopping is not None:
            self.shopping = self.shopping.pointing(by)
        elif self.toll is not None:
            self.toll = self._earlier = self.toll.pointing(by)
        else:
            self.hint(_("There is nothing to choose now."))
            return
        self.redraw()

    def typed(self, key: str, character: str) -> bool:
        """Digits and letters are cards to mark, or sellers."""
        if self.shopping is not None and character.isdecimal():
            self.shopping = self.shopping.pointing_at(int(character)) or self.shopping
            self.redraw()
            return True
        pointing = self.toll.pointing_at(character.lower()) if self.toll and character else None
        if pointing is None:
            return False
        self.toll = pointing
        self.action_mark()
        self.redraw()
        return True

    def clicked(self, what: int) -> None:
        """The deck, or a line of the list."""
        if what == drawing.DECK:
            if self.offers("draw"):
                self.hint(_("Tap once more to draw a card."))
        elif self.shopping is not None and what < len(self.shopping.sellers):
            self.shopping = replace(self.shopping, at=what)
        elif self.toll is not None and what < len(self.toll.kinds):
            self.toll = replace(self.toll, at=what)
            self.action_mark()

    def clicked_again(self, what: int) -> None:
        if what != drawing.DECK:
            self.action_choose()
        elif self.offers("draw"):
            self.action_draw()

    # The rest

    def _play(self, move: Move) -> None:
        scene = self.scene
        if scene is None or scene.seat is None:
            self.hint(_("You are only watching."))
            return
        if refusal := self._against(move):
            asks = refusal.code == CastlesCode.DANGER_WAITS
            self.hint(self.question if asks else scene.reason(refusal))
            return
        self.decide(scene.rules.notate(move))
        self.redraw()

    def _against(self, move: Move) -> Refusal | None:
        scene = self.scene
        assert scene is not None  # noqa: S101 - asked only while one is shown
        return scene.rules.explain(scene.view, move)


class ShipsPane(CastlesPane, inherit_bindings=False):
    ACTIONS: ClassVar[tuple[Action, ...]] = _actions(
        N_("Buy a part of your ship for three gold coins."),
        N_("cannon"),
        N_("Let your cannon save you from the pirate."),
    )
    BINDINGS = bindings(ACTIONS)


def _model(scene: Scene) -> RenderModel:
    game = scene.rules
    assert isinstance(game, Castles)  # noqa: S101 - what this pane is registered for
    return RenderModel(
        table=scene.public,
        edition=game.edition,
        seat=scene.seat,
        names=scene.names,
        notes=scene.notes,
        bots=scene.bots,
    )


def _card_in(events: Sequence[Event]) -> Card | None:
    """The last one that was to be seen."""
    return next(filter(None, map(_card_of, reversed(events))), None)


def _card_of(event: Event) -> Card | None:
    match event:
        case Drew(card=card) | Bought(card=card):
            return card
        case Shielded():
            return SHIELD
        case Paid():
            return DANGER
        case _:
            return None
