"""What games, options and their values are called."""

from typing import Any

from diadem.entries import GameClock, Setup, TurnClock
from diadem_client.i18n import N_, after_colon, ngettext
from diadem_client.i18n import gettext as _

GAMES: dict[str, str] = {
    "diamoniak": "Diamoniak",
    "piratatak": "Piratatak",
    "diadingo": "Diadingo",
    "diamino-bonus": "Diamino Bonus",
    "diamino-rummy": "Diamino Rummy",
}

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
    # castles
    "youngest": N_("The youngest begins: seat"),
    # Diadingo
    "scoring": N_("Scoring"),
    "play": N_("Spots that proved fixed"),
    # Diamino
    "language": N_("Language"),
    "judging": N_("Who judges words"),
    "judging_time": N_("Time to judge"),
    "open_hands": N_("Open hands"),
    "word_list": N_("Another word list"),
    "board": N_("Another board"),
    "words_score": N_("Words score"),
}

VALUES: dict[tuple[str, Any], str] = {
    ("clock", "none"): N_("none"),
    ("clock", "turn"): N_("for every move"),
    ("clock", "game"): N_("for the round"),
    ("increment", 0): N_("none"),
    ("patience", None): N_("for ever"),
    ("youngest", None): N_("by chance"),
    ("scoring", "plain"): N_("plain: filled rings count"),
    ("scoring", "professional"): N_("professional: empty rings count against"),
    ("play", "memory"): N_("have to be remembered"),
    ("play", "marked"): N_("are marked"),
    ("language", "de"): N_("German"),
    ("language", "fr"): N_("French"),
    ("language", "en"): N_("English"),
    ("judging", "dictionary"): N_("the word list"),
    ("judging", "table"): N_("the players"),
}

LEVELS: dict[str, str] = {
    "zombie": N_("zombie"),
    "easy": N_("easy"),
    "normal": N_("normal"),
    "strong": N_("strong"),
    "forgetful": N_("forgetful"),
    "human": N_("human"),
    "perfect": N_("perfect"),
}


DURATIONS = frozenset({"seconds", "in_all", "increment", "patience", "judging_time"})


def game_name(game: str) -> str:
    return GAMES.get(game, game)


def option_name(name: str) -> str:
    return _(NAMES[name]) if name in NAMES else name.replace("_", " ")


def level_name(level: str) -> str:
    return _(LEVELS[level]) if level in LEVELS else level


def value_name(name: str, value: Any, *, is_seat: bool = False) -> str:
    if (name, value) in VALUES and not isinstance(value, bool):
        return _(VALUES[name, value])
    match value:
        case bool():
            return _("yes") if value else _("no")
        case None:
            return _("open")
        case int() if is_seat:
            return str(value + 1)
        case int() if name in DURATIONS:
            return duration(value)
        case str() if name == "board":
            return _("one of its own")
        case _:
            return level_name(value) if name == "absent" else str(value)


def duration(seconds: int) -> str:
    if seconds < 120 or seconds % 60:
        return ngettext("{count} second", "{count} seconds", seconds).format(count=seconds)
    minutes = seconds // 60
    return ngettext("{count} minute", "{count} minutes", minutes).format(count=minutes)


def agreed(setup: Setup) -> list[str]:
    """What was agreed for a table, a few words each; what is as usual goes without saying."""
    lines = [
        ngettext("{count} round", "{count} rounds", setup.rounds).format(count=setup.rounds),
        *(
            option_name(name) + after_colon(value_name(name, value, is_seat=name == "youngest"))
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
    if setup.private:
        lines.append(_("not in the list"))
    return lines
