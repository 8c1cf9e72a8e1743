"""Requests that take several commands; each returns the refusal if one of them is refused."""

from asyncio import Future

from diadem_client.net.client import Client
from diadem_shared import protocol
from diadem_shared.entries import Setup
from diadem_shared.protocol import Accepted, Answer, Refused
from diadem_shared.refusals import Refusal


async def join(client: Client, joined: Future[Answer], *, sit: bool) -> Refusal | None:
    answer = await joined
    if isinstance(answer, Accepted) and sit:
        answer = await client.ask(protocol.Sit)
    return _refusal(answer)


async def make(
    client: Client, made: Future[Answer], bots: tuple[str, ...], *, starts: bool = True
) -> Refusal | None:
    """Make a table, seat its bots and start, unless that is left to the player."""
    if refusal := _refusal(await made):
        return refusal
    for level in bots:
        await client.ask(protocol.AddBot, level)
    return _refusal(await client.ask(protocol.Start)) if bots and starts else None


async def make_instead(
    client: Client, setup: Setup, bots: tuple[str, ...], *, starts: bool = False
) -> Refusal | None:
    """Give up the match that was left, or that is played, and make a new one."""
    await client.ask(protocol.Resign)
    await client.ask(protocol.Part)
    return await make(client, client.ask(protocol.Make, setup), bots, starts=starts)


def _refusal(answer: Answer) -> Refusal | None:
    return answer.why if isinstance(answer, Refused) else None
