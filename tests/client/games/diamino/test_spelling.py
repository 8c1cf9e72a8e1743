"""What is typed, pasted or clicked becomes tiles, or is said why not."""

from textual.events import Key, Paste
from textual.pilot import Pilot

from tests.client.board.host import SMALL, Host, desk_at, lines_of, press
from tests.client.games.diamino.pane import pane_of, small


async def test_letters_with_accents_and_ligatures_are_laid_as_their_tiles() -> None:
    """M-9."""
    for typed, hand, tiles in (
        ("\u00df", "SST", ["S", "S"]),
        ("\u0153", "EOT", ["O", "E"]),
        ("\u00e9", "EN", ["E"]),
        ("\u00dc", "UN", ["U"]),
    ):
        host = Host(desk_at("diamino-rummy", small(hand, "A")))
        async with host.run_test(size=SMALL) as pilot:
            host.post_message(Key("character", typed))
            await pilot.pause()
            assert (typed, laid(host)) == (typed, tiles)


async def test_what_no_tile_shows_is_said() -> None:
    host = Host(desk_at("diamino-rummy", small("EN", "A")))
    async with host.run_test(size=SMALL) as pilot:
        for typed in ("\u0436", "\u4e16", "\u00fe"):
            host.post_message(Key("character", typed))
            await pilot.pause()
            assert host.hints.pop() == f"There is no tile for {typed}."


async def test_a_pasted_word_is_laid() -> None:
    host = Host(desk_at("diamino-rummy", small("ENRTSS", "A")))
    async with host.run_test(size=SMALL) as pilot:
        host.pane.post_message(Paste(" n\u00e9r\n"))
        await pilot.pause()
        assert [each.tile for each in pane_of(host).draft.placed] == ["N", "E"]  # type: ignore[union-attr]
        assert host.hints[-1].startswith("The line ends here")


NO_WORDS = ("", "two words", "e" * 10_000, "e\x1b[2J", "\x00e", "e;", "\u0436", "*e", "\ud800", "4")


async def test_whatever_else_is_pasted_lays_nothing_and_says_so() -> None:
    host = Host(desk_at("diamino-rummy", small("ENRT", "A")))
    async with host.run_test(size=SMALL) as pilot:
        for text in NO_WORDS:
            host.pane.post_message(Paste(text))
            await pilot.pause()
            assert (text[:9], laid(host)) == (text[:9], [])
            assert host.hints.pop() == "Only a single word can be pasted here, of letters alone."


def laid(host: Host) -> list[str]:
    draft = pane_of(host).draft
    assert draft is not None
    return [each.tile for each in draft.placed]


async def test_a_pasted_word_stops_at_a_letter_that_is_not_held() -> None:
    host = Host(desk_at("diamino-rummy", small("ENRT*", "A")))
    async with host.run_test(size=SMALL) as pilot:
        await press(pilot, ["down"])
        host.pane.post_message(Paste("enqr"))
        await pilot.pause()
        assert [each.tile for each in pane_of(host).draft.placed] == ["E", "N"]  # type: ignore[union-attr]
        assert host.hints == ["You have no Q. Press Q again to lay a joker as Q."]
        await press(pilot, ["q"])
        assert [each.tile for each in pane_of(host).draft.placed] == ["E", "N", "q"]  # type: ignore[union-attr]


async def test_a_pasted_word_marks_tiles_to_exchange() -> None:
    host = Host(desk_at("diamino-rummy", small("EENX", "A", reserve="ABC")))
    async with host.run_test(size=SMALL) as pilot:
        await press(pilot, ["4"])
        host.pane.post_message(Paste("xe"))
        await pilot.pause()
        await press(pilot, ["enter"])
        assert host.played == ["exchange EX"]


async def test_tiles_of_the_rack_are_clicked() -> None:
    host = Host(desk_at("diamino-rummy", small("*ENX", "A", reserve="AB")), bots=False)
    async with host.run_test(size=SMALL) as pilot:
        await press(pilot, ["right", "right", "right"])
        await click(pilot, host, "  E  ")
        assert pane_of(host).draft.by_field == {"D1": "E"}  # type: ignore[union-attr]
        await press(pilot, ["left"])
        pane_of(host).clicked(3)
        pane_of(host).clicked(3)
        assert pane_of(host).draft.by_field == {}  # type: ignore[union-attr]
        await press(pilot, ["4"])
        await click(pilot, host, "  N  ")
        assert pane_of(host).parcel.marked == "N"  # type: ignore[union-attr]


async def test_a_tile_that_is_laid_leaves_a_gap_and_the_others_stay() -> None:
    host = Host(desk_at("diamino-rummy", small("AEENX", "A", reserve="AB")), bots=False)
    async with host.run_test(size=SMALL) as pilot:
        rack = rack_of(host, "  A     E     E     N     X")
        await press(pilot, ["down", "down", "a"])
        assert rack_of(host, "  N     X") == rack.replace("A", " ")
        await click(pilot, host, "  N  ")
        assert "N" in pane_of(host).draft.by_field.values()  # type: ignore[union-attr]
        await press(pilot, ["3"])
        assert rack_of(host, "  X") == rack


def rack_of(host: Host, tiles: str) -> str:
    return next(line for line in lines_of(host.pane).splitlines() if tiles in line)


async def click(pilot: Pilot[None], host: Host, face: str) -> None:
    lines = lines_of(host.pane).splitlines()
    y = max(at for at, line in enumerate(lines) if face in line)
    await pilot.click(host.pane, offset=(lines[y].index(face) + 2, y))
    await pilot.pause()
