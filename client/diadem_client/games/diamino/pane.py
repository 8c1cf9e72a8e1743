"""The middle of a table of Diamino: tiles are set down by their letters, checked as they lie."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from diadem_client.board.canvas import Canvas, Rect
from diadem_client.board.pane import Scene
from diadem_client.games.diamino import drawing, history, keys, opinion, prompts, sheet, verdicts
from diadem_client.games.diamino.board_drawing import GLOW
from diadem_client.games.diamino.draft import Parcel, new_draft
from diadem_client.games.diamino.drafting import DraftingPane
from diadem_client.games.diamino.keys import Mode
from diadem_client.games.diamino.opinion import Opinion, Standing
from diadem_client.games.diamino.sheet import Sheet
from diadem_client.games.diamino.spelling import letters_of
from diadem_client.games.diamino.unseen import unseen
from diadem_client.i18n import gettext as _
from diadem_client.state.presentation import STILL, Motion
from diadem_client.ui.actions import Action, bindings
from diadem_shared.games.diamino.board import Board
from diadem_shared.games.diamino.notation import notate
from diadem_shared.games.diamino.refusals import LayingCode
from diadem_shared.games.diamino.table import (
    Accept,
    Exchange,
    Give,
    Laid,
    Lay,
    Move,
    Object,
    Opened,
    Pass,
    PublicState,
    TurnPhase,
)
from diadem_shared.games.diamino.tiles import JOKER, sorted_hand
from diadem_shared.refusals import Refusal

GLOWING = 0.12
"""Seconds of each step in which the tiles of a play light up."""


class DiaminoPane(DraftingPane):
    ACTIONS: ClassVar[tuple[Action, ...]] = keys.ACTIONS
    BINDINGS = bindings((*keys.ACTIONS, keys.LEAVE, *keys.SCROLL))

    doubtful: prompts.Doubtful | None = None
    """What the player is asked about once more before it is done."""
    sheet: Sheet | None = None
    """The score sheet, while it lies over the board."""
    shows_unseen = False
    told: Sequence[history.Item] = ()
    """What happened in this round, the newest last."""
    fresh: frozenset[int] = frozenset()
    """The squares of the last plays."""
    _situation: keys.Situation | None = None
    """The one that the footer was told of last."""

    # What is shown

    def take_up(self, scene: Scene) -> None:
        table: PublicState = scene.public
        hand = scene.view.private.tiles if scene.view.private else ""
        self.told = history.items(scene)
        self.fresh = history.marked(scene.past, scene.seat, table.board.layout)
        if self._begins_anew(scene, table.board):
            self.draft, self.parcel, self.sheet, self.opinion = None, None, None, Opinion()
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
        if earlier != self.draft or self.opinion.standing not in {Standing.OK, Standing.OPEN}:
            self._weigh()

    def _begins_anew(self, scene: Scene, board: Board) -> bool:
        """Another round: nothing of the last one is half made any more."""
        fewer = self.draft is not None and board.is_empty and not self.draft.board.is_empty
        events = (*scene.skipped, *scene.events)
        return fewer or any(isinstance(event, Opened) for event in events)

    def motion(self, scene: Scene) -> Motion:
        laid = any(isinstance(event, Laid) for event in scene.events)
        return Motion(after=(GLOWING,) * len(GLOW)) if laid else STILL

    @classmethod
    def sketch(cls, canvas: Canvas, scene: Scene) -> None:
        hand = sorted_hand(scene.view.private.tiles) if scene.view.private else ""
        model = drawing.RenderModel(
            table=scene.public,
            seat=scene.seat,
            names=scene.names,
            actors=scene.actors,
            draft=None,
            history=[history.Item(" ".join([_("Hand"), *hand]))] if hand else (),
        )
        drawing.draw(canvas, model)

    def draw(self, canvas: Canvas, scene: Scene) -> None:
        hand = scene.view.private.tiles if scene.view.private else ""
        drawing.draw(
            canvas,
            drawing.RenderModel(
                table=scene.public,
                seat=scene.seat,
                names=scene.names,
                actors=scene.actors,
                draft=self.draft,
                opinion=self.opinion,
                notes=scene.notes,
                bots=scene.bots,
                scores=scene.scores,
                total=verdicts.total(self.opinion, scene.public),
                verdict=verdicts.lines(self.opinion, scene.public, scene.game),
                parcel=self.parcel,
                fresh=self.fresh,
                glowing=self._glowing(scene) if self.frame is not None else frozenset(),
                glow=GLOW[(self.frame or 0) % len(GLOW)],
                history=self.told,
                unseen=unseen(scene.public, hand, scene.seat) if self.shows_unseen else None,
            ),
        )
        if self.sheet is not None:
            area = self._sheet_area(canvas.talk)
            canvas.fill(Rect(0, 0, area.x + area.width + 1, canvas.height), "bg")
            sheet.draw(canvas, scene, self.sheet, area)

    @staticmethod
    def _glowing(scene: Scene) -> frozenset[int]:
        """Where tiles were laid last."""
        laid = next((event for event in reversed(scene.past) if isinstance(event, Laid)), None)
        squares = map(scene.public.board.layout.square, laid.fields if laid else ())
        return frozenset(square for square in squares if square is not None)

    @property
    def is_covered(self) -> bool:
        return self.sheet is not None

    def _sheet_area(self, talk: Rect | None) -> Rect:
        """All of the pane, or what lies left of log and chat."""
        room = self.size.width if talk is None else talk.x - 1
        return Rect(1, 0, room - 2, self.size.height)

    def offer_anew(self) -> None:
        before, self._situation = self._situation, self.situation
        if before != self._situation:
            self.offer(self._situation)

    @property
    def question(self) -> str:
        return prompts.question(self.scene, self.doubtful, self.parcel)

    def judged(self, draft: Mapping[str, str], verdict: Any) -> None:
        if self.draft is not None and self.draft.by_field == dict(draft):
            self.opinion = opinion.of_server(self.opinion, verdict)
            self.redraw()

    def refused(self, refusal: Refusal) -> None:
        super().refused(refusal)
        if (
            self.draft is not None
            and self.draft.placed
            and refusal.code == LayingCode.UNKNOWN_WORDS
        ):
            self.opinion = Opinion(Standing.NO, self.opinion.legal, (refusal,))
            self.redraw()

    # Which keys do something now

    @property
    def mode(self) -> Mode:
        scene = self.scene
        if self.sheet is not None:
            return Mode.READING
        if scene is None or scene.seat is None or scene.public.phase is TurnPhase.OVER:
            return Mode.WATCHING
        if self.doubtful is not None:
            return Mode.ASKED
        if self.parcel is not None:
            giving = scene.public.phase is TurnPhase.GIVE
            return Mode.GIVING if giving else Mode.EXCHANGING
        if not scene.may_act:
            return Mode.PREPARING
        return Mode.VOTING if scene.public.phase is TurnPhase.JUDGE else Mode.PLAYING

    @property
    def situation(self) -> keys.Situation:
        draft, table = self.draft, self.scene.public if self.scene else None
        return keys.Situation(
            mode=self.mode,
            drafted=draft is not None and bool(draft.placed),
            jokers=draft is not None and JOKER in draft.remaining,
            marked=self.parcel is not None and bool(self.parcel.marked),
            may_exchange=table is not None and table.reserve > 0 and not table.refused,
            shows_unseen=self.shows_unseen,
            turns=self._turns,
        )

    def uses(self, action: Action) -> bool:
        return action.id != "turn" or self._turns

    @property
    def _turns(self) -> bool:
        """Whether Space turns the word; if none is laid, it hurries what is still to be shown."""
        waits = self.showing is not None and self.showing.is_behind
        return self.draft is not None and (bool(self.draft.placed) or not waits)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Nobody is offered what can only be refused; pressed all the same, it is still answered."""
        if action in keys.IDS:
            return (self._situation or self.situation).offers(action)
        return super().check_action(action, parameters)

    # Keys that are letters, or nothing

    def typed(self, key: str, character: str) -> bool:
        """Letters are tiles; any key but Enter lets be what was asked about once more."""
        if self.sheet is not None:
            return self._read(key)
        if self.doubtful is not None and key != "enter":
            passed, self.doubtful = isinstance(self.doubtful, Pass), None
            self.redraw()
            if key == "escape" or (passed and key == "2"):
                return True
        if key == "escape":
            return self._leave()
        letters = letters_of(character)
        for letter in letters:
            self._letter(letter)
        if not letters and character.isalpha() and self.draft is not None:
            self.hint(_("There is no tile for {sign}.").format(sign=character))
            return True
        return bool(letters)

    # What lies beside or over the board

    def action_unseen(self) -> None:
        self.shows_unseen = not self.shows_unseen
        self.redraw()

    def action_sheet(self) -> None:
        self.sheet = Sheet() if self.sheet is None else None
        self.redraw()

    def _read(self, key: str) -> bool:
        """Whether a key is one of the score sheet's: letters and digits do nothing under it."""
        assert self.sheet is not None  # noqa: S101 - asked by the caller
        area = self._sheet_area(self.talk)
        page = area.height - sheet.HEAD - sheet.FOOT
        by = {
            "up": 1,
            "down": -1,
            "pageup": page,
            "pagedown": -page,
            "home": 10_000,
            "end": -10_000,
        }
        if key in by and self.scene is not None:
            self.sheet = self.sheet.scrolled(by[key], self.scene, area)
        elif key in {"escape", "enter", "7", "q"}:
            self.sheet = None
        elif len(key) > 1 and key not in keys.NAMES:
            return False
        self.redraw()
        return True

    def action_scroll_up(self) -> None:
        self._read("up")

    def action_scroll_down(self) -> None:
        self._read("down")

    def action_leave_it(self) -> None:
        self.typed("escape", "")

    def _leave(self) -> bool:
        """Esc leaves an exchange, and what lies beside the board; giving back has to be answered."""
        if self.mode is Mode.EXCHANGING:
            self.parcel = None
        elif self.shows_unseen:
            self.shows_unseen = False
        else:
            return False
        self.redraw()
        return True

    # Keys that make a move

    def action_lay(self) -> None:
        """What Enter does, in every mode."""
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
                self._doubt(Give(""))
        elif self.opinion.standing is Standing.NO and scene is not None:
            self.hint(verdicts.refused(self.opinion, scene.game))
        elif self.opinion.legal is None:
            if not self.hinders(Pass()):
                self.hint(_("Nothing is laid yet: letters set tiles down, 2 passes."))
        else:
            self._lay(Lay(self.opinion.legal.play))

    action_confirm = action_give = action_swap = action_lay

    def _lay(self, move: Lay) -> None:
        """What the table has just refused is proposed again only if that is meant."""
        scene = self.scene
        refused = scene is not None and scene.may_act and scene.public.refused
        if refused and scene and move.play == history.refused_play(scene.past, scene.seat):
            self._doubt(move)
        else:
            self._play(move)

    def _doubt(self, move: prompts.Doubtful) -> None:
        self.doubtful = move
        self.redraw()

    def action_pass(self) -> None:
        if not self.hinders(Pass()):
            self._doubt(Pass())

    def action_exchange(self) -> None:
        scene = self.scene
        if self.parcel is not None and scene is not None and scene.public.phase is TurnPhase.PLAY:
            self.parcel = None
        elif self.draft is not None and scene is not None:
            if not self.draft.hand or self.hinders(Exchange(self.draft.hand[0])):
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
        if not self.hinders(move):
            self.decide(notate(move))

    # The rest

    def _parcel_for(self, scene: Scene, table: PublicState, hand: str) -> Parcel | None:
        if not scene.may_act or table.phase not in (TurnPhase.GIVE, TurnPhase.PLAY):
            return None
        if table.phase is TurnPhase.GIVE:
            return (self.parcel or Parcel(hand, table.owed)).seen(hand, table.owed)
        return self.parcel.seen(hand, table.reserve) if self.parcel else None
