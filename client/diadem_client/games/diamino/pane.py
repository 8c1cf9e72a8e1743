"""The middle of a table of Diamino: tiles are set down by their letters, checked as they lie."""

from collections import deque
from collections.abc import Mapping
from random import SystemRandom
from typing import Any, ClassVar

from diadem.games.diamino.board import EMPTY, Board
from diadem.games.diamino.notation import notate
from diadem.games.diamino.refusals import LayingCode
from diadem.games.diamino.table import (
    Accept,
    Exchange,
    Give,
    Laid,
    Lay,
    Move,
    Object,
    Pass,
    Passed,
    Pending,
    PublicState,
    PutBack,
    TurnPhase,
)
from diadem.games.diamino.tiles import JOKER, sorted_hand
from diadem.refusals import Refusal
from diadem_client.board.canvas import Canvas, in_ascii
from diadem_client.board.drawn import DrawnPane
from diadem_client.board.pane import Scene
from diadem_client.games.diamino import drawing, opinion, verdicts
from diadem_client.games.diamino.draft import Draft, Hitch, Parcel, new_draft
from diadem_client.games.diamino.opinion import Opinion, Standing
from diadem_client.games.diamino.verdicts import HITCHES
from diadem_client.i18n import N_, listed, ngettext
from diadem_client.i18n import gettext as _
from diadem_client.ui.actions import Action, bindings

NEWS = 12
ACTIONS = (
    Action("lay", ("enter",), N_("lay"), N_("Lay the word, or do what is asked.")),
    Action("turn", ("space",), N_("turn"), N_("Lay across, or down.")),
    Action("shuffle", ("1",), N_("shuffle"), N_("Shuffle the tiles of your hand.")),
    Action("pass", ("2",), N_("pass"), N_("Lay nothing this time; you are asked again.")),
    Action("take_back", ("3",), N_("take back"), N_("Take all tiles of your draft back.")),
    Action("exchange", ("4",), N_("exchange"), N_("Exchange tiles with the reserve.")),
    Action("sort", ("5",), N_("sort"), N_("Sort the tiles of your hand."), in_footer=False),
    Action("joker", ("full_stop",), N_("joker"), N_("Lay the next letter with a joker.")),
    Action(
        "accept", ("plus",), N_("accept"), N_("Accept the word that is judged."), in_footer=False
    ),
    Action(
        "object",
        ("minus",),
        N_("object"),
        N_("Object to the word that is judged."),
        in_footer=False,
    ),
    Action(
        "last_back", ("backspace",), N_("undo"), N_("Take the last tile back."), in_footer=False
    ),
    Action("here_back", ("delete",), N_("remove"), N_("Take the tile here back."), in_footer=False),
    Action("up", ("up",), N_("up"), N_("Go up."), in_footer=False),
    Action("down", ("down",), N_("down"), N_("Go down."), in_footer=False),
    Action("left", ("left",), N_("left"), N_("Go left."), in_footer=False),
    Action("right", ("right",), N_("right"), N_("Go right."), in_footer=False),
)


class DiaminoPane(DrawnPane):
    ACTIONS: ClassVar[tuple[Action, ...]] = ACTIONS
    BINDINGS = bindings(ACTIONS)

    draft: Draft | None = None
    parcel: Parcel | None = None
    opinion = Opinion()
    doubtful: Pass | Give | None = None
    """What the player is asked about once more before it is done."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - as every widget calls it
        super().__init__(id=id)
        self.news: deque[str] = deque(maxlen=NEWS)
        self._fresh: frozenset[int] = frozenset()
        self._board: Board | None = None
        self._goes_on = False
        """Whether the next play is marked beside those that are: all since the own last turn are."""

    # What is shown

    def take_up(self, scene: Scene) -> None:
        table: PublicState = scene.public
        hand = scene.view.private.tiles if scene.view.private else ""
        self._remember(scene, table)
        self.doubtful = None
        self.parcel = self._parcel_for(scene, table, hand)
        if scene.view.private is None:
            self.draft = None
            return
        earlier, self.draft = (
            self.draft,
            (self.draft or new_draft(table.board, hand)).seen(table.board, hand),
        )
        if table.phase is TurnPhase.OVER:
            self.draft = self.draft.emptied()
        if earlier != self.draft or self.opinion.standing is not Standing.OK:
            self._weigh()

    @classmethod
    def sketch(cls, canvas: Canvas, scene: Scene) -> None:
        hand = sorted_hand(scene.view.private.tiles) if scene.view.private else ""
        sight = drawing.Sight(
            table=scene.public,
            seat=scene.seat,
            names=scene.names,
            actors=scene.actors,
            draft=None,
            news=[" ".join([_("Hand"), *hand])] if hand else (),
        )
        drawing.draw(canvas, sight)

    def draw(self, canvas: Canvas, scene: Scene) -> None:
        drawing.draw(
            canvas,
            drawing.Sight(
                table=scene.public,
                seat=scene.seat,
                names=scene.names,
                actors=scene.actors,
                draft=self.draft,
                opinion=self.opinion,
                notes=scene.notes,
                scores=scene.scores,
                total=verdicts.total(self.opinion, scene.public),
                verdict=verdicts.lines(self.opinion, scene.public, scene.game),
                parcel=self.parcel,
                fresh=self._fresh,
                news=self.news,
            ),
        )

    @property
    def question(self) -> str:
        scene = self.scene
        if scene is None or scene.seat is None:
            return ""
        table: PublicState = scene.public
        if self.doubtful is not None:
            return (
                _("Pass? Enter passes, any other key does not.")
                if isinstance(self.doubtful, Pass)
                else _("Keep all your tiles? Enter keeps them; a letter marks one to give back.")
            )
        if self.parcel is not None and table.phase is TurnPhase.GIVE:
            sentence = ngettext(
                "Red devil: you may give {most} tile back. Its letter marks it, Enter goes on.",
                "Red devils: you may give {most} tiles back. Letters mark them, Enter goes on.",
                self.parcel.most,
            )
            return sentence.format(most=self.parcel.most)
        if self.parcel is not None:
            return _("Exchange: letters mark tiles, Enter exchanges them, 4 keeps them all.")
        if not scene.may_act:
            return ""
        if table.phase is TurnPhase.JUDGE and table.pending:
            return _question_of_judges(scene, table, table.pending)
        if table.refused:
            return _("Your last try: lay another word, or pass (2).")
        return _("Your turn: lay a word.")

    def judged(self, draft: Mapping[str, str], verdict: Any) -> None:
        if self.draft is not None and self.draft.by_field == dict(draft):
            self.opinion = opinion.of_server(self.opinion, verdict)
            self.redraw()

    def refused(self, refusal: Refusal) -> None:
        if (
            self.draft is not None
            and self.draft.placed
            and refusal.code == LayingCode.UNKNOWN_WORDS
        ):
            self.opinion = Opinion(Standing.NO, self.opinion.legal, (refusal,))
            self.redraw()

    # Keys that move and turn

    def action_up(self) -> None:
        self._move(0, -1)

    def action_down(self) -> None:
        self._move(0, 1)

    def action_left(self) -> None:
        self._move(-1, 0)

    def action_right(self) -> None:
        self._move(1, 0)

    def _move(self, across: int, down: int) -> None:
        if self.draft is not None:
            self.draft = self.draft.moved(across, down)
        self.redraw()

    def action_turn(self) -> None:
        if self.draft is not None:
            self.draft = self.draft.turned()
        self.redraw()

    def clicked(self, what: int) -> None:
        """A field: the cursor goes there, or turns if it is there already."""
        if self.draft is not None:
            here = self.draft.cursor == what
            self.draft = self.draft.turned() if here else self.draft.at(what)

    # Keys that set down and take back

    def typed(self, key: str, character: str) -> bool:
        """Letters are tiles; any key but Enter lets be what was asked about once more."""
        if self.doubtful is not None and key != "enter":
            passed, self.doubtful = isinstance(self.doubtful, Pass), None
            self.redraw()
            if passed and key == "2":
                return True
        letter = in_ascii(character).upper()
        if len(letter) == 1 and "A" <= letter <= "Z":
            self._letter(letter)
            return True
        return False

    def _letter(self, letter: str) -> None:
        if self.parcel is not None:
            self._mark(letter)
        elif self.draft is not None and not self._is_too_late():
            self._take_on(self.draft.with_letter(letter), letter)

    def action_joker(self) -> None:
        if self.parcel is not None:
            self._mark(JOKER)
        elif self.draft is not None and not self._is_too_late():
            self._take_on(self.draft.with_joker())
            if self.draft.joker:
                self.hint(_("A joker: type the letter that it stands for."))

    def action_last_back(self) -> None:
        if self.parcel is not None:
            self.parcel = self.parcel.without_last()
            self.redraw()
        elif self.draft is not None:
            self._take_on(self.draft.without_last())

    def action_here_back(self) -> None:
        if self.draft is not None:
            self._take_on(self.draft.without_here())

    def action_take_back(self) -> None:
        if self.draft is not None:
            hitch = None if self.draft.placed else Hitch.NOTHING_LAID
            self._take_on((self.draft.emptied(), hitch))

    def _take_on(self, changed: tuple[Draft, Hitch | None], letter: str = "") -> None:
        before, (self.draft, hitch) = self.draft, changed
        if hitch is not None:
            self.hint(_(HITCHES[hitch]).format(letter=letter))
        if before is None or before.placed != self.draft.placed:
            self._weigh()
            self.post_message(self.Asked(self.question))  # what was said of other tiles is over
        self.redraw()

    def _weigh(self) -> None:
        """Judge the shape here, and have the words looked up."""
        if self.draft is None or self.scene is None:
            return
        self.opinion = opinion.of_shape(self.draft, self.scene.public)
        if self.opinion.standing is Standing.ASKING:
            self.post_message(self.DraftChanged(self.draft.by_field))

    # The hand

    def action_shuffle(self) -> None:
        if self.draft is not None:
            tiles = list(self.draft.order)
            SystemRandom().shuffle(tiles)
            self.draft = self.draft.arranged("".join(tiles))
        self.redraw()

    def action_sort(self) -> None:
        if self.draft is not None:
            self.draft = self.draft.arranged(sorted_hand(self.draft.order))
        self.redraw()

    def _mark(self, tile: str) -> None:
        assert self.parcel is not None  # noqa: S101 - asked by the callers
        marked = self.parcel.toggled(tile)
        if marked is None:
            held = tile in self.parcel.hand
            self.hint(_("You may not mark more.") if held else _("You have no such tile."))
            return
        self.parcel = marked
        self.post_message(self.Asked(self.question))
        self.redraw()

    # Keys that make a move

    def action_lay(self) -> None:
        scene = self.scene
        if self.doubtful is not None:
            self._play(self.doubtful)
        elif self.parcel is not None and scene is not None:
            tiles = sorted_hand(self.parcel.marked)
            if scene.public.phase is not TurnPhase.GIVE:
                self._play(Exchange(tiles))
            elif tiles:
                self._play(Give(tiles))
            else:
                self.doubtful = Give("")
                self.redraw()
        elif self.opinion.standing is Standing.NO and scene is not None:
            self.hint(verdicts.refused(self.opinion, scene.game))
        elif self.opinion.legal is None:
            if not self._hinders(Pass()):
                self.hint(_("Nothing is laid yet: letters set tiles down, 2 passes."))
        else:
            self._play(Lay(self.opinion.legal.play))

    def action_pass(self) -> None:
        if self._hinders(Pass()):
            return
        self.doubtful = Pass()
        self.redraw()

    def action_exchange(self) -> None:
        scene = self.scene
        if self.parcel is not None and scene is not None and scene.public.phase is TurnPhase.PLAY:
            self.parcel = None
        elif self.draft is not None and scene is not None:
            if not self.draft.hand or self._hinders(Exchange(self.draft.hand[0])):
                return
            self.draft = self.draft.emptied()
            self._weigh()
            self.parcel = Parcel(self.draft.hand, scene.public.reserve)
        self.redraw()

    def action_accept(self) -> None:
        self._play(Accept())

    def action_object(self) -> None:
        self._play(Object())

    def _play(self, move: Move) -> None:
        if not self._hinders(move):
            self.post_message(self.Played(notate(move)))

    def _is_too_late(self) -> bool:
        """A word may be prepared while others think, but not after the round; say so."""
        over = self.scene is not None and self.scene.public.phase is TurnPhase.OVER
        return over and self._hinders(Pass())

    def _hinders(self, move: Move) -> bool:
        """Say why not, if something speaks against it; words are left to the server."""
        scene = self.scene
        if scene is None or scene.seat is None:
            self.hint(_("You are only watching."))
            return True
        ours = move if not isinstance(move, Lay) else Pass()
        if refusal := scene.rules.explain(scene.view, ours):
            self.hint(scene.reason(refusal))
            return True
        return False

    # The rest

    def _parcel_for(self, scene: Scene, table: PublicState, hand: str) -> Parcel | None:
        if not scene.may_act or table.phase not in (TurnPhase.GIVE, TurnPhase.PLAY):
            return None
        if table.phase is TurnPhase.GIVE:
            return (self.parcel or Parcel(hand, table.owed)).seen(hand, table.owed)
        return self.parcel.seen(hand, table.reserve) if self.parcel else None

    def _remember(self, scene: Scene, table: PublicState) -> None:
        events = (*scene.skipped, *scene.events)
        self.news.extend(scene.sentences(events))
        before, self._board = self._board, table.board
        if before is None or before.layout != table.board.layout:
            self._fresh = frozenset()
        elif before != table.board:
            now = enumerate(zip(before.letters, table.board.letters, strict=True))
            new = frozenset(at for at, (old, new) in now if new not in {old, EMPTY})
            self._fresh = self._fresh | new if self._goes_on else new
            self._goes_on = scene.seat is not None
        if any(isinstance(e, Laid | Passed | PutBack) and e.seat == scene.seat for e in events):
            self._goes_on = False


def _question_of_judges(scene: Scene, table: PublicState, pending: Pending) -> str:
    """Who has accepted is asked anew once somebody objects, and is told so."""
    words = listed(map(opinion.word_of, pending.runs))
    against = [scene.names[seat] for seat, accepts in enumerate(table.votes) if accepts is False]
    if against:
        sentence = _("Against {words}: {names}. Now all vote: + accepts, - objects.")
        return sentence.format(words=words, names=listed(against))
    sentence = _("{name} lays {words}: + accepts, - objects.")
    return sentence.format(name=scene.names[table.turn], words=words)
