"""What is kept between two evenings, and what happens where it cannot be."""

from pathlib import Path

from diadem_client.address import Address
from diadem_client.settings import Settings, Shelf

HERE = Address("games.example")


def test_what_is_kept_is_found_again(tmp_path: Path) -> None:
    kept = Settings(host="games.example", name="Ana", theme="light", bell=False)
    Shelf(tmp_path, tmp_path).keep(kept)
    assert Shelf(tmp_path, tmp_path).settings() == kept


def test_at_first_everything_is_as_usual(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path / "nowhere", tmp_path / "nowhere")
    assert shelf.settings() == Settings()
    assert shelf.token(HERE, "Ana") is None


def test_what_is_damaged_is_forgotten(tmp_path: Path) -> None:
    (tmp_path / "client.json").write_text("{not json")
    (tmp_path / "sessions.json").write_text('{"by_place": 3}')
    shelf = Shelf(tmp_path, tmp_path)
    assert shelf.settings() == Settings()
    assert shelf.token(HERE, "Ana") is None


def test_tokens_are_by_server_and_name_and_for_no_other_eyes(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path, tmp_path)
    shelf.keep_token(HERE, "Ana", "one")
    shelf.keep_token(HERE, "Bob", "two")
    assert shelf.token(HERE, "ana") == "one"
    assert shelf.token(HERE, "Bob") == "two"
    assert shelf.token(Address("games.example", 9), "Ana") is None
    assert (tmp_path / "sessions.json").stat().st_mode & 0o077 == 0


def test_where_nothing_can_be_written_play_goes_on(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    shelf = Shelf(blocked, blocked)
    shelf.keep(Settings(name="Ana"))
    shelf.keep_token(HERE, "Ana", "one")
    assert shelf.settings() == Settings()
