"""A word list of the player's own: its name, and which files are one."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from diadem_client.local.local_file import read_text
from diadem_client.local.own_words import OwnWords, check
from diadem_client.local.solo import SoloServer, setup_for
from diadem_client.state.forms import UnusableFile
from diadem_client.wording.refusals import sentence_for
from diadem_server import command_line
from diadem_shared.entries import Changed
from diadem_shared.games import GAMES
from diadem_shared.games.diamino.table import Laid
from diadem_shared.lexicon.shelf import names
from diadem_shared.match_file import Fault, MatchFile, Untrue, read
from diadem_shared.playback import Playback
from tests.cases import cases
from tests.client.zoo import ZOO, zoo_match
from tests.rig.wire import Player


@cases(
    ("path", "name"),
    [
        ("/srv/animals.txt", "animals"),
        ("club list.de.txt", "club list.de"),
        ("a:b=c.txt", "a b c"),
        ("x" * 50, "x" * 30),
        ("\x1b[2J.txt", "own"),
        ("/", "own"),
    ],
)
def test_a_list_is_called_as_its_file_in_a_way_that_servers_take(path: str, name: str) -> None:
    own = OwnWords(path)
    assert own.name == name
    config = command_line.read(list(own.options), {}).config
    assert list(config.word_lists) == [name]
    assert config.word_lists[name].path == Path(path).absolute()


def test_only_games_with_words_are_told_of_it() -> None:
    own = OwnWords("animals.txt")
    with_words = {game for game in GAMES if own.for_game(game)}
    assert with_words == {"diamino-rummy", "diamino-bonus"}
    assert OwnWords("").for_game("diamino-rummy") == {}
    assert setup_for("diamino-rummy", own).options["word_list"] == "animals"
    assert "word_list" not in setup_for("diamoniak", own).options


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "no word can be read in it"),
        (b"\x7fELF\x02" + bytes(5000), "no word can be read in it"),
        (10_000_000 * b"x", "no word can be read in it"),
        ("m\u00fcde".encode("latin-1"), "it is no text in UTF-8"),
        (b"\xff\xfet\x00", "it is no text in UTF-8"),
    ],
)
def test_a_file_without_words_gets_a_sentence(tmp_path: Path, content: bytes, why: str) -> None:
    (tmp_path / "words").write_bytes(content)
    with pytest.raises(UnusableFile) as unusable:
        check(str(tmp_path / "words"), read_text)
    assert why in sentence_for(unusable.value.refusal)


@cases("path", ["/dev/zero", "/", "/nowhere/at/all", "\0"])
def test_what_is_no_file_gets_a_sentence_and_is_not_read(path: str) -> None:
    with pytest.raises(UnusableFile):
        check(path, read_text)


@pytest.mark.parametrize("content", [b"\xef\xbb\xbftor\r\n", b"# mine\n\nt\xc3\xb4t\n3D\n"])
def test_a_list_is_taken_however_it_was_written(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "words").write_bytes(content)
    check(str(tmp_path / "words"), read_text)


def played_again(file: MatchFile) -> Playback:
    playback = Playback(file)
    for _number in playback.prepare():
        pass
    return playback


def test_a_match_is_played_again_by_the_list_of_its_name(tmp_path: Path) -> None:
    before = set(names())
    file = read(zoo_match())
    with pytest.raises(Untrue) as untrue:
        played_again(file)
    assert untrue.value.fault is Fault.NO_WORD_LIST
    (tmp_path / "zoo.txt").write_text(ZOO)
    own = OwnWords(str(tmp_path / "zoo.txt"))
    found = played_again(own.in_place(file, read_text))
    laid = [
        each.event
        for step in found.steps(1, found.last)
        for each in step.told
        if isinstance(each.event, Laid)
    ]
    assert laid
    assert {word.lower() for each in laid for word in each.words} <= {*ZOO.split()}
    assert "zoo" not in names(), "a table elsewhere may have another of that name"
    zoos = {name for name in names() if name.startswith("zoo ")}
    assert zoos
    assert len(zoos - before) <= 1, (
        "another test in this process may have brought a list of that name"
    )


def test_no_other_match_is_touched(tmp_path: Path) -> None:
    (tmp_path / "farm.txt").write_text(ZOO)
    for own in (OwnWords(str(tmp_path / "farm.txt")), OwnWords("")):
        file = read(zoo_match())
        assert own.in_place(file, read_text) is file
        own.bring(file, read_text)
    assert "farm" not in names()


def test_a_list_that_was_agreed_on_later_is_found_too(tmp_path: Path) -> None:
    (tmp_path / "zoo.txt").write_text(ZOO)
    whole = read(zoo_match())
    shipped = replace(whole.header, setup=replace(whole.header.setup, options={"language": "en"}))
    file = replace(whole, header=shipped, entries=[Changed(whole.header.setup), *whole.entries])
    found = OwnWords(str(tmp_path / "zoo.txt")).in_place(file, read_text)
    (changed,) = [each for each in found.entries if isinstance(each, Changed)]
    assert str(changed.setup.options["word_list"]).startswith("zoo (")
    assert found.header == shipped


@pytest.mark.parametrize("content", [None, "", "3D\n"])
def test_a_list_that_is_gone_gets_a_sentence(tmp_path: Path, content: str | None) -> None:
    if content is not None:
        (tmp_path / "zoo.txt").write_text(content)
    with pytest.raises(UnusableFile):
        OwnWords(str(tmp_path / "zoo.txt")).in_place(read(zoo_match()), read_text)


@pytest.mark.slow
async def test_a_solo_server_knows_the_list_and_offers_it(tmp_path: Path) -> None:
    (tmp_path / "my words.txt").write_text("tor\nrot\n")
    server = SoloServer(tmp_path / "kept", OwnWords(str(tmp_path / "my words.txt")))
    try:
        async with Player(await server.port()) as ana:
            await ana.make(setup_for("diamino-rummy", server.words))
    finally:
        server.close()
