"""Nobody has the server keep more than their address's share, whatever they do; and a school behind one address plays."""

from contextlib import AsyncExitStack
from ipaddress import ip_network
from pathlib import Path

import pytest

from diadem_server.app import App
from diadem_server.config import MEGABYTE, Config
from diadem_server.lobby.address_quota import HOUR, LONGEST_BOT_PAUSE, AddressQuota
from diadem_server.net.addresses import prefix_of
from diadem_server.sessions.answers import REMEMBERED_ANSWERS
from diadem_server.sessions.sessions import Session, abbreviated
from diadem_server.storage.changes import NewSession
from diadem_shared import protocol
from diadem_shared.entries import Setup
from diadem_shared.protocol import Accepted, Bye, Welcome
from tests.rig.journals import select
from tests.rig.wire import Player, server
from tests.server import NUMBERS, Time, code, done

pytestmark = pytest.mark.usefixtures("numbers")
HERE = ip_network("127.0.0.0/8")
SCHOOL, HOME = "203.0.113.7", "198.51.100.9"
PUPILS = 30
STRANGERS = 10


async def test_a_school_behind_one_address_comes_and_plays_by_the_defaults(tmp_path: Path) -> None:
    defaults = Config(tmp_path)
    given = {
        "newcomers_an_hour": defaults.newcomers_an_hour,
        "written_an_hour": defaults.written_an_hour,
        "max_per_address": defaults.max_per_address,
        "connections_a_second": defaults.connections_a_second,
    }
    async with server(tmp_path, behind_proxy=HERE, **given) as app, AsyncExitStack() as stack:
        for number in range(PUPILS):
            pupil = Player(app.port, f"Pupil {number}", address=SCHOOL)
            await stack.enter_async_context(pupil)
            await done(pupil, protocol.Make, NUMBERS)
            await done(pupil, protocol.Say, "hello")
    quota = AddressQuota(defaults)
    pupil_session = Session(1, "Pupil")
    pupil_session.prefix = SCHOOL
    move = 250
    quota.written.spend(SCHOOL, PUPILS * 1_000 * move, 1.0)
    assert quota.refusal(pupil_session) is None, "thousand moves each, at once"


async def test_new_players_from_one_address_are_limited_and_known_ones_are_not(
    tmp_path: Path, time: Time
) -> None:
    async with server(tmp_path, behind_proxy=HERE, newcomers_an_hour=3) as app:
        people = [Player(app.port, f"P{number}", address=SCHOOL) for number in range(4)]
        *let_in, refused = [await player.connect() for player in people]
        assert all(isinstance(each, Welcome) for each in let_in)
        assert code(refused) == "too_many_newcomers"
        assert isinstance(refused, Bye)
        seconds = refused.why.about["seconds"]
        assert isinstance(seconds, int)
        assert 0 < seconds <= HOUR / 3
        async with Player(app.port, "Elsewhere", address=HOME):
            pass
        await people[0].disconnect()
        assert isinstance(await people[0].connect(), Welcome), "with their token"
        await people[3].disconnect()
        time.goes_on(seconds + 1)
        assert isinstance(await people[3].connect(), Welcome)
        for player in people:
            await player.disconnect()


def bytes_of_answers(app: App) -> int:
    """In the journal."""
    ((size,),) = select(
        app.config.data, "SELECT coalesce(sum(length(answer) + 80), 0) FROM answers"
    )
    return int(size)


async def test_strangers_who_are_refused_and_leave_have_nothing_kept_but_their_name(
    tmp_path: Path,
) -> None:
    """As often as a session remembers answers: once 180 KB of memory and disk each, for ten minutes."""
    async with server(tmp_path) as app, Player(app.port, "Ana") as ana:
        table = await ana.make(NUMBERS)
        for number in range(STRANGERS):
            async with Player(app.port, f"S{number}") as stranger:
                await stranger.join(table, sit=False)
                for _ in range(REMEMBERED_ANSWERS):
                    answer = await stranger.ask(protocol.Play, "x" * 600)
                    assert code(answer) == "no_seat"
                assert isinstance(await stranger.ask(protocol.Part), Accepted)
                session = app.lobby.sessions.known(stranger.token)
            assert session is not None
            while session.outbox is not None or session.answers.knows(1):
                await done(ana, protocol.WatchLobby, on=False)
        await app.lobby.journal.settled()
        assert bytes_of_answers(app) <= 200, "of Ana"


async def test_an_address_that_has_used_up_its_share_may_leave_and_ask_and_no_more(
    tmp_path: Path, time: Time
) -> None:
    async with (
        server(tmp_path, behind_proxy=HERE, written_an_hour=4_000) as app,
        Player(app.port, "Ana", address=SCHOOL) as ana,
        Player(app.port, "Bob", address=SCHOOL) as bob,
        Player(app.port, "Cem", address=HOME) as cem,
    ):
        table = await ana.make(Setup("numbers", rounds=20))
        await cem.join(table)
        entries = app.lobby.tables[table].match.entries
        said = 0
        while isinstance(answer := await ana.ask(protocol.Ready, ready=False), Accepted):
            said += 1
        assert code(answer) == "too_much_written"
        assert 0 < answer.why.about["seconds"] <= HOUR
        assert 5 < said < 100
        assert code(await bob.ask(protocol.Make, NUMBERS)) == "too_much_written"
        await done(cem, protocol.Ready, ready=False)
        again = protocol.AddBot(700, "halver")
        assert code(await ana.ask_again(again)) == "too_much_written"
        time.goes_on(HOUR)
        assert isinstance(await ana.ask_again(again), Accepted), "judged anew"
        assert app.lobby.tables[table].match.entries == entries + 1
        app.lobby.quota.written.spend(SCHOOL, 10_000, 1.0)
        await done(ana, protocol.Part)


async def test_bots_of_a_spent_address_play_on_slowly() -> None:
    quota = AddressQuota(Config(Path(), written_an_hour=MEGABYTE))
    maker = Session(1, "Ana")
    maker.prefix = SCHOOL
    assert quota.bot_pause(maker) == 0.0
    assert quota.bot_pause(None) == 0.0
    quota.written.spend(SCHOOL, 2 * MEGABYTE, 1.0)
    assert quota.bot_pause(maker) == LONGEST_BOT_PAUSE


async def test_other_nodes_are_told_of_bytes_now_and_then_and_of_all_of_them() -> None:
    quota, told = AddressQuota(Config(Path())), list[tuple[str, float]]()
    quota.written.used = lambda key, how_much: told.append((key, how_much))
    stranger = Session(1, "Ana")
    stranger.prefix = SCHOOL
    change = NewSession(1, b"", "Ana", 0.0)
    for _ in range(1_000):
        quota.spend(stranger, [change])
    assert 0 < len(told) < 10
    assert {key for key, _ in told} == {SCHOOL}
    spent = sum(how_much for _, how_much in told)
    there = AddressQuota(Config(Path()))
    for key, how_much in told:
        there.written.use_elsewhere(key, how_much)
    level = Config(Path()).written_an_hour - spent
    assert there.written.wait(SCHOOL, level) == 0.0
    assert there.written.wait(SCHOOL, level + 10_000) > 0.0


async def test_networks_of_one_site_share_what_it_may_have() -> None:
    """A provider's customer with a /48 has 65,536 networks."""
    quota = AddressQuota(Config(Path(), written_an_hour=MEGABYTE))
    people = [Session(number, f"P{number}") for number in range(6)]
    for number, person in enumerate(people):
        person.prefix = prefix_of(f"2001:db8:1:{number}::7")
    for person in people[:4]:
        assert quota.refusal(person) is None
        quota.written.spend(person.prefix, MEGABYTE, 1.0)
    assert quota.refusal(people[5]) is not None, "though it has used nothing"
    assert len({abbreviated(person.prefix) for person in people}) == 1
    assert abbreviated(SCHOOL) != abbreviated(HOME)
