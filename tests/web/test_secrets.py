"""What is secret stays so: the log tells who came, and nothing by which anybody could be them."""

from pathlib import Path

from diadem_shared import protocol
from diadem_shared.entries import Setup
from tests.rig.wire import Player
from tests.server import done
from tests.server.test_cli import running
from tests.web.rig import get, hello, new_cookie, socket, window

SECRET = Path("web") / "players_secret"


async def test_the_log_tells_no_cookie_no_code_and_nothing_that_is_typed(tmp_path: Path) -> None:
    """Also not of those who are refused, and where connections that go wrong are told of."""
    options = ("--data", str(tmp_path), "--web", "0", "--verbose", "--name", "The kitchen")
    async with running(*options) as (process, port, said):
        assert process.stdout is not None
        web = int(next(each for each in said if "http://" in each).rstrip().rpartition(":")[2])
        cookie = await new_cookie(web)
        _, _, identity = cookie.partition("=")
        async with Player(port, "Bob") as bob:
            table = await bob.make(Setup("diamoniak", private=True))
            async with window(web, "Ana", cookie, table=table) as ana:
                await ana.reads("sits down")
                await done(bob, protocol.Say, "open sesame")
                await get(web, f"/{table}", {"Cookie": cookie, "Origin": "https://evil.example"})
                async with await socket(web, cookie) as line:
                    await line.send(hello(table=table, name="Ana")[:-1])
                    await line.wait_closed()
                async with await socket(web, f"{cookie}x") as line:
                    await line.wait_closed()
                await ana.press("typed words")
                assert await ana.quit() in {1000, 4001}
        process.terminate()
        told = "".join(said) + (await process.stdout.read()).decode()
    assert "web: Ana came from 127.0.0.1" in told
    secret = (tmp_path / SECRET).read_bytes()
    for each in (identity, table, "sesame", "typed", secret.hex(), repr(secret)):
        assert each not in told
