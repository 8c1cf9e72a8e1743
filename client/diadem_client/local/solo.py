"""The server of a solo game: a child process on this machine, for as long as the client runs."""

from pathlib import Path

from diadem_client.local.child import ChildServer, ServerFailed
from diadem_client.local.own_words import OwnWords
from diadem_client.net.address import Address
from diadem_client.state import forms
from diadem_shared.bot_levels import gentlest
from diadem_shared.entries import Setup
from diadem_shared.games import GAMES

SOLO_ADDRESS = Address("solo")
"""Stands for the address of a solo server, whose port changes with every start."""
LOOPBACK = (
    *("--host", "127.0.0.1", "--port", "0", "--bot-pause", "0.2"),
    *("--keep-replays", "20"),
    *("--max-written", "100000"),  # it is the player's own disk, and bots may play on for hours
)
"""Bots hardly wait: how fast they are shown is for the player to say. Past matches are kept by the client itself."""
BOTS_AT_FIRST = 2


class SoloServer(ChildServer):
    """The constructor spawns the server; `port` waits until it listens."""

    def __init__(self, folder: Path | None, words: OwnWords | None = None) -> None:
        """Without a folder nothing is kept."""
        self.words = words or OwnWords("")
        kept = ("--data", str(folder)) if folder else ()
        super().__init__(*LOOPBACK, *self.words.options, *kept)
        self.is_kept = folder is not None
        """Whether the match is kept on disk, so that the next start can resume it."""

    async def port(self) -> int:
        try:
            return await super().port()
        except ServerFailed:
            if not self.is_kept:
                raise
        # Another client uses that folder, or it cannot be used: play without keeping the match.
        self.is_kept = False
        self.start_again(*LOOPBACK, *self.words.options)
        return await super().port()


def setup_for(game: str, words: OwnWords, rounds: int = 1) -> Setup:
    options = forms.default_answers(game) | words.for_game(game)
    return Setup(game, options, rounds=rounds, patience=None, private=True)


def bots_for(game: str, count: int | None = None, level: str | None = None) -> tuple[str, ...]:
    """The levels of the bots that one plays against; gentle ones if nothing else is wanted."""
    most = GAMES[game].seats[-1] - 1
    return (level or gentlest(GAMES[game].bots),) * (
        min(BOTS_AT_FIRST, most) if count is None else count
    )
