"""The beginning of a conversation: a client says hello, and is welcomed as who they are."""

from msgspec import structs
from websockets.frames import CloseCode

from diadem_server import VERSION
from diadem_server.lobby.lobby import Lobby
from diadem_server.net.http import ClientOrigin
from diadem_server.net.outbox import Outbox
from diadem_server.net.server_limits import BOT_PACE, limits
from diadem_server.sessions import names
from diadem_server.sessions.outbox import Outbox as OlderOutbox
from diadem_server.sessions.sessions import Session
from diadem_server.storage.journal import JournalUnavailable
from diadem_shared.lexicon import shelf
from diadem_shared.protocol import (
    FEATURES,
    MOVES,
    SHUFFLE,
    BadFrame,
    Bye,
    Hello,
    Welcome,
    pack,
    read_command,
)
from diadem_shared.refusals import Code, Refusal, RefusalError


class Disconnect(Exception):
    """The client is disconnected, and told why."""

    def __init__(self, refusal: Refusal, code: CloseCode = CloseCode.POLICY_VIOLATION) -> None:
        super().__init__(refusal)
        self.refusal = refusal
        self.code = code


async def greet(
    lobby: Lobby, client: ClientOrigin, outbox: Outbox, message: bytes | str
) -> Session:
    """Raises Disconnect if it is no hello, or not one to be let in with."""
    try:
        hello = read_command(message)
    except BadFrame as bad:
        lobby.metrics.bad_frames += 1
        raise Disconnect(bad.refusal) from None
    if not isinstance(hello, Hello):
        raise Disconnect(Refusal(Code.NO_HELLO))
    if client.token:
        hello = structs.replace(hello, token=client.token)
    try:
        bot = lobby.bot_tokens.name_for(hello.token)
        if bot is None:
            await _check_password(lobby, client, hello)
        return await _welcome(lobby, client, outbox, hello, bot)
    except RefusalError as refused:
        raise Disconnect(refused.refusal) from None
    except JournalUnavailable:
        raise Disconnect(Refusal(Code.JOURNAL_UNAVAILABLE), CloseCode.TRY_AGAIN_LATER) from None


async def _check_password(lobby: Lobby, client: ClientOrigin, hello: Hello) -> None:
    known = await lobby.sessions.find(hello.token)
    known_id = known.id if known else None
    if why := lobby.passwords.refusal(hello.password, client.prefix, known_id):
        raise RefusalError(why)


async def _welcome(
    lobby: Lobby, client: ClientOrigin, outbox: Outbox, hello: Hello, bot: str | None
) -> Session:
    """`bot`: its name, if it comes by a token that the host has given it."""
    sessions, registry = lobby.sessions, lobby.registry
    token = hello.token or ""
    session = await lobby.resume(hello.token)
    was_known = session is not None
    if session is not None and await registry.seat_of(session.id) is not None:
        name = session.name  # at a table a player keeps the name they sat down with
    else:
        name = bot or names.clean(hello.name)
        if why := names.against(name):
            raise RefusalError(why)
        if bot is None and lobby.bot_tokens.reserves(name):
            raise RefusalError(Refusal(Code.NAME_IN_USE, {"name": name}))
    if session is None:
        if await registry.is_name_taken(name):
            raise RefusalError(Refusal(Code.NAME_IN_USE, {"name": name}))
        if bot is None:
            lobby.quota.admit_newcomer(client.prefix)
        if bot or client.token:
            session = await sessions.make_for(token, name, client.prefix)
        else:
            session, token = await sessions.make(name, client.prefix)
    # The newest connection with a token wins, unless another has come by that name meanwhile.
    older = await lobby.connected(session, name, outbox, client.prefix)
    session.wants_moves, session.has_bot_token = MOVES in hello.wants, bot is not None
    session.is_bot = hello.bot or bot is not None
    session.adds_chance |= SHUFFLE in hello.wants
    if older is not None:
        replace(older)
    if was_known:
        lobby.spawn(sessions.seen(session))
    outbox.send(
        pack(
            Welcome(
                name=session.name,
                token=token,
                server=lobby.config.name,
                version=VERSION,
                table=await registry.seat_of(session.id),
                word_lists=shelf.lines(),
                bot_pause=round(lobby.config.bot_pause * 1000),
                doors=lobby.doors.lines(),
                features=FEATURES,
                limits=limits(lobby.config, BOT_PACE if bot else 1),
            )
        )
    )
    return session


def replace(older: OlderOutbox) -> None:
    """A newer connection has come."""
    older.send(pack(Bye(Refusal(Code.REPLACED))))
    older.disconnect(CloseCode.GOING_AWAY, "replaced")
