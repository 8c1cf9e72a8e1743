"""One example of every message, as a map and as bytes."""

import base64
import json
from collections.abc import Iterator
from textwrap import wrap
from typing import Any

import msgpack
from msgspec import Struct

from diadem_shared import protocol
from diadem_shared.advice import Reason, Unit
from diadem_shared.chain import header
from diadem_shared.entries import Sat, Setup, Started, TurnClock
from diadem_shared.game import Choices, Outcome
from diadem_shared.games.castles.reasons import CastlesReason
from diadem_shared.games.castles.table import Drew, Holding, PublicState
from diadem_shared.games.castles.table import TurnPhase as CastlePhase
from diadem_shared.highlights import Highlight
from diadem_shared.lexicon.shelf import WordListLine
from diadem_shared.match import Phase
from diadem_shared.refusals import Code, Refusal
from diadem_shared.shuffle import commitment_of_player, commitment_of_server
from diadem_shared.statistics import GameStatistics, Opponent

CODE = "K7QD"
TOKEN = "kZ3v0yB1oXc5m2TqW8rJdL4hN6aFsGuE"  # noqa: S105, nobody's
SEED = bytes(range(32))
ADDED = bytes(range(32, 64))
COMMITTED = commitment_of_player(commitment_of_server(SEED), 0, "Ana", ADDED).hex()
SETUP = Setup("diamoniak", clock=TurnClock(60))
FINISHED = Outcome((1, 0), (0, 0))

PLAYERS = (
    protocol.PlayerLine("Ana", bot=None, away=False, present=True, ready=False),
    protocol.PlayerLine("Bob", bot=None, away=False, present=True, ready=False),
)
BOARD = PublicState(
    deck=52,
    aside=(),
    holdings=(Holding(reserve=("currency",)), Holding()),
    turn=0,
    phase=CastlePhase.DRAWN,
    drawn=("currency",),
)
PUBLIC = protocol.TablePublic(
    setup=SETUP,
    players=PLAYERS,
    phase=Phase.PLAYING,
    maker=0,
    actors=(0,),
    rounds=(),
    watchers=1,
    left=(),
    deadline=60_000,
    game=BOARD,
    onlookers=("Cem",),
)

DANGER_AHEAD = Reason(CastlesReason.DANGER_AHEAD, {"percent": 11, "dangers": 5, "cards": 47})
DRAWS_ON = Reason(CastlesReason.DRAWS_ON)

DESCRIPTION = protocol.Description(
    games=(
        protocol.GameLine(
            *("diadingo", 1, 2, 8),
            options=(
                protocol.OptionLine(
                    *("scoring", "choice", "diadingo.scoring", "plain"),
                    values=("plain", "professional"),
                ),
            ),
            bots=("zombie", "naive"),
            moves=("take C4", "steal 3000 from 2", "decline"),
            refusals=("no_theft", "spot_empty"),
        ),
    ),
    word_lists=(WordListLine("de", "de", 1_908_815),),
    reactions=("hello", "wow"),
    refusals=(
        protocol.RefusalLine("spot_empty", "No diamond is left on this spot.", {"spot": "string"}),
    ),
)
"""A part of what a server tells."""

EXAMPLES: tuple[Struct, ...] = (
    protocol.Hello("Ana", "my-client 1.0", wants=("moves",)),
    protocol.WatchLobby(1, on=True),
    protocol.Make(2, SETUP),
    protocol.Join(3, CODE),
    protocol.Part(4),
    protocol.Sit(5),
    protocol.Stand(6),
    protocol.Ready(7, ready=True),
    protocol.Commit(30, COMMITTED),
    protocol.Open(31, ADDED.hex()),
    protocol.Start(8),
    protocol.Change(9, Setup("diadingo", {"play": "marked"}, rounds=3)),
    protocol.AddBot(10, "strong"),
    protocol.Remove(11, 1),
    protocol.Kick(23, "Cem"),
    protocol.Ban(24, "Cem", on=True),
    protocol.Mute(25, "Cem", on=True),
    protocol.HandOver(12, "easy"),
    protocol.TakeBack(13),
    protocol.Resign(14),
    protocol.Again(15),
    protocol.Play(16, "buy from 2", 41),
    protocol.GetMoves(30),
    protocol.Check(17, {"H8": "E", "H9": "*"}),
    protocol.LookUp(26, "schon"),
    protocol.GetHint(32),
    protocol.Explain(33),
    protocol.Say(18, "Well played!"),
    protocol.React(27, "well_played"),
    protocol.SetPause(28, 0),
    protocol.GetHistory(19, 40),
    protocol.Describe(29),
    protocol.ListReplays(20),
    protocol.GetReplay(21, CODE),
    protocol.Export(26, CODE),
    protocol.GetStatistics(32),
    protocol.GetStandings(33, "diamoniak", 20),
    protocol.SetListed(34, on=False),
    protocol.Ping(22),
    protocol.Welcome(
        *("Ana", TOKEN, "Diadem", "0.1.0", CODE),
        (WordListLine("club", "de", 12_040),),
        bot_pause=400,
        doors=(
            protocol.Door("client", 7453),
            protocol.Door("web", 443, "games.example.org", secure=True),
        ),
        features=(
            "bots",
            "describe",
            "entry",
            "export",
            "hints",
            "json",
            "moves",
            "shuffle",
            "standings",
        ),
        limits=protocol.Limits(32_768, 16_777_216, 60, 20, 200, 20, 200, 10, 20),
    ),
    protocol.Accepted(16, 41),
    protocol.Refused(16, Refusal(Code.NOT_YOUR_TURN)),
    protocol.LegalMoves(30, 41, Choices(("draw", "stop"))),
    protocol.Checked(
        17, {"verdict": "illegal", "reasons": [{"code": "gap", "about": {}, "also": []}]}
    ),
    protocol.Advised(32, 41, (protocol.HintLine("draw", 0.6175, Unit.CHANCE, (DANGER_AHEAD,)),)),
    protocol.Explained(33, (protocol.Explanation(38, 1, "draw", (DRAWS_ON,)),)),
    protocol.LookedUp(26, "SCHON", ("schon", "schön")),
    protocol.History(19, [protocol.Happened(39, Drew(1, "danger"))], more=True),
    protocol.Described(29, DESCRIPTION),
    protocol.Replays(20, [protocol.ReplayLine(CODE, "diamoniak", ("Ana", "Bob"), FINISHED)]),
    protocol.Replay(21, CODE, 1, Setup("diamoniak"), SEED, [Sat("Ana"), Sat("Bob"), Started()]),
    protocol.Exported(26, CODE, header(SEED, CODE, 1, b"{}") + b"\n", 250),
    protocol.OwnStatistics(
        32,
        (
            GameStatistics(
                *("diamoniak", 3, 2, 0, 1, 1, (1, 2, 1)),
                (Opponent("Bob", None, 3, 2), Opponent("", "easy", 1, 1)),
                (Highlight("castle", 9, "blue"), Highlight("drawn", 6)),
            ),
        ),
    ),
    protocol.Standings(
        *(33, "diamoniak"),
        (
            protocol.StandingLine("", "keen", 1484),
            protocol.StandingLine("Bob", None, 1467, 102, 14, 9),
            protocol.StandingLine("Ana", None, 1405, 196, 5),
        ),
        *(20, 23, 22),
        listed=True,
    ),
    protocol.Pong(22),
    protocol.LobbyView(
        [protocol.TableLine(CODE, "diamoniak", ("Ana",), 4, Phase.GATHERING, 1, spectators=True)]
    ),
    protocol.TableView(CODE, 12, 41, 0, PUBLIC, None, [protocol.Happened(41, Drew(0, "currency"))]),
    protocol.Said("Bob", 1, "Well played!"),
    protocol.Reacted("Bob", 1, "well_played"),
    protocol.Gone(CODE, Refusal(Code.NO_SPECTATORS)),
    protocol.Bye(Refusal(Code.SERVER_CLOSING)),
)


def of(kind: type[Struct]) -> Iterator[str]:
    for example in EXAMPLES:
        if type(example) is kind:
            frame = protocol.pack(example)
            yield from ("", "```json", as_json(msgpack.unpackb(frame)), "```", "")
            yield from ("```hex", *wrap(frame.hex(" "), 96), "```")


def as_json(value: Any) -> str:
    """A map as the page shows it: on lines of its own where it is long, binary in base64."""
    whole = json.dumps(value, default=_in_base64)
    if len(whole) <= 96 or not isinstance(value, dict):
        return whole
    fields = [f"  {json.dumps(name)}: {as_json_field(each)}" for name, each in value.items()]
    return "{\n" + ",\n".join(fields) + "\n}"


def _in_base64(value: bytes) -> str:
    return base64.b64encode(value).decode()


def as_json_field(value: Any) -> str:
    return as_json(value).replace("\n", "\n  ")
