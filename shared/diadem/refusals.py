"""Every code by which something may be refused, so that a client can have a sentence for each."""

from diadem.game import COMMON_REFUSALS
from diadem.games import GAMES
from diadem.match import REFUSALS as OF_MATCHES

OF_THE_LINE = frozenset(
    {
        "bad_frame",
        "bad_value",
        "frame_too_long",
        "hello_again",
        "id_reused",
        "journal_unavailable",
        "name_empty",
        "name_in_use",
        "name_too_long",
        "no_hello",
        "password_needed",
        "password_wrong",
        "replaced",
        "server_closing",
        "too_fast",
        "too_many_bad_frames",
        "too_many_guesses",
    }
)
"""What a server says of a connection, beside what it asks for."""
OF_TABLES = frozenset(
    {
        "again",
        "at_no_table",
        "listed_already",
        "banned",
        "has_seat",
        "list_full",
        "no_seat",
        "not_agreed",
        "no_spectators",
        "no_such_person",
        "no_such_replay",
        "no_such_table",
        "not_over",
        "not_playing",
        "nothing_said",
        "only_the_maker",
        "own_seat",
        "removed",
        "seated_already",
        "seated_elsewhere",
        "table_broken",
        "table_kept",
        "too_many_changes",
        "too_many_own_tables",
        "too_many_tables",
        "too_many_tables_from_address",
    }
)
"""What a server says of commands, and of why somebody is at a table no longer."""
OF_SERVERS = OF_THE_LINE | OF_TABLES
OF_GAMES = COMMON_REFUSALS | {"no_drafts"}.union(*(game.refusals for game in GAMES.values()))
ALL = OF_SERVERS | OF_MATCHES | OF_GAMES
