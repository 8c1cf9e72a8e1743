"""A sentence for each refusal, which says what to do instead."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from typing import Any

from diadem_client.games import GAMES
from diadem_client.i18n import N_, listed
from diadem_client.i18n import gettext as _
from diadem_client.refusals import ClientCode
from diadem_client.wording.values import duration, grouped, seat_number
from diadem_shared.refusals import Code, Refusal

COMMON: dict[str, str] = {
    # every game
    Code.NOT_YOUR_TURN: N_("It is not your turn yet. Wait until your name is marked."),
    Code.ROUND_OVER: N_("This round is over. The next one begins when all are ready."),
    Code.ROUND_RUNS: N_("That is told once the round is over. Play on."),
    Code.UNREADABLE: N_("I cannot read that. Type it like one of these: {forms}."),
    Code.BAD_OPTION: N_("That option cannot be set so ({what}). Choose one that is offered."),
    Code.NO_SUCH_SEAT: N_("There is no such seat. Choose one of the players at this table."),
    Code.OWN_SEAT: N_("That is yourself. Choose another player."),
    Code.NO_LOOK_UP: N_(
        "No words are looked up at this table. Change its options before the start."
    ),
    Code.NO_DRAFTS: N_("This game has nothing to try out. Play the move itself."),
    # the match
    Code.ALREADY_BACK: N_("You are playing yourself already. Just go on."),
    Code.ALREADY_STARTED: N_("The round is running already. Wait for its end, or look on."),
    Code.BAD_ROUNDS: N_("A match has 1 to {most} rounds. Choose a number among these."),
    Code.BETWEEN_ROUNDS: N_("The next round has not begun. Say that you are ready."),
    Code.MATCH_TOO_LONG: N_("This match has become too long and ends here. Make a new table."),
    Code.MATCH_OVER: N_("The match is over. Make a new table to play again."),
    Code.NAME_TAKEN: N_("Somebody called {name} sits here already. Come back under another name."),
    Code.NO_SUCH_BOT: N_("There is no such bot. Choose one of: {bots}."),
    Code.NO_SUCH_GAME: N_("The server does not know that game. Choose one of: {games}."),
    Code.NOT_STARTED: N_("The match has not begun. Start it, or say that you are ready."),
    Code.TABLE_FULL: N_("All {seats} seats are taken. Look on, or go to another table."),
    Code.TOO_FEW_PLAYERS: N_("It takes {need} players. Add a bot, or wait for somebody."),
    # the server
    Code.AGAIN: N_("The match is played again at table {table}."),
    Code.AT_NO_TABLE: N_("You are at no table. Choose one in the lobby, or make one."),
    Code.BAD_SHUFFLE: N_("That adds nothing to this shuffle. Play on; it will be the next one."),
    Code.BANNED: N_("Who decides for that table keeps you away from it. Choose another one."),
    Code.HAS_SEAT: N_(
        "{name} has a seat in this match and cannot be sent away. You can mute them."
    ),
    Code.HELLO_AGAIN: N_("Something went wrong on the line. Connect anew."),
    Code.ID_REUSED: N_("The server took that for something you did before. Do it once more."),
    Code.LIST_FULL: N_("That list is full with {most} names. Take one off it first."),
    Code.JOURNAL_UNAVAILABLE: N_("The server cannot save just now. Try again in a moment."),
    Code.LESSON_IS_FIXED: N_("A first game is for one alone, and stays as it is."),
    Code.LISTED_ALREADY: N_("Everybody saw this table in the list. Make a new one to keep it out."),
    Code.NAME_EMPTY: N_("A name needs a letter or two. Type one."),
    Code.NAME_IN_USE: N_("Somebody called {name} is here already. Take another name."),
    Code.NAME_MIXED: N_("A word of that name mixes two alphabets. Write each word in one."),
    Code.NAME_TOO_LONG: N_("Names have {most} letters at the most. Take a shorter one."),
    Code.NO_HELLO: N_("The server heard no greeting in time. Connect anew."),
    Code.NO_HINTS: N_("This table gives no hints while others play. Agree on them before a start."),
    Code.NO_ADVICE: N_("Nobody here knows better. Trust yourself."),
    Code.NO_SEAT: N_("You have no seat at this table; you look on. Sit down before the start."),
    Code.NO_SPECTATORS: N_("This table has begun and lets nobody look on. Choose another."),
    Code.NO_SUCH_PERSON: N_("Nobody called {name} is here. Choose somebody from the list."),
    Code.NO_SUCH_REPLAY: N_("There is no finished match {table} of yours. Look at the list."),
    Code.NO_SUCH_TABLE: N_("There is no table {table}. Check the code, or choose from the list."),
    Code.NOT_AGREED: N_("The options were changed. Before you start, wait for these: {names}."),
    Code.NOT_OVER: N_("The match still runs. Finish it before you play it again."),
    Code.NOT_PLAYING: N_("You are not in a running round. Wait until it begins."),
    Code.NOTHING_SAID: N_("Nothing to say in that. Type a few words."),
    Code.ONLY_THE_MAKER: N_("Only who decides for this table may do that. Ask in the chat."),
    Code.PASSWORD_NEEDED: N_("This server asks for a password. Type the one you were given."),
    Code.PASSWORD_WRONG: N_("That is not the password. Type it again, or ask your host."),
    Code.REMOVED: N_("Who decides for that table has sent you away. You may come back to it."),
    Code.REPLACED: N_("You went on in another window. Close that one, or connect here again."),
    Code.SEATED_ALREADY: N_("You have a seat here already. Say when you are ready."),
    Code.SEATED_ELSEWHERE: N_("You still have a seat at table {table}. Finish there, or leave it."),
    Code.SERVER_CLOSING: N_("The server is closing. It is tried again until it is back."),
    Code.STALE: N_("The table has moved on since you decided. Look at it, and move anew."),
    Code.TABLE_BROKEN: N_("The table broke down; the server kept a record. Make a new one."),
    Code.TABLE_KEPT: N_("Table {table} cannot go on after an update; it is kept. Make a new one."),
    Code.TOO_FAST: N_("That was too fast for the server. Try again in {seconds}."),
    Code.TOO_MANY_BAD_FRAMES: N_("The line garbles what is sent. Connect anew."),
    Code.TOO_MANY_NEWCOMERS: N_(
        "Too many new players came from your network. Try again in {seconds}."
    ),
    Code.TOO_MUCH_WRITTEN: N_(
        "Your network has used up its share of this server's disk. Try again in {seconds}."
    ),
    Code.TOO_MANY_GUESSES: N_(
        "Too many wrong passwords came from where you are. Try again in {seconds}."
    ),
    Code.TOO_MANY_CHANGES: N_(
        "A table takes {most} such changes and no more. Play on, or make a new one."
    ),
    Code.TOO_MANY_OWN_TABLES: N_(
        "You keep {most} tables already. Finish a match, or wait a few minutes."
    ),
    Code.TOO_MANY_TABLES: N_("The server has room for {most} tables. Join one of them."),
    Code.TOO_MANY_TABLES_FROM_ADDRESS: N_(
        "{most} tables were made from your address already. Join one, or try again later."
    ),
    Code.BAD_VALUE: N_("The server takes no such value for {field}. Choose another one."),
    Code.FRAME_TOO_LONG: N_("That is too long for the server. Make it shorter."),
    Code.BAD_FRAME: N_("The server could not read that ({what}). Try it another way."),
    # the connection
    ClientCode.BAD_ADDRESS: N_(
        "That is no address. Type a name like games.example, or 192.0.2.7:7453."
    ),
    ClientCode.CONNECTION_LOST: N_("The line to {server} broke. Connect anew."),
    ClientCode.NOT_CONNECTED: N_(
        "Not connected, so that was not done. Try again when the line is back."
    ),
    ClientCode.CONNECTION_REFUSED: N_(
        "Nobody answers at {server}. Is the server running there? Check the port."
    ),
    ClientCode.FORBIDDEN: N_("{server} says no: {what}."),
    ClientCode.NO_ANSWER: N_("{server} does not answer. Check the address, and your network."),
    ClientCode.NO_SUCH_HOST: N_("No machine is called {server}. Check how it is spelled."),
    ClientCode.NOT_DIADEM: N_("{server} is no Diadem server. Check address and port."),
    ClientCode.NOT_SECURE: N_(
        "{server} cannot show that it is itself. Ask your host for its certificate."
    ),
    ClientCode.NOT_UNDERSTOOD: N_(
        "What {server} sends makes no sense here. Update Diadem, or try another server."
    ),
    ClientCode.SERVER_FULL: N_("{server} is full. Try again in {seconds}."),
    ClientCode.VERSION_DIFFERS: N_(
        "The server speaks another version. Use the same one on both sides."
    ),
    # the client itself
    ClientCode.BAD_FILE: N_("That file cannot be used ({why}). Name another text file, or none."),
    ClientCode.HOST_FAILED: N_("Your server could not be started. The log says why: {log}."),
    ClientCode.WORDS_FAILED: N_(
        "The game for one could not be started with your words in {file}. The log says why: {log}."
    ),
    ClientCode.SOLO_FAILED: N_("The game for one could not be started. The log says why: {log}."),
}

REASONS: dict[str, str] = {
    "not_found": N_("there is none of that name"),
    "not_regular": N_("it is no ordinary file"),
    "not_readable": N_("it cannot be read"),
    "not_text": N_("it is no text in UTF-8"),
    "too_long": N_("it is too long"),
    "no_words": N_("no word can be read in it"),
}
"""Why a file cannot be used."""

MOST_REASONS = 10
LONGEST_DETAIL = 300
"""The longest detail of a refusal that is shown, in characters."""


def sentence_for(refusal: Refusal, names: Sequence[str] = (), game: str = "") -> str:
    """A sentence for a refusal and for each further reason it names."""
    reasons = (refusal, *refusal.also)[:MOST_REASONS]
    return " ".join(_sentence(each, names, game) for each in reasons)


def _sentence(refusal: Refusal, names: Sequence[str], game: str) -> str:
    """The sentence of one refusal; a plain one if its code is unknown, as from a newer server."""
    sentence = words_for(refusal.code, game)
    if sentence is None:
        return _("The server says no ({code}). Try something else.").format(code=refusal.code)
    return _(sentence).format_map(details(refusal.about, names, game))


def words_for(code: str, game: str = "") -> str | None:
    """The sentence of a code, of this game or of all games. Before there is a table the game may be unknown;
    then any game that has the code will do."""
    own = [GAMES[game].wording.refusals] if game in GAMES else []
    of_games = (each.wording.refusals for each in GAMES.values())
    return _first_of(code, chain(own, [COMMON], of_games))


def _first_of(code: str, wordings: Iterable[Mapping[str, str]]) -> str | None:
    return next((words[code] for words in wordings if code in words), None)


def details(about: Mapping[str, Any], names: Sequence[str], game: str) -> dict[str, str]:
    """What a refusal or a reason is about, as it is read; what was left out is empty."""
    shown = _Shown(seconds=_("a while"))  # of a server that does not say how long
    for key, value in about.items():
        shown[key] = _detail(key, value, names, game)[:LONGEST_DETAIL]
    return shown


def _detail(key: str, value: Any, names: Sequence[str], game: str) -> str:
    match key, value:
        case "seat", int():
            return names[value] if value in range(len(names)) else seat_number(value)
        case "seconds", int():
            return duration(value)
        case "why", list() | tuple():
            return listed(_reason(each, game) for each in value)
        case "why", _:
            return _reason(value, game)
        case _, list() | tuple():
            return _listing(key, value, game)
        case _, int():
            return grouped(value)
        case _:
            return str(value)


def _listing(key: str, values: Sequence[Any], game: str) -> str:
    listings = GAMES[game].wording.listings if game in GAMES else {}
    with suppress(KeyError, IndexError, TypeError, AttributeError):  # the server may have others
        if key in listings:
            return listings[key](values)
    return listed(map(str, values))


def _reason(code: Any, game: str) -> str:
    if not isinstance(code, str):
        return str(code)
    own = [GAMES[game].wording.reasons] if game in GAMES else []
    of_games = (each.wording.reasons for each in GAMES.values())
    words = _first_of(code, chain([REASONS], own, of_games))
    return _(words) if words else code


class _Shown(dict[str, str]):
    """Fills in a sentence even if the server left out a detail."""

    def __missing__(self, key: str) -> str:
        return ""
