"""Players who come over ssh sit at the same tables, and are known by their keys."""

from pathlib import Path

import asyncssh
import pytest

from diadem_client.terminal.round_trip import QUESTION
from diadem_server.host_names import PublicAddress
from diadem_server.net.own_addresses import reached_address
from diadem_shared import protocol
from diadem_shared.entries import Setup
from tests.rig.gates import until
from tests.rig.wire import Player
from tests.server import done, fill_disk, make_room, remember_connections
from tests.ssh.rig import KEY, Greeted, Host, connection, host, opened, visit

OTHER = asyncssh.generate_private_key("ssh-ed25519")


async def test_a_player_is_at_the_lobby_and_leaves(at: Host) -> None:
    async with visit(at.ssh.port) as ana:
        await ana.reads("Diadem, as ana")
        assert await ana.quit() == 0
        assert ana.text.endswith("Goodbye! A seat in a running match is kept for you.\r\n")
        await until(lambda: not at.clients, "the client to be gone")


@pytest.mark.parametrize("written", [str.upper, str.lower])
async def test_a_code_leads_to_its_table(tmp_path: Path, written: object) -> None:
    assert callable(written)
    async with host(tmp_path) as at, Player(at.app.port, "Bob") as bob:
        table = await bob.make(Setup("diamoniak", private=True))
        async with visit(at.ssh.port, command=written(table)) as ana:
            await ana.reads(f"{table}  before the start")
            await ana.reads("ana sits down")


async def test_a_line_is_measured_and_answers_to_no_question_do_nothing(tmp_path: Path) -> None:
    given = {"public_address": PublicAddress("games.example", 443, secure=True)}
    async with host(tmp_path, given) as at, visit(at.ssh.port) as ana:
        await ana.reads("Diadem, as ana")
        assert ana.bytes.count(QUESTION.encode()) == 1
        ana.forget()
        ana.press("\x1b[24;80R" * 3000 + "i")
        await ana.reads("ssh -t")
        assert QUESTION.encode() not in ana.bytes


async def test_a_player_can_invite_others_the_same_way(tmp_path: Path) -> None:
    given = {"public_address": PublicAddress("games.example", 443, secure=True)}
    async with host(tmp_path, given) as at, visit(at.ssh.port) as ana:
        await ana.reads("Diadem, as ana")
        ana.press("i")
        await ana.reads(f"ssh -t -p {at.ssh.port} games.example")
        await ana.reads("game-client --host wss://games.example:443")


async def test_without_a_name_of_the_host_s_it_is_the_address_one_came_by(tmp_path: Path) -> None:
    async with host(tmp_path, {"host": "0.0.0.0"}) as at, visit(at.ssh.port) as ana:  # noqa: S104
        here = reached_address("127.0.0.1")
        await ana.reads("Diadem, as ana")
        ana.press("i")
        if here:
            await ana.reads(f"ssh -t -p {at.ssh.port} {here}")
            await ana.reads(f"game-client --host {here}:{at.app.port}")
        else:
            await ana.reads("Only its host can tell")


async def test_a_code_that_leads_nowhere_leads_to_the_lobby(at: Host) -> None:
    async with visit(at.ssh.port, command="K7F3") as ana:
        await ana.reads("Diadem, as ana")
        await ana.reads("There is no table K7F3.")


async def play_with(bob: Player, at_port: int, key: asyncssh.SSHKey) -> str:
    """Ana sits down with Bob, they begin, and Ana's connection is cut; the table."""
    table = await bob.make(Setup("diamoniak"))
    line = await connection(at_port, "ana", key)
    async with opened(line, table) as ana:
        await ana.reads("ana sits down")
        await done(bob, protocol.Start)
        await ana.reads("deck")
        line.abort()
    return table


async def test_a_key_comes_back_to_its_seat_under_whatever_name(tmp_path: Path) -> None:
    async with host(tmp_path) as at, Player(at.app.port, "Bob") as bob:
        table = await play_with(bob, at.ssh.port, KEY)
        async with visit(at.ssh.port, "someone", KEY) as ana:
            await ana.reads(f"Diamoniak  {table}")
            await ana.reads("Your cards")


async def test_another_key_is_another_player(tmp_path: Path) -> None:
    async with host(tmp_path) as at, Player(at.app.port, "Bob") as bob:
        await play_with(bob, at.ssh.port, KEY)
        async with visit(at.ssh.port, "ana", OTHER) as impostor:
            await impostor.reads("Somebody called ana is here already")
            impostor.press("cem")  # over the name that is marked
            await impostor.reads("cem")
            impostor.press("\r")
            await impostor.reads(", as cem")


async def test_the_newest_session_of_a_key_has_the_seat(at: Host) -> None:
    async with visit(at.ssh.port) as first:
        await first.reads("Diadem, as ana")
        async with visit(at.ssh.port) as second:
            await second.reads("Diadem, as ana")
            await first.reads("another")
            first.forget()
            first.press("\r")
            await first.reads("Diadem, as ana")


async def test_guests_come_without_a_key_where_they_may(tmp_path: Path) -> None:
    async with (
        host(tmp_path, guests=True) as at,
        visit(at.ssh.port, "bob", None) as bob,
        visit(at.ssh.port, "cem", None) as cem,
    ):
        await bob.reads("Diadem, as bob")
        await cem.reads("Diadem, as cem")
        assert await cem.quit() == 0
        assert cem.text.endswith("Goodbye!\r\n")


async def test_guests_are_told_that_they_need_a_key(at: Host) -> None:
    heard: list[str] = []
    with pytest.raises(asyncssh.PermissionDenied):
        await connection(at.ssh.port, "bob", None, heard)
    assert heard == ["Players need a key here; without one: ssh-keygen -t ed25519\n"]


async def test_nobody_tries_for_ever(at: Host) -> None:
    with pytest.raises(asyncssh.DisconnectError, match="You have tried often enough"):
        await connection(
            at.ssh.port, "bob", None, client_factory=lambda: Greeted(stubbornness=1000)
        )


async def test_only_listed_keys_come_in_and_the_list_may_grow(tmp_path: Path) -> None:
    listed = tmp_path / "keys"
    listed.write_bytes(OTHER.export_public_key())
    heard: list[str] = []
    async with host(tmp_path, keys=listed) as at:
        with pytest.raises(asyncssh.PermissionDenied):
            await connection(at.ssh.port, "ana", KEY, heard)
        assert heard == ["Only players whose key the host knows are let in here.\n"]
        with listed.open("ab") as file:
            file.write(b"# Ana's\n" + KEY.export_public_key())
        async with visit(at.ssh.port) as ana:
            await ana.reads("Diadem, as ana")


async def test_whose_key_is_listed_needs_no_password(tmp_path: Path) -> None:
    listed = tmp_path / "keys"
    listed.write_bytes(KEY.export_public_key())
    async with (
        host(tmp_path, {"password": "sesame"}, keys=listed, guests=True) as at,
        visit(at.ssh.port, "ana") as ana,
        visit(at.ssh.port, "bob", None) as bob,
    ):
        await ana.reads("Diadem, as ana")
        await bob.reads("This server asks for a password.")
        bob.press("sesame\r")
        await bob.reads("Diadem, as bob")


async def test_a_key_that_was_only_shown_is_nobodys(tmp_path: Path) -> None:
    """Whoever shows another's key, cannot sign with it, and comes in as a guest, is a guest."""
    (stolen,) = asyncssh.load_keypairs([KEY])
    stolen.sign = OTHER_PAIR.sign  # type: ignore[method-assign]
    async with host(tmp_path, guests=True) as at, Player(at.app.port, "Bob") as bob:
        await play_with(bob, at.ssh.port, KEY)
        async with (
            await connection(at.ssh.port, client_keys=[stolen]) as line,
            opened(line) as thief,
        ):
            await thief.reads("Somebody called ana is here already")


(OTHER_PAIR,) = asyncssh.load_keypairs([OTHER])


SHOWN = {
    "[b]Ana[/b]": "[b]Ana[/b]",
    "[@click=app.quit]x[/]": "[@click=app.quit]x[/",
    "An\u202ea": "Ana",
    "Annegret" * 4: "AnnegretAnnegretAnne",
}
"""By what stands before the @."""


async def test_a_name_is_a_name_whatever_stands_in_it(at: Host) -> None:
    for given, shown in SHOWN.items():
        try:
            line = await connection(at.ssh.port, given)
        except (asyncssh.DisconnectError, ValueError):
            assert "\u202e" in given  # ssh itself knows no such names
            continue
        async with line, opened(line) as ana:
            await ana.reads(f"Diadem, as {shown}")


async def test_settings_are_kept_for_a_key(tmp_path: Path) -> None:
    async with host(tmp_path) as at:
        async with visit(at.ssh.port) as ana:
            await ana.reads("Diadem, as ana")
            ana.press("\x1b[20~")
            await ana.reads("Bell when it is my turn")
            ana.press("\x1b[B\x1b[B\x1b[C\x1b[C\r")  # the third line, two choices on
            await ana.reads("Kein Tisch ist offen")
            assert await ana.quit() == 0
        async with visit(at.ssh.port) as again:
            await again.reads("Kein Tisch ist offen")
        async with visit(at.ssh.port, "bob", OTHER) as bob:
            await bob.reads("No table is open")
    (kept,) = (tmp_path / "ssh" / "players").rglob("*.json")
    assert "token" not in kept.read_text()


async def test_a_full_disk_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    remember_connections(monkeypatch)
    async with host(tmp_path) as at:
        fill_disk(at.app)
        async with visit(at.ssh.port) as ana:
            await ana.reads("The server cannot save just now. Try again in a moment.")
            make_room(at.app)
            ana.press("\r")
            await ana.reads("Diadem, as ana")


async def test_players_over_ssh_do_not_count_as_one_address(tmp_path: Path) -> None:
    async with (
        host(tmp_path, {"max_per_address": 1}) as at,
        Player(at.app.port, "Bob"),
        visit(at.ssh.port) as ana,
        visit(at.ssh.port, "dee", OTHER) as dee,
    ):
        await ana.reads("Diadem, as ana")
        await dee.reads("Diadem, as dee")
