"""The server's password: slips cost nothing, guessing is made slow, and only for whoever guesses."""

import logging
from pathlib import Path

import pytest
from websockets.asyncio.client import connect
from websockets.typing import Subprotocol

from diadem_server.app import App
from diadem_server.metrics import Metrics
from diadem_server.sessions import passwords
from diadem_server.sessions.passwords import PasswordCheck
from diadem_shared.protocol import SUBPROTOCOL, Bye, Hello, Welcome, pack, read_message
from tests.rig.wire import Player, server
from tests.server import Time, code

RIGHT, WRONG = "sesame", "simsim"
HERE, ELSEWHERE = "127.0.0.1", "127.0.0.2"


async def guess(app: App, password: str = WRONG, source: str = HERE, token: str = "") -> Bye:
    async with connect(
        f"ws://127.0.0.1:{app.port}",
        local_addr=(source, 0),
        subprotocols=[Subprotocol(SUBPROTOCOL)],
    ) as line:
        await line.send(pack(Hello("Eve", token=token, password=password)))
        answer = read_message(await line.recv())
    assert isinstance(answer, Bye)
    return answer


async def guess_until_refused(app: App, **given: str) -> Bye:
    for _ in range(passwords.FREE_GUESSES):
        slip = await guess(app, **given)
        assert code(slip) == "password_wrong"
        assert slip.why.about == {}
    last = await guess(app, **given)
    assert code(last) == "password_wrong"
    assert last.why.about == {"seconds": 1}
    return await guess(app, RIGHT, **given)


async def test_who_keeps_guessing_has_to_wait_and_is_told_how_long(
    tmp_path: Path, time: Time
) -> None:
    async with server(tmp_path, password=RIGHT) as app:
        refused = await guess_until_refused(app)
        assert code(refused) == "too_many_guesses", "not even the right one is looked at"
        assert refused.why.about == {"seconds": 1}
        time.goes_on(1)
        again = await guess(app)
        assert again.why.about == {"seconds": 2}
        assert app.lobby.metrics.passwords_wrong == passwords.FREE_GUESSES + 2
        time.goes_on(2)
        async with Player(app.port, "Ana", password=RIGHT) as ana:
            assert ana.token


async def test_guesses_from_elsewhere_keep_nobody_out(tmp_path: Path) -> None:
    async with server(tmp_path, password=RIGHT) as app:
        assert code(await guess_until_refused(app, source=ELSEWHERE)) == "too_many_guesses"
        async with Player(app.port, "Ana", password=RIGHT) as ana:
            assert ana.token


async def test_a_player_comes_back_though_a_stranger_guesses_behind_the_same_address(
    tmp_path: Path,
) -> None:
    async with server(tmp_path, password=RIGHT) as app:
        ana = Player(app.port, "Ana", password=RIGHT)
        await ana.connect()
        await ana.disconnect()
        assert code(await guess_until_refused(app)) == "too_many_guesses"
        assert isinstance(await ana.connect(), Welcome)
        await ana.disconnect()


async def test_a_token_is_no_way_to_guess_either(tmp_path: Path) -> None:
    async with server(tmp_path, password=RIGHT) as app:
        async with Player(app.port, "Ana", password=RIGHT) as ana:
            pass
        refused = await guess_until_refused(app, token=ana.token)
        assert code(refused) == "too_many_guesses"


async def test_no_password_at_all_is_no_guess(tmp_path: Path) -> None:
    async with server(tmp_path, password=RIGHT) as app:
        for _ in range(2 * passwords.FREE_GUESSES):
            asked = Player(app.port, "Ana")
            answer = await asked.connect()
            assert code(answer) == "password_needed"
            await asked.disconnect()
        assert app.lobby.metrics.passwords_wrong == 0


async def test_a_wrong_password_is_logged_without_itself_and_not_without_end(
    caplog: pytest.LogCaptureFixture,
) -> None:
    check = PasswordCheck(RIGHT, Metrics())
    with caplog.at_level(logging.WARNING):
        for number in range(100):
            assert check.refusal(WRONG, f"192.0.2.{number}", None) is not None
    assert len(caplog.messages) == passwords.LOG_BURST
    assert caplog.messages[0].startswith("wrong password from 192.0.2.0")
    assert WRONG not in caplog.text


async def test_passwords_of_any_letters_are_compared() -> None:
    check = PasswordCheck("Öl für Ana", Metrics())
    assert check.refusal("Öl für Ana", "192.0.2.1", None) is None
    assert check.refusal("Öl", "192.0.2.1", None) is not None
