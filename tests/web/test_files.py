"""Players in a browser learn nothing of the host's files, whatever they type and send."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.rig import canaries
from tests.rig.gates import open_files
from tests.rig.wire import Player
from tests.web.rig import get, host, new_cookie, window


@pytest.fixture
def canary() -> Iterator[str]:
    with canaries.canary() as file:
        yield file


async def test_a_file_named_in_whatever_the_page_may_say_is_shown_to_nobody(
    tmp_path: Path, canary: str
) -> None:
    async with (
        host(tmp_path) as at,
        Player(at.app.port, "Bob") as bob,
        window(at.port, canary[:20], lang=canary, table=canary) as ana,
    ):
        await canaries.is_not_shown(canary, ana, ana.press, bob)
        assert ana.welcome["table"] == ""


async def test_no_path_leads_out_of_the_page(tmp_path: Path, canary: str) -> None:
    async with host(tmp_path) as at:
        for path in (
            canary,
            f"/..{canary}",
            f"/%2e%2e{canary}",
            f"//{canary}",
            f"/page.mjs/..{canary}",
        ):
            answer = await get(at.port, path)
            assert answer.status == 404
            assert canaries.CONTENT.encode() not in answer.body


async def test_a_cookie_names_no_folder(tmp_path: Path) -> None:
    """Settings are kept in a folder whose name follows from it, and says nothing of it."""
    async with host(tmp_path) as at:
        cookie = await new_cookie(at.port)
        async with window(at.port, cookie=cookie) as ana:
            await ana.reads("Diadem, as ana")
        kept = [str(each.relative_to(tmp_path)) for each in (tmp_path / "web").rglob("*")]
        assert kept
        assert not any(cookie.partition("=")[2][:10] in each for each in kept)
        assert (tmp_path / "web" / "players_secret").stat().st_mode & 0o777 == 0o600


async def test_a_hosted_client_has_nothing_of_the_gates_open(tmp_path: Path) -> None:
    async with host(tmp_path) as at, window(at.port) as ana:
        await ana.reads("Diadem, as ana")
        (client,) = at.clients
        there = open_files(client)
        assert not any("socket" in each for each in there[:3])
        assert (
            sum(each.startswith("socket:") for each in there) <= 4
        )  # the server, the line to the gate, and the loop's own pair
        assert not any(str(tmp_path) in each for each in there)
