"""Names of games, options and their values."""

from typing import Any

from diadem_client.games import GAMES
from diadem_client.games.client_game import Wording
from diadem_client.i18n import N_, after_colon, ngettext
from diadem_client.i18n import gettext as _
from diadem_client.state.forms import OneOf, questions
from diadem_client.state.known_games import line_of
from diadem_client.wording.rules import goal_of
from diadem_client.wording.values import duration, seat_number
from diadem_shared.entries import GameClock, Setup, TurnClock

NAMES: dict[str, str] = {
    "game": N_("Game"),
    "rounds": N_("Rounds"),
    "clock": N_("Clock"),
    "seconds": N_("Time for every move"),
    "in_all": N_("Time for the round"),
    "increment": N_("More time for every move"),
    "absent": N_("Who is away is played by"),
    "patience": N_("Wait for who is away"),
    "spectators": N_("Others may look on"),
    "private": N_("Not in the list, by code only"),
    "hints": N_("Hints for everybody"),
}

HELPS: dict[str, str] = {
    "rounds": N_("Scores add up over the rounds. The rules of the game say who begins each."),
    "clock": N_("Whose time runs out is played on for, by a bot or by passing."),
    "seconds": N_("Whoever takes longer over a move loses the turn."),
    "in_all": N_("Each player's time for a whole round, used as they like."),
    "increment": N_("Added to a player's time after each of their moves."),
    "absent": N_("Plays on for whoever is away, until they come back."),
    "patience": N_("So long the table waits for somebody before that bot plays."),
    "spectators": N_("Whether others may come and watch."),
    "private": N_("Only those come who were told the code."),
    "hints": N_("Whoever asks is told what the best bot would do; all read that they did."),
}
"""What each of them means, in a line."""

VALUES: dict[tuple[str, Any], str] = {
    ("clock", "none"): N_("none"),
    ("clock", "turn"): N_("for every move"),
    ("clock", "game"): N_("for the round"),
    ("increment", 0): N_("none"),
    ("patience", None): N_("for ever"),
}

STAND_IN = "zombie"
"""The level that every game has, and that sits in for who is away."""

DURATIONS = frozenset({"seconds", "in_all", "increment", "patience"})


def game_name(game: str) -> str:
    return GAMES[game].title if game in GAMES else game


def option_name(name: str, game: str = "") -> str:
    wording, key = _words_of_option(name, game)
    words = wording.options.get(key) or NAMES.get(name)
    return _(words) if words else name.replace("_", " ")


def option_help(name: str, game: str = "") -> str:
    """What an option means, in a line; empty if that goes without saying."""
    if name == "game":
        return goal_of(game)
    wording, key = _words_of_option(name, game)
    words = wording.helps.get(key) or HELPS.get(name)
    return _(words) if words else ""


def temper(level: str, game: str) -> str:
    """How a bot of this level plays, in a word or two."""
    words = _wording(game).tempers.get(level)
    if words is None and level == STAND_IN:
        words = N_("sleepy")
    return _(words) if words else level


def highlight_words(kind: str, game: str) -> tuple[str, str]:
    """What a kind of what is worth remembering is called, and how it is written with its `{value}` and `{text}`."""
    label, form = _wording(game).highlights.get(kind, (kind, "{value}"))
    return _(label), form


def temper_and_habit(level: str, game: str) -> str:
    words = _wording(game).habits.get(level)
    return temper(level, game) + (after_colon(_(words)) if words else "")


def levels(game: str) -> list[str]:
    """Of its bots, the gentlest first; the one that only fills a seat comes last."""
    return sorted(line_of(game).bots, key=STAND_IN.__eq__)


def value_name(name: str, value: Any, game: str = "", *, is_seat: bool = False) -> str:
    wording, key = _words_of_option(name, game)
    words = wording.values.get((key, value)) or VALUES.get((name, value))
    if words and not isinstance(value, bool):
        return _(words)
    match value:
        case bool():
            return _("yes") if value else _("no")
        case None:
            return _("open")
        case int() if is_seat:
            return seat_number(value)
        case _ if key in wording.formats:
            return wording.formats[key](value)
        case int() if name in DURATIONS:
            return duration(value)
        case _:
            return (
                _("bot: {level}").format(level=temper(value, game))
                if name == "absent"
                else str(value)
            )


def _words_of_option(name: str, game: str) -> tuple[Wording, str]:
    """Where words for it are, and by which key: of the game and the option that `help` in its description names."""
    keys = (option.help for option in line_of(game).options if option.name == name)
    of, _dot, key = next(keys, "").partition(".")
    return (_wording(of), key) if key else (_wording(game), name)


def _wording(game: str) -> Wording:
    return GAMES[game].wording if game in GAMES else Wording()


def agreed(setup: Setup) -> list[str]:
    """The options of a table in a few words each, without those at their defaults."""
    asked = questions(setup.game) if setup.options else ()
    seats = {each.name for each in asked if isinstance(each, OneOf) and each.are_seats}
    lines = [
        ngettext("{count} round", "{count} rounds", setup.rounds).format(count=setup.rounds),
        *(
            option_name(name, setup.game)
            + after_colon(value_name(name, value, setup.game, is_seat=name in seats))
            for name, value in setup.options.items()
        ),
    ]
    match setup.clock:
        case TurnClock(seconds):
            lines.append(_("{time} for every move").format(time=duration(seconds)))
        case GameClock(seconds, 0):
            lines.append(_("{time} for the round").format(time=duration(seconds)))
        case GameClock(seconds, more):
            lines.append(
                _("{time} for the round, {more} more for every move").format(
                    time=duration(seconds), more=duration(more)
                )
            )
        case _:
            pass
    if not setup.spectators:
        lines.append(_("nobody looks on"))
    if setup.hints is True:
        lines.append(_("hints for everybody"))
    if setup.private:
        lines.append(_("not in the list"))
    return lines
