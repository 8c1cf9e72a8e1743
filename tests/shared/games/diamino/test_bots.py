"""What the players of Diamino do at the table."""

from collections.abc import Iterator
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from diadem_shared.chance import Chance
from diadem_shared.game import Seat
from diadem_shared.games.diamino import Diamino, RuleSet
from diadem_shared.games.diamino.board import Board, empty_board, parse_layout
from diadem_shared.games.diamino.bots import BOTS
from diadem_shared.games.diamino.bots.bot_context import Situation
from diadem_shared.games.diamino.bots.hand_weight import size_in
from diadem_shared.games.diamino.bots.rummy import Rummy
from diadem_shared.games.diamino.bots.vocabulary import everyday_words
from diadem_shared.games.diamino.placing import judge, lay
from diadem_shared.games.diamino.play import Play, parse_play
from diadem_shared.games.diamino.table import (
    Accept,
    Exchange,
    Give,
    Lay,
    Move,
    Object,
    Options,
    Pass,
    Proposed,
    RummyOptions,
    State,
    TakenBack,
    TurnPhase,
)
from diadem_shared.games.diamino.tiles import JOKER, TILE_SETS, from_hand, sorted_hand, without
from diadem_shared.games.diamino.verdict import Legal
from diadem_shared.lexicon import shelf, shipped
from tests.cases import cases
from tests.rig.walk import walk
from tests.shared.games.diamino.brief import think_briefly
from tests.thoroughness import times

RUMMY, BONUS = Diamino(RuleSet.RUMMY), Diamino(RuleSet.BONUS)
PLAYERS = ["easy", "fair", "normal", "strong", "master"]
"""Others play now as one of them, now as another, as fair does."""
THINKERS = ["normal", "strong", "master"]
LANGUAGES = shipped.languages()
one_player = pytest.mark.parametrize("level", PLAYERS)
"""For what takes long; workers share the players then."""
every_player = cases("level", PLAYERS)
every_thinker = cases("level", THINKERS)
every_rule_set = cases("game", [RUMMY, BONUS], ids=lambda game: game.name)


@pytest.fixture(autouse=True)
def _thinks_briefly(monkeypatch: pytest.MonkeyPatch) -> None:
    think_briefly(monkeypatch, moves=10)


def a_table(
    hand: str,
    *rows: str,
    lying: str = "",
    others: tuple[str, ...] = ("EEEEEE",),
    reserve: str = "",
    judging: str = "dictionary",
) -> State:
    """A round in which the first seat is to move; `lying` are plays that came before."""
    board = empty_board(parse_layout("\n".join(rows)))
    for text in filter(None, lying.split(", ")):
        play = parse_play(text)
        verdict = judge(board, play, sorted_hand(from_hand(play.tiles) + "XX"), NO_TERMS, None)
        assert isinstance(verdict, Legal), (text, verdict)
        board = lay(board, verdict)
    options = Options(judging="table") if judging == "table" else Options()
    return State(
        options=options,
        board=board,
        hands=(sorted_hand(hand), *others),
        reserve=sorted_hand(reserve),
        turn=0,
        points=(0,) * (1 + len(others)),
        witnessed=("",) * (2 + len(others)),
    )


NO_TERMS = RUMMY.public(State(Options(), Board(parse_layout("S"), "."), ("",), "", 0, (0,))).terms


def choice(game: Diamino, level: str, state: State, seat: Seat = 0, key: bytes = b"mind") -> Move:
    mind = BOTS[level](Chance(key))
    return mind.choose(game.view(state, seat))


def after(game: Diamino, state: State, move: Move) -> State:
    return game.play(state, state.turn, move, Chance(b"after"))[0]


def test_levels_are_listed_weakest_first() -> None:
    assert list(RUMMY.bots) == list(BONUS.bots) == list(BOTS)
    assert [game for game in (RUMMY, BONUS) if dict(game.bots) != BOTS] == []


# Always allowed


def tables(game: Diamino) -> Iterator[RummyOptions]:
    for judging in ("dictionary", "table"):
        for language in LANGUAGES:
            yield game.read_options({"judging": judging, "language": language})


@pytest.mark.slow
@one_player
@settings(max_examples=times(4, 100))
@given(data=st.data())
def test_whatever_was_played_before_a_player_does_what_is_allowed(
    level: str, data: st.DataObject
) -> None:
    game = data.draw(st.sampled_from([RUMMY, BONUS]))
    options = data.draw(st.sampled_from(list(tables(game))))
    seats = data.draw(st.sampled_from(list(game.seats)))
    seed = data.draw(st.binary(min_size=1, max_size=4))
    steps = list(islice(walk(game, options, seats, seed), 60))
    for step in steps[data.draw(st.integers(0, 19)) :: 20]:
        view = game.view(step.before, step.seat)
        move = choice(game, level, step.before, step.seat)
        assert game.explain(view, move) is None, move


@pytest.mark.slow
@one_player
@settings(max_examples=times(4, 60))
@given(game=st.sampled_from([RUMMY, BONUS]), seed=st.binary(min_size=1, max_size=4))
def test_late_in_a_round_too(game: Diamino, level: str, seed: bytes) -> None:
    """Reserve nearly empty, few tiles held, greens and blacks in reach."""
    steps = list(walk(game, game.options_type(language="en"), 2, seed))
    for step in steps[-12::3]:
        view = game.view(step.before, step.seat)
        move = choice(game, level, step.before, step.seat)
        assert game.explain(view, move) is None, move


@pytest.mark.slow
@one_player
@pytest.mark.parametrize(
    ("game", "judging"), [(RUMMY, "table"), (BONUS, "dictionary")], ids=["rummy", "bonus"]
)
def test_a_round_among_equals_comes_to_its_end(game: Diamino, level: str, judging: str) -> None:
    options = game.read_options({"judging": judging, "language": "en"})
    seats = 2
    state, told = game.start(options, seats, None, Chance(b"deal"))
    minds = [BOTS[level](Chance(b"round", str(seat))) for seat in range(seats)]
    chance = Chance(b"carry out")
    for _ in range(500):
        for happening in told:
            for seat, mind in enumerate(minds):
                mind.see(happening.told(seat))
        actors = game.actors(game.public(state))
        if not actors:
            break
        move = minds[actors[0]].choose(game.view(state, actors[0]))
        state, told = game.play(state, actors[0], move, chance)
    assert state.phase is TurnPhase.OVER


@pytest.mark.slow
@one_player
def test_the_same_view_and_chance_bring_the_same_move(level: str) -> None:
    for game in (RUMMY, BONUS):
        for step in islice(walk(game, game.options_type(), 2, b"same"), 0, 16, 8):
            moves = {choice(game, level, step.before, step.seat) for _ in range(2)}
            assert len(moves) == 1


# Winning


@every_player
@every_rule_set
def test_who_can_go_out_does(game: Diamino, level: str) -> None:
    state = a_table("ANST", "........", "S.......", "........", lying="lay A2 across HUT")
    one_left = replace(state, hands=("E", "EEEEEE"))
    over = after(game, one_left, choice(game, level, one_left))
    assert (over.phase, over.out) == (TurnPhase.OVER, 0)


@every_thinker
@every_rule_set
def test_who_can_go_out_on_black_does(game: Diamino, level: str) -> None:
    """M-22, M-30: the field behind HUT is black or it is not."""
    state = a_table("E", "....#", "S....", lying="lay A2 across HUT")
    plain = after(game, state, choice(game, level, state))
    assert (plain.out, plain.doubled) == (0, False)
    on_black = a_table("E", "...#", "S..#", lying="lay A2 across HUT")
    doubled = after(game, on_black, choice(game, level, on_black))
    assert (doubled.out, doubled.doubled) == (0, True)


@every_thinker
@every_rule_set
def test_of_two_ways_out_the_black_one_is_taken(game: Diamino, level: str) -> None:
    state = a_table("E", "......", "S..#..", ".....#", lying="lay A2 across HUT")
    for key in (b"1", b"2", b"3"):
        over = after(game, state, choice(game, level, state, key=key))
        assert (over.out, over.doubled) == (0, True)


def test_who_gives_the_last_tile_back_has_won() -> None:
    """M-21: with two tiles, one laid on a red, the round can be won."""
    for level in THINKERS:
        state = a_table("EX", "......", "S..R..", "......", lying="lay A2 across HUT")
        given = after(RUMMY, state, choice(RUMMY, level, state))
        assert (given.phase, given.hands[0]) == (TurnPhase.GIVE, "X")
        over = after(RUMMY, given, choice(RUMMY, level, given))
        assert over.out == 0


# Devils


DEVILISH = ("........", "........", "S.......", "........", "........")


def covered(game: Diamino, level: str, kind: str, key: bytes) -> bool:
    """Whether a play covers the field behind HUT, when nobody can follow it up."""
    rows = [*DEVILISH[:2], f"S..{kind}....", *DEVILISH[3:]]
    reserve = "NNNNNN" if game is RUMMY and kind == "g" else ""
    state = a_table("EQQ", *rows, lying="lay A3 across HUT", reserve=reserve, others=("QQQQQQ",))
    state = replace(state, options=Options(open_hands=True))
    move = choice(game, level, state, key=key)
    return isinstance(move, Lay) and move.play.start == "D3"


@every_thinker
@every_rule_set
def test_a_red_is_taken(game: Diamino, level: str) -> None:
    assert [key for key in range(4) if not covered(game, level, "R", bytes([key]))] == []


@every_thinker
@every_rule_set
def test_a_green_is_not_taken(game: Diamino, level: str) -> None:
    assert [key for key in range(4) if covered(game, level, "g", bytes([key]))] == []


@every_player
def test_the_dearest_tile_is_given_back(level: str) -> None:
    """M-21: never a joker."""
    state = replace(a_table("*AEENQRST", *DEVILISH), phase=TurnPhase.GIVE, owed=1)
    assert choice(RUMMY, level, state) == Give("Q")
    state = replace(a_table("*EX", *DEVILISH), phase=TurnPhase.GIVE, owed=2)
    assert choice(RUMMY, level, state) == Give("EX")


# When nothing can be laid


@every_player
@every_rule_set
def test_who_cannot_lay_exchanges_while_there_is_a_reserve(game: Diamino, level: str) -> None:
    stuck = a_table("QQ", "S....", "#####", lying="lay A1 across HUT", reserve="ENNE")
    assert isinstance(choice(game, level, stuck), Exchange)
    assert choice(game, level, replace(stuck, reserve="")) == Pass()


@every_player
def test_after_a_refused_play_there_is_no_exchange(level: str) -> None:
    """M-12."""
    stuck = a_table("QQ", "S....", "#####", lying="lay A1 across HUT", reserve="ENNE")
    refused = replace(stuck, refused=1, options=Options(judging="table"))
    assert choice(RUMMY, level, refused) == Pass()


@every_thinker
def test_who_would_rank_first_lets_a_blocked_round_end(level: str) -> None:
    """M-17, M-24: but who would not, exchanges as long as there is hope."""
    stuck = a_table("QQ", "S....", "#####", lying="lay A1 across HUT", reserve="ENNE")
    last = replace(stuck, passes=3, idle=3)
    assert isinstance(choice(RUMMY, level, replace(last, hands=("QQ", "E"))), Exchange)
    assert choice(RUMMY, level, replace(last, hands=("QQ", "EEENNNRRRSSSTTTXXYY"))) == Pass()


# Where the table judges


def proposed(play: str, state: State) -> State:
    return after(RUMMY, state, Lay(parse_play(play)))


@every_player
def test_words_of_the_list_are_accepted_and_others_are_not(level: str) -> None:
    """M-12."""
    state = a_table("EHNTU", "S....", "....#", others=("QX", "E"), judging="table")
    assert choice(RUMMY, level, proposed("lay A1 across HUT", state), seat=1) == Accept()
    assert choice(RUMMY, level, proposed("lay A1 across UHTN", state), seat=1) == Object()


@every_player
def test_an_upward_word_is_accepted(level: str) -> None:
    """M-8."""
    state = a_table("EHNTU", ".", ".", "S", others=("QX",), judging="table")
    assert choice(RUMMY, level, proposed("lay A1 down TUH", state), seat=1) == Accept()


@every_player
def test_side_words_are_judged_too(level: str) -> None:
    state = a_table(
        "EIQT", "S....", ".....", lying="lay A1 across HUT", others=("QX",), judging="table"
    )
    judged = proposed("lay B2 across EI", state)
    assert choice(RUMMY, level, judged, seat=1) == Object()


@every_player
def test_a_refused_play_is_not_tried_again(level: str) -> None:
    """M-12."""
    state = a_table("AEHNRTU", "....S...", "........", judging="table")
    mind = BOTS[level](Chance(b"again"))
    laid: list[Play] = []
    for attempt in range(4):
        move = mind.choose(RUMMY.view(replace(state, refused=attempt % 2), 0))
        assert isinstance(move, Lay)
        laid.append(move.play)
        mind.see(Proposed(0, move.play, ()))
        mind.see(TakenBack(0, again=True))
    assert len(set(laid)) == len(laid)


@pytest.mark.slow
@one_player
def test_only_words_of_the_list_are_laid_before_a_table_that_judges(level: str) -> None:
    """M-12."""
    known, unknown, laid = shelf.take("en"), [], 0
    for game in (RUMMY, BONUS):
        options = game.read_options({"judging": "table", "language": "en"})
        for step in islice(walk(game, options, 2, b"table"), 0, 40, 5):
            if step.before.phase is not TurnPhase.PLAY:
                continue
            move = choice(game, level, step.before, step.seat)
            if isinstance(move, Lay):
                judged = after(game, step.before, move).pending
                runs = judged.runs if judged else ()
                laid += len(runs)
                read = ([each.word for each in run.readings] for run in runs)
                unknown += [words for words in read if not any(word in known for word in words)]
    assert unknown == []
    assert laid


# Everyday words


@pytest.mark.parametrize("language", LANGUAGES)
def test_everyday_words_are_words(language: str) -> None:
    everyday, known = everyday_words(language), shelf.take(language)
    assert len(everyday) > 400
    assert [word for word in everyday if len(word) > 1 and word not in known] == []
    assert max(map(len, everyday)) <= 10


def test_dear_tiles_go_when_somebody_is_nearly_out() -> None:
    """M-23: keeping the E instead of the Q gains more then."""
    safe = a_table("EQ", *DEVILISH, lying="lay A3 across HUT", others=("E" * 30,))
    plans = [
        Rummy(Situation(RUMMY.view(state, 0)), size_in("de"))
        for state in (safe, replace(safe, hands=("EQ", "E")))
    ]
    gain = [plan.worth_of_exchanging("E", 0) - plan.worth_of_exchanging("Q", 0) for plan in plans]
    assert gain[1] > gain[0] > 0


def test_an_easy_player_opens_with_a_short_everyday_word() -> None:
    for key in range(8):
        state, _ = RUMMY.start(Options(language="en"), 2, None, Chance(bytes([key])))
        move = choice(RUMMY, "easy", state, state.turn)
        assert isinstance(move, Lay)
        word = move.play.tiles.upper()
        assert {word, word[::-1]} & {*everyday_words("en")}
        assert len(word) <= 4


# What the others hold


def test_unseen_tiles_are_those_that_lie_nowhere_in_sight() -> None:
    state = a_table("*EX", *DEVILISH, lying="lay A3 across HUt", others=("EEEE",))
    now = Situation(RUMMY.view(state, 0))
    seen = f"{JOKER}{JOKER}EHUX"
    assert now.unseen == without(TILE_SETS["de"].tiles, sorted_hand(seen))
    assert [len(hand) for hand in now.imagine_hands(1, 3, Chance(b"hand"))] == [4, 4, 4]


def test_open_hands_are_looked_at() -> None:
    """M-18."""
    state = a_table("*EX", *DEVILISH, others=("AAQQ",))
    now = Situation(RUMMY.view(replace(state, options=Options(open_hands=True)), 0))
    assert now.imagine_hands(1, 3, Chance(b"hand")) == ["AAQQ"]
    assert now.value_held(1) == TILE_SETS["de"].value("AAQQ")
