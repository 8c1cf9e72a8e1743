"""The options of `game-client`, and the one-line messages for what was mistyped."""

import argparse
import difflib
import secrets
from collections.abc import Callable, Collection, Sequence, Set
from contextlib import suppress
from enum import StrEnum
from itertools import pairwise
from typing import Any

from diadem_client import VERSION, i18n
from diadem_client.i18n import gettext as _
from diadem_client.local import demo
from diadem_client.look.color_depth import ColorDepth
from diadem_client.net.address import BadAddress, read_address
from diadem_client.state.past_matches import Form
from diadem_shared.entries import MAX_ROUNDS, rounds_of
from diadem_shared.games import GAMES
from diadem_shared.lesson import games_with_lesson
from diadem_shared.protocol import LONGEST_NAME

REQUIRES_ONE_OF: dict[str, tuple[str, ...]] = {
    "bots": ("solo",),
    "level": ("solo",),
    "rounds": ("solo", "demo"),
    "seats": ("demo",),
    "seed": ("demo",),
    "pace": ("demo", "tell"),
    "keep": ("verify",),
    "tell": ("verify",),
    "export": ("replay",),
    "player": ("hosted",),
    "idle": ("hosted",),
}
"""Options that would have no effect without one of these others."""
CONFLICTS: dict[str, tuple[str, ...]] = {
    "demo": ("solo", "host", "table", "watch"),
    "verify": ("solo", "table", "watch", "demo", "hosted"),
    "replay": ("solo", "table", "watch", "demo", "hosted", "verify"),
    "solo": ("host", "table", "watch"),
    "learn": ("solo", "host", "table", "watch", "demo", "verify", "hosted", "word_list"),
    "word_list": ("host", "table", "watch", "demo", "hosted"),
}


class UsageError(Exception):
    """A mistake on the command line, told in one line."""


def read(arguments: Sequence[str]) -> argparse.Namespace:
    """Parse the arguments; raises UsageError if they make no sense."""
    i18n.set_language(_language_in(arguments))
    parser = _parser()
    try:
        given, unknown = parser.parse_known_args(arguments)
    except argparse.ArgumentError as error:
        raise UsageError(_about_value(str(error.argument_name), parser)) from None
    if unknown:
        raise UsageError(_about_unknown(unknown[0], given, parser))
    _check_combinations(
        {name for name, value in vars(given).items() if value != parser.get_default(name)}
    )
    if given.demo is not None:
        _check_seats(given.demo, given.seats, "--seats", 0)
        _check_rounds(given.demo, given.rounds)
    elif given.solo is not None:
        _check_seats(given.solo, given.bots, "--bots", 1)
        _check_level(given.solo, given.level)
        _check_rounds(given.solo, given.rounds)
    if given.hosted and (given.solo or given.demo):
        raise UsageError(_("--hosted plays on a server, with whoever is there"))
    if given.watch and not given.table:
        raise UsageError(_("--watch needs a table: --table CODE"))
    return given


def _language_in(arguments: Sequence[str]) -> str | None:
    """The value of --lang, so that messages about the command line come in that language."""
    for this, following in pairwise([*arguments, ""]):
        option, _separator, value = this.partition("=")
        if option == "--lang":
            return value or following
    return None


def _about_value(option: str, parser: "_Parser") -> str:
    """The message for an option whose value is missing, or that takes none."""
    if parser.takes_a_value(option):
        return _("{option} needs something behind it; --help shows what").format(option=option)
    return _("{option} needs nothing behind it").format(option=option)


def _about_unknown(word: str, given: argparse.Namespace, parser: "_Parser") -> str:
    option = word.partition("=")[0]
    close = difflib.get_close_matches(option, parser.options, n=1)
    meant = close[0] if close else _with_its_option(word, given)
    if meant:
        return _("there is no {option}; did you mean {close}?").format(option=option, close=meant)
    return _("there is no {option}; --help shows what there is").format(option=option)


def _with_its_option(word: str, given: argparse.Namespace) -> str:
    """The word with the option it most likely belongs to; empty if none is likely."""
    if word in GAMES:
        return f"--solo {word}"
    if word.startswith("-"):
        return ""
    if given.watch and not given.table:
        return f"--table {word}"
    return f"--host {word}" if {".", ":"} & {*word} else ""


def _check_combinations(options: Set[str]) -> None:
    for option, others in REQUIRES_ONE_OF.items():
        if option in options and options.isdisjoint(others):
            leads = _(" or ").join(f"--{other}" for other in others)
            raise UsageError(
                _("--{option} does nothing without {leads}").format(option=option, leads=leads)
            )
    for option, others in CONFLICTS.items():
        for other in others:
            if {option, other} <= options:
                raise UsageError(
                    _("--{option} and --{other} do not go together").format(
                        option=option.replace("_", "-"), other=other
                    )
                )


def _check_seats(game: str, given: int | None, option: str, people: int) -> None:
    seats = GAMES[game].seats
    if given is not None and given + people not in seats:
        raise UsageError(
            _("{game} is for {least} to {most} players, not for {given} ({option})").format(
                game=game, least=seats[0], most=seats[-1], given=given + people, option=option
            )
        )


def _check_rounds(game: str, given: int) -> None:
    if given not in (rounds := rounds_of(GAMES[game])):
        raise UsageError(
            _("{text!r} is not a number from 1 to {most}").format(text=str(given), most=rounds[-1])
        )


def _check_level(game: str, level: str | None) -> None:
    levels = GAMES[game].bots
    if level is not None and level not in levels:
        raise UsageError(
            _("{game} has no bot {level!r}; choose from {levels}").format(
                game=game, level=level, levels=i18n.listed(levels)
            )
        )


class _Help(argparse.HelpFormatter):
    def add_usage(self, usage: Any, actions: Any, groups: Any, prefix: str | None = None) -> None:
        super().add_usage(usage, actions, groups, prefix or _("usage: "))


class _Parser(argparse.ArgumentParser):
    def __init__(self, **named: Any) -> None:
        super().__init__(**named)
        self.options: dict[str, argparse.Action] = {}

    def group(self, title: str) -> Callable[..., None]:
        """A group under that title; what is returned adds an option to it."""
        group = self.add_argument_group(title)

        def add(*names: str, **named: Any) -> None:
            action = group.add_argument(*names, **named)
            self.options |= dict.fromkeys(action.option_strings, action)

        return add

    def takes_a_value(self, option: str) -> bool:
        return self.options[option.split("/", maxsplit=1)[0]].nargs != 0


def _parser() -> _Parser:
    parser = _Parser(
        prog="game-client",
        description=_("Play the games of Diadem in a terminal."),
        epilog=_("Without options a menu asks what to do. Keys: press ? once it runs."),
        formatter_class=_Help,
        add_help=False,
        allow_abbrev=False,
        exit_on_error=False,
    )
    add_where = parser.group(_("where to play"))
    add_where("--host", type=_address, help=_("a server: HOST, HOST:PORT, ws://... or wss://..."))
    add_where(
        "--solo",
        metavar="GAME",
        type=_game,
        help=_("play against bots on this machine: {games}").format(games=i18n.listed(GAMES)),
    )
    add_where(
        "--learn",
        metavar="GAME",
        type=_lesson,
        help=_("learn a game by playing it, step by step, on this machine"),
    )
    add_where("--table", metavar="CODE", help=_("go to this table at once"))
    add_where("--watch", action="store_true", help=_("look on at it, take no seat"))
    add_how = parser.group(_("how"))
    add_how("--name", type=_name, help=_("what the others call you"))
    add_how(
        "--lang",
        type=_language,
        help=_("language: {languages} (default: the locale's)").format(
            languages=i18n.listed(i18n.LANGUAGES)
        ),
    )
    add_how(
        "--colours",
        **_one_of(ColorDepth),
        help=_("how many colours to use (default: as many as the terminal has)"),
    )
    add_how("--ascii", action="store_true", help=_("draw with letters of ASCII only"))
    add_how(
        "--word-list",
        metavar="FILE",
        help=_("words of your own for Diamino on this machine, one a line"),
    )
    add_alone = parser.group(_("with bots (--solo)"))
    add_alone("--bots", type=_number, metavar="N", help=_("how many (default: 2)"))
    add_alone("--level", help=_("how good (default: the gentlest)"))
    add_alone("--rounds", type=_rounds, default=1, metavar="N", help=f"1-{MAX_ROUNDS} (1)")
    _add_hosted(parser)
    _add_demo(parser)
    add_over = parser.group(_("a match that is over"))
    add_over(
        "--verify",
        metavar="FILE|CODE",
        help=_("say whether it was dealt and played as its file tells (CODE: of the --host)"),
    )
    add_over(
        "--replay",
        metavar="FILE|CODE",
        help=_("look at it again, step by step (CODE: of this machine, or of the --host)"),
    )
    add_over(
        "--export",
        **_one_of(Form),
        help=_("print it instead: a text, the file of the match, or a score sheet"),
    )
    add_over("--keep", metavar="FILE", help=_("keep it as a file"))
    add_over("--tell", action="store_true", help=_("read it line by line"))
    add_about = parser.group(_("about"))
    add_about("-h", "--help", action="help", help=_("show this and stop"))
    add_about(
        "--version",
        action="version",
        version=f"game-client {VERSION}",
        help=_("show the version and stop"),
    )
    return parser


def _add_hosted(parser: _Parser) -> None:
    add_hosted = parser.group(_("as the only command that sshd runs"))
    add_hosted("--hosted", action="store_true", help=_("closed: nothing but this one server"))
    add_hosted(
        "--player",
        metavar="ID",
        help=_("whose seat and settings, whatever they call themselves (default: the Unix user's)"),
    )
    add_hosted(
        "--idle",
        type=_number,
        default=30,
        metavar="MINUTES",
        help=_("without a key, after which it closes (default: 30; 0 for never)"),
    )


def _add_demo(parser: _Parser) -> None:
    add_demo = parser.group(_("without a screen"))
    add_demo("--demo", metavar="GAME", type=_game, help=_("read how bots play a match"))
    add_demo("--seats", type=_number, metavar="N", help=_("how many bots (default: 4)"))
    add_demo(
        "--seed", default=secrets.token_hex(4), help=_("any text; the same shows the same match")
    )
    add_demo(
        "--pace",
        type=_seconds,
        metavar="SECONDS",
        help=_("wait after each line (default: {pace} on a terminal, else none)").format(
            pace=demo.READING_PACE
        ),
    )


def _address(typed: str) -> str:
    try:
        read_address(typed)
    except BadAddress:
        raise UsageError(
            _("{text!r} is no address; type HOST, HOST:PORT, ws://... or wss://...").format(
                text=typed
            )
        ) from None
    return typed


def _lesson(typed: str) -> str:
    return _game(typed, games_with_lesson())


def _game(typed: str, games: Collection[str] = GAMES) -> str:
    if typed in games:
        return typed
    raise UsageError(
        _("there is no game {text!r}; choose from {games}").format(
            text=typed, games=i18n.listed(games)
        )
    )


def _language(typed: str) -> str:
    if typed in i18n.LANGUAGES:
        return typed
    raise UsageError(
        _("there is no language {text!r}; choose from {languages}").format(
            text=typed, languages=i18n.listed(i18n.LANGUAGES)
        )
    )


def _one_of(choices: type[StrEnum]) -> dict[str, Any]:
    """What argparse is told of an option that takes one of these; its own `choices` would not let us say which there are."""
    words = [each.value for each in choices]

    def read(typed: str) -> str:
        if typed in words:
            return typed
        raise UsageError(
            _("there is no {text!r}; choose from {words}").format(
                text=typed, words=i18n.listed(words)
            )
        )

    return {"type": read, "metavar": f"{{{','.join(words)}}}"}


def _name(typed: str) -> str:
    if 0 < len(typed.strip()) <= LONGEST_NAME:
        return typed.strip()
    raise UsageError(_("a name has 1 to {most} letters").format(most=LONGEST_NAME))


def _number(typed: str) -> int:
    if typed.isdecimal() and len(typed) < 4:
        return int(typed)
    raise UsageError(_("{text!r} is not a number").format(text=typed))


def _rounds(typed: str) -> int:
    if typed.isdecimal() and int(typed) in range(1, MAX_ROUNDS + 1):
        return int(typed)
    raise UsageError(
        _("{text!r} is not a number from 1 to {most}").format(text=typed, most=MAX_ROUNDS)
    )


def _seconds(typed: str) -> float:
    with suppress(ValueError):
        if 0 <= (seconds := float(typed)) <= 60:
            return seconds
    raise UsageError(_("{text!r} is not a number of seconds from 0 to 60").format(text=typed))
