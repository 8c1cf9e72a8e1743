"""The file of the schema, for who accepts it compressed and who does not."""

import gzip
import json

import pytest
from websockets.datastructures import Headers

from diadem.games import GAMES
from diadem.schema import schema
from diadem_server.net.schema_file import SchemaFile


def test_it_is_the_schema_of_the_games_that_are_played_here() -> None:
    _, content = SchemaFile().answer(Headers())
    assert json.loads(content) == json.loads(json.dumps(schema(GAMES)))


@pytest.mark.parametrize("accepted", ["gzip", "br, gzip;q=0.5", "deflate,gzip"])
def test_it_is_compressed_for_who_accepts_that(accepted: str) -> None:
    file = SchemaFile()
    headers, content = file.answer(Headers({"Accept-Encoding": accepted}))
    assert headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(content) == file.answer(Headers())[1]


@pytest.mark.parametrize("accepted", ["", "identity", "br", "notgzip", "gzip2"])
def test_it_is_plain_for_everybody_else(accepted: str) -> None:
    headers, content = SchemaFile().answer(Headers({"Accept-Encoding": accepted}))
    assert "Content-Encoding" not in headers
    assert content.startswith(b"{")


def test_it_is_made_once() -> None:
    file = SchemaFile()
    assert file.answer(Headers())[1] is file.answer(Headers())[1]
