"""The keys with which a word of Diamino is tried: going about, setting down, taking back, the hand."""

from random import shuffle

from msgspec.structs import replace
from textual.events import Paste

from diadem_client.board.drawn import DrawnPane
from diadem_client.board.pane import guarded
from diadem_client.games.diamino import opinion
from diadem_client.games.diamino.draft import Draft, Hitch, Parcel
from diadem_client.games.diamino.opinion import Opinion, Standing
from diadem_client.games.diamino.rack_drawing import PLACES
from diadem_client.games.diamino.spelling import pasted
from diadem_client.games.diamino.verdicts import HITCHES
from diadem_client.i18n import gettext as _
from diadem_shared.games.diamino.table import Exchange, Give, Lay, Move, Pass, TurnPhase
from diadem_shared.games.diamino.tiles import JOKER, sorted_hand


class DraftingPane(DrawnPane):
    draft: Draft | None = None
    parcel: Parcel | None = None
    opinion = Opinion()

    @property
    def is_covered(self) -> bool:
        """Whether something lies over the board, so that nothing can be set down there."""
        return False

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
        """A tile of the rack is laid or marked; on a field the cursor goes there, or turns; a tile of
        the draft comes back."""
        draft = self.draft
        if draft is None or self.is_covered:
            return
        if what >= PLACES:
            tile = draft.order[what - PLACES :][:1]
            if tile == JOKER:
                self.action_joker()
            elif tile:
                self._letter(tile)
        elif draft.cursor != what:
            self.draft = draft.at(what)
        elif what in draft.tiles:
            self.action_here_back()
        else:
            self.draft = draft.turned()

    # Keys that set down and take back

    @guarded
    def on_paste(self, event: Paste) -> None:
        """A word is laid letter by letter, as far as it goes."""
        event.stop()
        self.catch_up()
        if self.draft is None or self.is_covered or self._is_too_late():
            return
        word, hitch = pasted(event.text), None
        if not word:
            self.hint(_("Only a single word can be pasted here, of letters alone."))
        elif self.parcel is not None:
            for letter in word:
                self._mark(letter)
        else:
            draft, letter = self.draft, ""
            for letter in word:
                draft, hitch = draft.with_letter(letter)
                if hitch is not None:
                    break
            self._take_on((draft, hitch), letter)

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

    action_unmark = action_last_back

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
            self.ask()  # what was said of other tiles is over
        self.redraw()

    def propose(self, move: Move) -> None:
        scene = self.scene
        match move:
            case Lay(play) if self.draft is not None:
                self.parcel, self.draft = None, self.draft.laying(play)
                self._weigh()
            case Exchange(tiles) if self.draft is not None and scene is not None:
                self.draft = self.draft.emptied()
                self.parcel = Parcel(self.draft.hand, scene.public.reserve, tiles)
            case Give(tiles) if self.parcel is not None:
                self.parcel = replace(self.parcel, marked=tiles)
            case _:
                return
        self.redraw()

    def _weigh(self) -> None:
        """Judge the shape here, and have the words looked up."""
        if self.draft is None or self.scene is None:
            return
        self.opinion = opinion.of_shape(self.draft, self.scene.public)
        if self.opinion.standing is Standing.ASKING and self.listener is not None:
            self.listener.try_out(self.draft.by_field)

    # The hand

    def action_shuffle(self) -> None:
        if self.draft is not None:
            tiles = list(self.draft.order)
            shuffle(tiles)
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
        self.ask()
        self.redraw()

    # Whether it may be

    def _is_too_late(self) -> bool:
        """A word may be prepared while others think, but not after the round; say so."""
        over = self.scene is not None and self.scene.public.phase is TurnPhase.OVER
        return over and self.hinders(Pass())

    def hinders(self, move: Move) -> bool:
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
