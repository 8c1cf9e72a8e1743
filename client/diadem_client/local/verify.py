"""`game-client --verify`: whether a match was dealt and played as its file tells, without a screen."""

import asyncio
import re
import sys
import time
from pathlib import Path

from diadem_client import VERSION
from diadem_client.i18n import gettext as _
from diadem_client.i18n import sanitized
from diadem_client.local import demo
from diadem_client.local.kept_matches import KeptMatches
from diadem_client.local.local_file import read_bytes, read_text
from diadem_client.local.own_words import OwnWords
from diadem_client.net.address import Address, read_address
from diadem_client.net.client import Client
from diadem_client.net.match_audit import NotExported, fetch
from diadem_client.net.session import ClientSession
from diadem_client.net.transport import NOT_CONNECTED, Closed
from diadem_client.settings import SettingsStore
from diadem_client.state.forms import UnusableFile
from diadem_client.wording.refusals import sentence_for
from diadem_client.wording.transcript import transcript
from diadem_client.wording.verified import what_does_not, what_holds
from diadem_shared.match_file import MOST_BYTES, Untrue, read
from diadem_shared.protocol import Refused
from diadem_shared.verification import play, verify_whole

HOLDS, DOES_NOT, UNUSABLE = 0, 1, 2
CODE = re.compile(r"[0-9A-Za-z]{1,12}")
ANSWER_SECONDS = 20.0
"""For which a server is waited for."""


class Unavailable(Exception):
    """There is no match to be looked at; the sentence that says why."""


def run(
    what: str,
    where: tuple[str, str],
    words: OwnWords,
    *,
    keep: str | None,
    tells: bool,
    pace: float | None,
) -> int:
    """Verify a file, or the match of this code, and print what was found. `where`: a server, and the player's name there;
    `words`: for a match that was played by them."""
    try:
        data = take(what, *where)
        if keep is not None:
            _write(keep, data)
    except Unavailable as why:
        print(f"game-client: {why}", file=sys.stderr)
        return UNUSABLE
    except UnusableFile as unusable:
        print(f"game-client: {sentence_for(unusable.refusal)}", file=sys.stderr)
        return UNUSABLE
    except KeyboardInterrupt:
        return UNUSABLE
    return _verify(what, data, words, tells=tells, pace=pace)


def _verify(what: str, data: bytes, words: OwnWords, *, tells: bool, pace: float | None) -> int:
    try:
        file = read(data)
        words.bring(file, read_text)
        verified = verify_whole(file)
    except Untrue as untrue:
        print(what_does_not(sanitized(what), untrue))
        return DOES_NOT
    except UnusableFile as unusable:
        print(f"game-client: {sentence_for(unusable.refusal)}", file=sys.stderr)
        return UNUSABLE
    except KeyboardInterrupt:
        print(_("Stopped before the end: nothing is known of it."))
        return UNUSABLE
    for sentence in what_holds(sanitized(what), verified):
        print(sentence)
    if tells:
        demo.print_slowly(transcript(file.header.table, play(file)), pace)
    return HOLDS


def take(what: str, server: str, name: str) -> bytes:
    """A file of this name, or else the match of this code, from this machine or from the server. Raises Unavailable and
    UnusableFile."""
    if Path(what).exists() or not CODE.fullmatch(what):
        return read_bytes(what, MOST_BYTES)
    kept = KeptMatches(SettingsStore().past_matches_folder())
    if (own := kept.find(what.upper())) and (data := kept.read(own.file)) is not None:
        return data
    if not server:
        raise Unavailable(
            _("there is no file {what}; of which server is that the code? Say it with --host")
            .format(what=sanitized(what))
        )  # fmt: skip
    try:
        return asyncio.run(_fetched(read_address(server), name, what.upper()))
    except TimeoutError:
        raise Unavailable(
            _("the server at {server} does not answer").format(server=server)
        ) from None


async def _fetched(address: Address, name: str, code: str) -> bytes:
    """As the player who played there; a client of theirs that is connected is disconnected by it."""
    store = SettingsStore()
    session = ClientSession(
        name, version=VERSION, first_id=time.time_ns() // 1_000_000, token=store.token(address, name)
    )  # fmt: skip
    changed = asyncio.Event()
    client = Client(address, session, lambda _picture: changed.set())
    running = asyncio.create_task(client.run())
    try:
        async with asyncio.timeout(ANSWER_SECONDS):
            while not client.is_connected:
                _refuse_if_closed(client)
                changed.clear()
                await changed.wait()
            return await fetch(client.ask, code)
    except NotExported as refused:
        why = refused.answer.why if isinstance(refused.answer, Refused) else NOT_CONNECTED
        raise Unavailable(sentence_for(why)) from None
    except Untrue as untrue:
        raise Unavailable(what_does_not(code, untrue)) from None
    finally:
        running.cancel()


def _refuse_if_closed(client: Client) -> None:
    link = client.client_state.link
    if isinstance(link, Closed):
        raise Unavailable(sentence_for(link.why))


def _write(path: str, data: bytes) -> None:
    try:
        with Path(path).expanduser().open("xb") as file:
            file.write(data)
    except FileExistsError:
        raise Unavailable(_("{file} is there already").format(file=sanitized(path))) from None
    except (OSError, RuntimeError, ValueError):
        raise Unavailable(_("{file} cannot be written").format(file=sanitized(path))) from None
