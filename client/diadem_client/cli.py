"""The command `game-client`."""

import argparse
import gc
import getpass
import logging
import os
import sys
from collections.abc import MutableMapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from diadem_client import command_line, i18n
from diadem_client.command_line import UsageError
from diadem_client.i18n import gettext as _
from diadem_client.local import demo, own_words
from diadem_client.local.local_file import read_text
from diadem_client.local.servers import LocalServers
from diadem_client.local.solo import bots_for, setup_for
from diadem_client.look.color_depth import COLOUR_SYSTEMS, ColorDepth, is_linux_console, tier_of
from diadem_client.settings import SettingsStore, log_file
from diadem_client.state.forms import UnusableFile
from diadem_client.state.past_matches import Form
from diadem_client.wording.refusals import sentence_for
from diadem_shared.games import GAMES
from diadem_shared.protocol import LONGEST_NAME

if TYPE_CHECKING:
    from diadem_client.app import DiademApp
    from diadem_client.launch import TerminalOptions

log = logging.getLogger(__name__)

CRASHED = 1
USAGE = 2
NEW_OBJECTS = 1000
"""After so many the garbage collector looks for circles: a seventh of a key's time at 100, not felt at 1,000, and at
5,000 0.3 MB more are in use."""
MOST_LOGGED = 500_000
"""The size at which the log is rotated."""


def main(arguments: Sequence[str] | None = None) -> None:
    try:
        given = command_line.read(sys.argv[1:] if arguments is None else arguments)
        if given.demo is not None:
            bots = given.seats or min(demo.MOST_BOTS, GAMES[given.demo].seats[-1])
            demo.show(given.demo, bots, given.rounds, given.seed, given.pace)
            return
        if given.verify is not None:
            sys.exit(_verify(given))
        if given.hosted:
            sys.exit(_run_hosted(given))
        replay = b"" if given.replay is None else _take(given)
        if given.export is not None:
            _export(replay, given.export, _own_words(given))
            return
        _check_terminal()
        _check_words(given.word_list)
    except UsageError as mistake:
        print(f"game-client: {mistake}", file=sys.stderr)
        sys.exit(USAGE)
    sys.exit(_run(given, replay))


def _verify(given: argparse.Namespace) -> int:
    from diadem_client.local import verify  # noqa: PLC0415, nobody else needs it

    return verify.run(
        given.verify,
        _server(given),
        _own_words(given),
        keep=given.keep,
        tells=given.tell,
        pace=given.pace,
    )


def _server(given: argparse.Namespace) -> tuple[str, str]:
    """Of a match that is over, and the name under which it was played there."""
    settings = SettingsStore().settings()
    server = given.host if given.host is not None else settings.host
    return server, given.name or settings.name or _own_name()


def _own_words(given: argparse.Namespace) -> own_words.OwnWords:
    return own_words.OwnWords(given.word_list or SettingsStore().settings().word_list)


def _take(given: argparse.Namespace) -> bytes:
    """The match that is to be looked at."""
    from diadem_client.local import verify  # noqa: PLC0415, as above

    try:
        return verify.take(given.replay, *_server(given))
    except verify.Unavailable as why:
        raise UsageError(str(why)) from None
    except UnusableFile as unusable:
        raise UsageError(sentence_for(unusable.refusal)) from None


def _export(data: bytes, form: str, words: own_words.OwnWords) -> None:
    from diadem_client.local.match_exports import NoSuchForm, printed  # noqa: PLC0415
    from diadem_client.wording.past_matches import not_shown  # noqa: PLC0415
    from diadem_shared.match_file import Untrue, read  # noqa: PLC0415, as above

    try:
        words.bring(read(data), read_text)
        text = printed(data, Form(form))
    except Untrue as untrue:
        raise UsageError(not_shown(untrue)) from None
    except UnusableFile as unusable:
        raise UsageError(sentence_for(unusable.refusal)) from None
    except NoSuchForm:
        raise UsageError(_("score sheets are written of Diamino only")) from None
    demo.print_slowly(iter(text.splitlines()), 0.0)


def _run_hosted(given: argparse.Namespace) -> int:
    from diadem_client.hosted import command  # noqa: PLC0415, nobody else needs it

    try:
        launch = command.from_command_line(given, os.environ)
    except command.NotAllowed as why:
        print(why)  # on the terminal, or where a subsystem would be heard; errors are not, there
        return USAGE
    _log_to_file()
    return command.play(launch)


def _run(given: argparse.Namespace, replay: bytes) -> int:
    # The server starts while the screens are still being loaded.
    store = SettingsStore()
    servers = LocalServers(store, given.word_list or "")
    if given.solo:
        servers.start_solo(given.solo)
    _log_to_file()
    try:
        app = _app(given, store, servers, replay)
        if given.learn:
            app.local.prepare_lesson(given.learn)
        _tune_garbage_collector()
        app.run()
        crash = app.crash
        if app.farewell:
            print(app.farewell)
    except Exception as error:  # noqa: BLE001, whoever plays reads a sentence, the log has the rest
        crash = error
    finally:
        servers.close()
    if crash is None:
        return 0
    log.critical("the client broke down", exc_info=crash)
    sentence = _("Something broke in Diadem, and it had to stop. What it was is in {log}.")
    print(sentence.format(log=log_file()), file=sys.stderr)
    return CRASHED


def _tune_garbage_collector() -> None:
    """Freeze what is loaded, and collect the rest seldom enough that keys do not feel it."""
    gc.freeze()
    gc.set_threshold(NEW_OBJECTS, 5, 5)


def _app(
    given: argparse.Namespace, store: SettingsStore, servers: LocalServers, replay: bytes
) -> "DiademApp":
    settings = store.settings()
    terminal = terminal_options(
        os.environ, given.colours or settings.colours, must_be_ascii=given.ascii
    )
    from diadem_client.app import DiademApp  # noqa: PLC0415, the demo needs no screens
    from diadem_client.launch import LaunchOptions  # noqa: PLC0415
    from diadem_client.terminal.driver import exit_on_hangup  # noqa: PLC0415

    exit_on_hangup()
    if given.lang is None and settings.language:
        i18n.set_language(settings.language)
    game = given.solo
    launch = LaunchOptions(
        host=given.host if given.host is not None else settings.host,
        name=given.name or settings.name,
        own_name=_own_name(),
        menu=(given.host is None and given.table is None) or bool(replay),
        table=given.table or "",
        watch=given.watch,
        connect_at_once=given.host is not None,
        setup=setup_for(game, servers.words, given.rounds) if game else None,
        bots=bots_for(game, given.bots, given.level) if game else (),
        replay=replay,
        file_reader=read_text,
    )
    return DiademApp(
        launch,
        store,
        settings=settings,
        servers=servers,
        terminal=terminal,
    )


def terminal_options(
    environment: MutableMapping[str, str], colours: str = "", *, must_be_ascii: bool = False
) -> "TerminalOptions":
    """By what a terminal says of itself. To be called before Textual is loaded, which reads some of it."""
    tier = tier_of(environment, colours)
    if tier is ColorDepth.NONE:
        environment["NO_COLOR"] = "1"
    else:
        environment.setdefault("TEXTUAL_COLOR_SYSTEM", COLOUR_SYSTEMS[tier])
    from diadem_client.launch import TerminalOptions  # noqa: PLC0415, for the same reason
    from diadem_client.terminal.driver import TerminalDriver  # noqa: PLC0415

    return TerminalOptions(
        driver=TerminalDriver,
        must_be_ascii=must_be_ascii or not i18n.locale_is_utf8(),
        tier=tier,
        on_console=is_linux_console(environment),
    )


def _own_name() -> str:
    with suppress(OSError, KeyError):
        return getpass.getuser()[:LONGEST_NAME].capitalize()
    return _("Player")


def _check_terminal() -> None:
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UsageError(_("this needs a terminal; --demo GAME tells a match in plain lines"))
    if os.environ.get("TERM", "") in {"", "dumb"}:
        raise UsageError(
            _("this terminal cannot place text (TERM=dumb); --demo GAME needs no such thing")
        )


def _check_words(path: str | None) -> None:
    if path is not None:
        try:
            own_words.check(path, read_text)
        except UnusableFile as unusable:
            raise UsageError(sentence_for(unusable.refusal)) from None


def _log_to_file() -> None:
    path = log_file()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and path.stat().st_size > MOST_LOGGED:
            path.replace(path.with_name(f"{path.name}.1"))
        handler = logging.FileHandler(path)
    except OSError:
        return
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)
    logging.getLogger("websockets").setLevel(logging.WARNING)
