"""Why something was not done, in a sentence that says what to do instead."""

from collections.abc import Mapping, Sequence
from typing import Any

from diadem.game import Refusal
from diadem_client.games.castles import telling as castles
from diadem_client.i18n import N_, listed
from diadem_client.i18n import gettext as _
from diadem_client.wording.options import duration

COMMON: dict[str, str] = {
    # every game
    "not_your_turn": N_("It is not your turn yet. Wait until your name is marked."),
    "round_over": N_("This round is over. The next one begins when all are ready."),
    "unreadable": N_("I cannot read that. Type it like one of these: {forms}."),
    "bad_option": N_("That option cannot be set so ({what}). Choose one that is offered."),
    "no_such_seat": N_("There is no such seat. Choose one of the players at this table."),
    "own_seat": N_("That is yourself. Choose another player."),
    # castles
    "already_drew": N_("Buying has to come before any drawing. Draw on, or stop."),
    "danger_waits": N_("First settle what was drawn: give up cards, or play your protection."),
    "must_draw_first": N_("Draw one card at least before you stop, or buy one."),
    "no_castle": N_("You can buy only what you are building. Draw until you begin something."),
    "no_danger": N_("Nothing threatens you now. Keep your cards, and draw or stop."),
    "no_shield": N_("You hold no protection. Give up cards instead."),
    "not_held": N_("You do not hold {cards}{tiles}. Choose from what lies before you."),
    "pay_exactly": N_("Choose exactly {need} to give up; that were {offered}."),
    "seller_has_none": N_("{seat} has no part of yours in reserve. Ask somebody else, or draw."),
    "too_poor": N_("That costs {need}, and you have {have}. Draw instead."),
    # Diadingo
    "no_empty_ring": N_("You have no empty ring of {value} dollars. Choose another value."),
    "no_such_spot": N_("The board has no spot {spot}. Choose one from A1 to G4."),
    "no_such_value": N_("There are no rings of {value} dollars. Choose one of: {values}."),
    "no_theft": N_("There is no theft to use now. Take a diamond from the board."),
    "nothing_to_steal": N_(
        "{seat} has no filled ring of {value} dollars. Choose another player or value."
    ),
    "spot_empty": N_("{spot} is empty already. Choose a spot where a diamond lies."),
    "theft_waits": N_("First use the theft that lies open: choose a ring to rob, or decline."),
    # Diamino
    "bad_file": N_("That file cannot be used ({why}). Name another text file, or none."),
    "bad_board": N_("That board cannot be read ({why}). Leave it out for the standard one."),
    "bad_draft": N_("That cannot be tried out. Take the tiles back and lay them anew."),
    "being_judged": N_("The last play is being judged. Accept it or object first."),
    "black_field": N_("{fields} is black: {why}. Lay around it."),
    "field_taken": N_("{fields} is taken already. Lay beside it, or skip it."),
    "gap": N_("There is a gap at {fields}. Fill it, or lay closer together."),
    "give_first": N_("First say what you give back for the red fields, or keep all."),
    "joker_unnamed": N_("The joker on {fields} has no letter yet. Lay it anew, and name one."),
    "no_such_word_list": N_("The server has no such word list. It has: {lists}."),
    "not_in_line": N_("Tiles go in one line, across or down. Take some back."),
    "not_on_start": N_("The first word has to begin on {start}. Lay it there."),
    "not_your_tiles": N_("You do not hold {tiles}. Use the tiles of your hand."),
    "nothing_laid": N_("Nothing is laid yet. Lay a word, exchange, or pass."),
    "nothing_to_exchange": N_("No tile is chosen yet. Mark those to exchange first."),
    "nothing_to_give": N_("There is nothing to give back now. Lay, exchange or pass."),
    "nothing_to_judge": N_("There is nothing to judge now. Wait for the next play."),
    "off_board": N_("{tiles} would lie beside the board. Begin further back."),
    "only_lay_or_pass": N_("Exchanging is over. Lay a word, or pass."),
    "opening_length": N_("The first word has 2 to 8 letters; that were {length}."),
    "reserve_too_small": N_("The reserve has {reserve} tiles left. Exchange no more than that."),
    "too_many": N_("That is too much. Give back {most} at the most."),
    "touches_nothing": N_("The word has to touch one that lies there. Lay it against another."),
    "unknown_words": N_("The list does not know {words}. Try another word."),
    "no_drafts": N_("This game has nothing to try out. Play the move itself."),
    # the match
    "already_back": N_("You are playing yourself already. Just go on."),
    "already_started": N_("The round is running already. Wait for its end, or look on."),
    "bad_rounds": N_("A match has 1 to {most} rounds. Choose a number among these."),
    "between_rounds": N_("The next round has not begun. Say that you are ready."),
    "match_over": N_("The match is over. Make a new table to play again."),
    "name_taken": N_("Somebody called {name} sits here already. Come back under another name."),
    "no_such_bot": N_("There is no such bot. Choose one of: {bots}."),
    "no_such_game": N_("The server does not know that game. Choose one of: {games}."),
    "not_started": N_("The match has not begun. Start it, or say that you are ready."),
    "table_full": N_("All {seats} seats are taken. Look on, or go to another table."),
    "too_few_players": N_("It takes {need} players. Add a bot, or wait for somebody."),
    # the server
    "again": N_("Everybody goes on to table {table}."),
    "at_no_table": N_("You are at no table. Choose one in the lobby, or make one."),
    "banned": N_("Who decides for that table keeps you away from it. Choose another one."),
    "has_seat": N_("{name} has a seat in this match and cannot be sent away. You can mute them."),
    "hello_again": N_("Something went wrong on the line. Connect anew."),
    "id_reused": N_("The server took that for something you did before. Do it once more."),
    "list_full": N_("That list is full with {most} names. Take one off it first."),
    "journal_unavailable": N_("The server cannot save just now. Try again in a moment."),
    "listed_already": N_("Everybody saw this table in the list. Make a new one to keep it out."),
    "name_empty": N_("A name needs a letter or two. Type one."),
    "name_in_use": N_("Somebody called {name} is here already. Take another name."),
    "name_too_long": N_("Names have {most} letters at the most. Take a shorter one."),
    "no_hello": N_("The server heard no greeting in time. Connect anew."),
    "no_seat": N_("You have no seat at this table; you look on. Sit down before the start."),
    "no_spectators": N_("This table has begun and lets nobody look on. Choose another."),
    "no_such_person": N_("Nobody called {name} is here. Choose somebody from the list."),
    "no_such_replay": N_("There is no finished match {table} of yours. Look at the list."),
    "no_such_table": N_("There is no table {table}. Check the code, or choose from the list."),
    "not_agreed": N_("The options were changed. Before you start, wait for these: {names}."),
    "not_over": N_("The match still runs. Finish it before you play it again."),
    "not_playing": N_("You are not in a running round. Wait until it begins."),
    "nothing_said": N_("Nothing to say in that. Type a few words."),
    "only_the_maker": N_("Only who decides for this table may do that. Ask in the chat."),
    "password_needed": N_("This server asks for a password. Type the one you were given."),
    "password_wrong": N_("That is not the password. Type it again, or ask your host."),
    "removed": N_("Who decides for that table has sent you away. You may come back to it."),
    "replaced": N_("You went on in another window. Close that one, or connect here again."),
    "seated_already": N_("You have a seat here already. Say when you are ready."),
    "seated_elsewhere": N_("You still have a seat at table {table}. Finish there, or leave it."),
    "server_closing": N_("The server is closing. It is tried again until it is back."),
    "table_broken": N_("The table broke down; the server kept a record. Make a new one."),
    "table_kept": N_("Table {table} cannot go on after an update; it is kept. Make a new one."),
    "too_fast": N_("That was too fast for the server. Try again in {seconds}."),
    "too_many_bad_frames": N_("The line garbles what is sent. Connect anew."),
    "too_many_guesses": N_(
        "Too many wrong passwords came from where you are. Try again in {seconds}."
    ),
    "too_many_changes": N_(
        "A table takes {most} such changes and no more. Play on, or make a new one."
    ),
    "too_many_own_tables": N_(
        "You keep {most} tables already. Finish a match, or wait a few minutes."
    ),
    "too_many_tables": N_("The server has room for {most} tables. Join one of them."),
    "too_many_tables_from_address": N_(
        "{most} tables were made from your address already. Join one, or try again later."
    ),
    "bad_value": N_("The server takes no such value for {field}. Choose another one."),
    "frame_too_long": N_("That is too long for the server. Make it shorter."),
    "bad_frame": N_("The server could not read that ({what}). Try it another way."),
    # the line
    "bad_address": N_("That is no address. Type a name like games.example, or 192.0.2.7:7453."),
    "connection_lost": N_("The line to {server} broke. Connect anew."),
    "not_connected": N_("Not connected, so that was not done. Try again when the line is back."),
    "connection_refused": N_(
        "Nobody answers at {server}. Is the server running there? Check the port."
    ),
    "forbidden": N_("{server} says no: {what}."),
    "no_answer": N_("{server} does not answer. Check the address, and your network."),
    "no_such_host": N_("No machine is called {server}. Check how it is spelled."),
    "not_diadem": N_("{server} is no Diadem server. Check address and port."),
    "not_secure": N_("{server} cannot show that it is itself. Ask your host for its certificate."),
    "not_understood": N_(
        "What {server} sends makes no sense here. Update Diadem, or try another server."
    ),
    "server_full": N_("{server} is full. Try again in {seconds}."),
    "version_differs": N_("The server speaks another version. Use the same one on both sides."),
    # the client itself
    "solo_failed": N_("The game for one could not be started. The log says why: {log}."),
}

GAMES: dict[str, dict[str, str]] = {
    "diamoniak": {
        "danger_waits": N_("The witch waits: give up cards, or play your fairy."),
        "no_shield": N_("You have no fairy. Give up cards instead."),
        "no_danger": N_("There is no witch now. Draw, or stop."),
        "too_poor": N_("A part costs {need} diamonds, and you have {have}. Draw instead."),
        "no_castle": N_("You build no castle yet. Draw until you begin one."),
    },
    "piratatak": {
        "danger_waits": N_("The pirate waits: give up cards, or fire your cannon."),
        "no_shield": N_("You have no cannon. Give up cards instead."),
        "no_danger": N_("There is no pirate now. Draw, or stop."),
        "too_poor": N_("A part costs {need} gold coins, and you have {have}. Draw instead."),
        "no_castle": N_("You build no ship yet. Draw until you begin one."),
    },
}
"""Where a game has better words than the common ones."""


CARDS = {"diamoniak": castles.diamoniak(), "piratatak": castles.piratatak()}
"""Where a refusal is about cards."""

REASONS: dict[str, str] = {
    # a black field
    "hand_not_emptied": N_("only your very last tile may lie on black"),
    "more_than_one": N_("only one tile may lie on black"),
    "reserve_not_empty": N_("black is barred until the reserve is empty"),
    "green_draws": N_("a green devil would bring you another tile"),
    # a file of one's own
    "not_found": N_("there is none of that name"),
    "not_regular": N_("it is no ordinary file"),
    "not_readable": N_("it cannot be read"),
    "not_text": N_("it is no text in UTF-8"),
    "too_long": N_("it is too long"),
    # a board of one's own
    "no_fields": N_("it has no fields"),
    "unknown_kind": N_("a letter in it stands for no kind of field"),
    "uneven_rows": N_("its rows are not equally long"),
    "too_large": N_("it is too large"),
    "too_small": N_("it is too small"),
    "walled_start": N_("no word can be laid from its start"),
    "not_one_start": N_("it needs exactly one start"),
}
"""Why, where a refusal says so by a code of its own."""


MOST_REASONS = 10
LONGEST_DETAIL = 300
"""Letters of what a server tells with a refusal."""


def explain(refusal: Refusal, names: Sequence[str] = (), game: str = "") -> str:
    """A sentence for every reason there is, the first one first."""
    reasons = (refusal, *refusal.also)[:MOST_REASONS]
    return " ".join(_sentence(each, names, game) for each in reasons)


def _sentence(refusal: Refusal, names: Sequence[str], game: str) -> str:
    """What a newer server may refuse for reasons unknown here gets a plain one."""
    sentence = GAMES.get(game, {}).get(refusal.code) or COMMON.get(refusal.code)
    if sentence is None:
        return _("The server says no ({code}). Try something else.").format(code=refusal.code)
    return _(sentence).format_map(_Shown(_shown(refusal.about, names, game)))


def _shown(about: Mapping[str, Any], names: Sequence[str], game: str) -> dict[str, str]:
    shown = {"seconds": _("a while")}  # of a server that does not say how long
    for key, value in about.items():
        shown[key] = _detail(key, value, names, game)[:LONGEST_DETAIL]
    return shown


def _detail(key: str, value: Any, names: Sequence[str], game: str) -> str:
    match key, value:
        case "seat", int():
            return names[value] if value in range(len(names)) else str(value + 1)
        case "seconds", int():
            return duration(value)
        case "cards", list() | tuple() if game in CARDS:
            return _cards(value, game)
        case "why", list() | tuple():
            return listed(map(_reason, value))
        case "why", _:
            return _reason(value)
        case _, list() | tuple():
            return listed(map(str, value))
        case _:
            return str(value)


def _cards(cards: Sequence[Any], game: str) -> str:
    try:
        return CARDS[game].listed(cards)
    except (KeyError, IndexError, TypeError, AttributeError):
        return listed(map(str, cards))  # the server has others


def _reason(code: Any) -> str:
    return _(REASONS[code]) if isinstance(code, str) and code in REASONS else str(code)


class _Shown(dict[str, str]):
    """A sentence never breaks for want of a detail."""

    def __missing__(self, key: str) -> str:
        return ""
