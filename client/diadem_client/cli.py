"""The command `game-client`."""

import argparse
import getpass
import logging
import logging.handlers
import os
import secrets
import sys
from collections.abc import Sequence
from contextlib import suppress
from itertools import pairwise
from typing import TYPE_CHECKING

from diadem.entries import MAX_ROUNDS, Setup
from diadem.games import GAMES
from diadem_client import VERSION, demo, forms, hosted, text
from diadem_client.address import BadAddress, read_address
from diadem_client.settings import Shelf, log_file
from diadem_client.solo import Solo
from diadem_client.text import gettext as _

if TYPE_CHECKING:
    from diadem_client.app import DiademApp

log = logging.getLogger(__name__)

CRASHED = 1
USAGE = 2
BOTS_AT_FIRST = 2
LONGEST_NAME = 20


def main(arguments: Sequence[str] | None = None) -> None:
    text.use(_language_in(sys.argv[1:] if arguments is None else arguments))
    parser = _parser()
    given = parser.parse_args(arguments)
    if given.hosted:
        sys.exit(_run_hosted(parser, given))
    if given.demo is not None:
        _check_seats(parser, given.demo, given.seats, "--seats", 0)
        bots = given.seats or min(demo.MOST_BOTS, GAMES[given.demo].seats[-1])
        demo.show(given.demo, bots, given.rounds, given.seed, given.pace)
        return
    if given.solo is not None:
        _check_seats(parser, given.solo, given.bots, "--bots", 1)
        _check_level(parser, given.solo, given.level)
    if given.watch and not given.table:
        parser.error(_("--watch needs a table: --table CODE"))
    if why := _cannot_show():
        parser.exit(USAGE, f"game-client: {why}\n")
    sys.exit(_run(given))


def _run_hosted(parser: argparse.ArgumentParser, given: argparse.Namespace) -> int:
    if given.solo or given.demo:
        parser.error(_("--hosted plays on a server, with whoever is there"))
    try:
        stay = hosted.asked_for(given, os.environ)
    except hosted.NotOffered as why:
        print(why)  # on the terminal, or where a subsystem would be heard; errors are not, there
        return USAGE
    _log_to_file()
    return hosted.play(stay)


def _run(given: argparse.Namespace) -> int:
    # The server starts while the screens are still being loaded.
    solo = Solo() if given.solo else None
    _log_to_file()
    try:
        app = _app(given, solo)
        app.run()
        crash = app.crash
    except Exception as error:  # noqa: BLE001, whoever plays reads a sentence, the log has the rest
        crash = error
    finally:
        if solo is not None:
            solo.close()
    if crash is None:
        return 0
    log.critical("the client broke down", exc_info=crash)
    sentence = _("Something broke in Diadem, and it had to stop. What it was is in {log}.")
    print(sentence.format(log=log_file()), file=sys.stderr)
    return CRASHED


def _app(given: argparse.Namespace, solo: Solo | None) -> "DiademApp":
    from diadem_client.app import DiademApp, Plan  # noqa: PLC0415, the demo needs no screens
    from diadem_client.driver import AsciiDriver, end_when_hung_up  # noqa: PLC0415

    end_when_hung_up()
    shelf = Shelf()
    settings = shelf.settings()
    if given.lang is None and settings.language:
        text.use(settings.language)
    ascii_only = given.ascii or settings.ascii or not text.locale_is_utf8()
    game = given.solo
    plan = Plan(
        host=given.host if given.host is not None else settings.host,
        name=given.name or settings.name or (_own_name() if game else ""),
        table=given.table or "",
        watch=given.watch,
        go=given.host is not None,
        setup=_alone(game, given.rounds) if game else None,
        bots=_levels(game, given.bots, given.level) if game else (),
    )
    return DiademApp(
        plan,
        shelf,
        settings=settings,
        solo=solo,
        driver=AsciiDriver if ascii_only else None,
        without_colour="NO_COLOR" in os.environ,
    )


def _alone(game: str, rounds: int) -> Setup:
    return Setup(game, forms.at_first(game), rounds=rounds, patience=None, private=True)


def _levels(game: str, bots: int | None, level: str | None) -> tuple[str, ...]:
    *_rest, best = GAMES[game].bots
    most = GAMES[game].seats[-1] - 1
    count = min(BOTS_AT_FIRST, most) if bots is None else bots
    return (level or best,) * count


def _own_name() -> str:
    with suppress(OSError, KeyError):
        return getpass.getuser()[:LONGEST_NAME].capitalize()
    return _("Player")


def _cannot_show() -> str | None:
    """Why this is no place for a screen."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return _("this needs a terminal; --demo GAME tells a match in plain lines")
    if os.environ.get("TERM", "") in {"", "dumb"}:
        return _("this terminal cannot place text (TERM=dumb); --demo GAME needs no such thing")
    return None


def _log_to_file() -> None:
    path = log_file()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handler = logging.handlers.RotatingFileHandler(path, maxBytes=500_000, backupCount=1)
    except OSError:
        return
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)
    logging.getLogger("websockets").setLevel(logging.WARNING)


def _check_seats(
    parser: argparse.ArgumentParser, game: str, given: int | None, option: str, people: int
) -> None:
    seats = GAMES[game].seats
    if given is not None and given + people not in seats:
        parser.error(
            _("{game} is for {least} to {most} players, not for {given} ({option})").format(
                game=game, least=seats[0], most=seats[-1], given=given + people, option=option
            )
        )


def _check_level(parser: argparse.ArgumentParser, game: str, level: str | None) -> None:
    levels = GAMES[game].bots
    if level is not None and level not in levels:
        parser.error(
            _("{game} has no bot {level!r}; choose from {levels}").format(
                game=game, level=level, levels=text.listed(levels)
            )
        )


def _language_in(arguments: Sequence[str]) -> str | None:
    """Whatever is said about the command line is said in the language it asks for."""
    for this, following in pairwise([*arguments, ""]):
        option, _separator, value = this.partition("=")
        if option == "--lang":
            return value or following
    return None


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="game-client",
        description=_("Play the games of Diadem in a terminal."),
        epilog=_("Without options it asks where to play. Keys: press ? once it runs."),
    )
    where = parser.add_argument_group(_("where to play"))
    where.add_argument(
        "--host", type=_address, help=_("a server: HOST, HOST:PORT, ws://... or wss://...")
    )
    where.add_argument(
        "--solo",
        metavar="GAME",
        choices=GAMES,
        help=_("play against bots on this machine: {games}").format(games=text.listed(GAMES)),
    )
    where.add_argument("--table", metavar="CODE", help=_("go to this table at once"))
    where.add_argument("--watch", action="store_true", help=_("look on at it, take no seat"))
    how = parser.add_argument_group(_("how"))
    how.add_argument("--name", type=_name, help=_("what the others call you"))
    how.add_argument("--lang", choices=text.LANGUAGES, help=_("language (default: the locale's)"))
    how.add_argument("--ascii", action="store_true", help=_("draw with letters of ASCII only"))
    alone = parser.add_argument_group(_("with bots (--solo)"))
    alone.add_argument("--bots", type=_number, metavar="N", help=_("how many (default: 2)"))
    alone.add_argument("--level", help=_("how good (default: the best)"))
    alone.add_argument("--rounds", type=_rounds, default=1, metavar="N", help=f"1-{MAX_ROUNDS} (1)")
    _add_hosted(parser)
    _add_demo(parser)
    parser.add_argument("--version", action="version", version=f"game-client {VERSION}")
    return parser


def _add_hosted(parser: argparse.ArgumentParser) -> None:
    at_a_host = parser.add_argument_group(_("as the only command that sshd runs"))
    at_a_host.add_argument(
        "--hosted", action="store_true", help=_("closed: nothing but this one server")
    )
    at_a_host.add_argument(
        "--player",
        metavar="ID",
        help=_("whose seat and settings, whatever her name (default: the Unix user's)"),
    )
    at_a_host.add_argument(
        "--idle",
        type=_number,
        default=30,
        metavar="MINUTES",
        help=_("without a key, after which it closes (default: 30; 0 for never)"),
    )


def _add_demo(parser: argparse.ArgumentParser) -> None:
    shown = parser.add_argument_group(_("without a screen"))
    shown.add_argument(
        "--demo", metavar="GAME", choices=GAMES, help=_("read how bots play a match")
    )
    shown.add_argument("--seats", type=_number, metavar="N", help=_("how many bots (default: 4)"))
    shown.add_argument(
        "--seed", default=secrets.token_hex(4), help=_("any text; the same shows the same match")
    )
    shown.add_argument(
        "--pace",
        type=_seconds,
        metavar="SECONDS",
        help=_("wait after each line (default: {pace} on a terminal, else none)").format(
            pace=demo.READING_PACE
        ),
    )


def _address(text_: str) -> str:
    try:
        read_address(text_)
    except BadAddress:
        raise argparse.ArgumentTypeError(
            _("{text!r} is no address; type HOST, HOST:PORT, ws://... or wss://...").format(
                text=text_
            )
        ) from None
    return text_


def _name(text_: str) -> str:
    if 0 < len(text_.strip()) <= LONGEST_NAME:
        return text_.strip()
    raise argparse.ArgumentTypeError(_("a name has 1 to {most} letters").format(most=LONGEST_NAME))


def _number(text_: str) -> int:
    if text_.isdecimal() and len(text_) < 4:
        return int(text_)
    raise argparse.ArgumentTypeError(_("{text!r} is not a number").format(text=text_))


def _rounds(text_: str) -> int:
    if text_.isdecimal() and int(text_) in range(1, MAX_ROUNDS + 1):
        return int(text_)
    raise argparse.ArgumentTypeError(
        _("{text!r} is not a number from 1 to {most}").format(text=text_, most=MAX_ROUNDS)
    )


def _seconds(text_: str) -> float:
    with suppress(ValueError):
        if 0 <= (seconds := float(text_)) <= 60:
            return seconds
    raise argparse.ArgumentTypeError(
        _("{text!r} is not a number of seconds from 0 to 60").format(text=text_)
    )
