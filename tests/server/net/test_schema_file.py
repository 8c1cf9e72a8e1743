"""The file of the schema, for who accepts it compressed and who does not."""

import gzip
import json

from websockets.datastructures import Headers

from diadem_server.net.schema_file import SchemaFile
from diadem_shared.games import GAMES
from diadem_shared.schema import schema


def test_it_is_the_schema_of_the_games_that_are_played_here() -> None:
    _, content = SchemaFile().answer(Headers())
    assert json.loads(content) == json.loads(json.dumps(schema(GAMES)))


def test_it_is_compressed_for_who_accepts_that_and_plain_for_everybody_else() -> None:
    file = SchemaFile()
    _, plain = file.answer(Headers())
    assert plain.startswith(b"{")
    for accepted in ("gzip", "br, gzip;q=0.5", "deflate,gzip"):
        headers, content = file.answer(Headers({"Accept-Encoding": accepted}))
        assert headers["Content-Encoding"] == "gzip", accepted
        assert gzip.decompress(content) == plain, accepted
    for accepted in ("", "identity", "br", "notgzip", "gzip2"):
        headers, content = file.answer(Headers({"Accept-Encoding": accepted}))
        assert "Content-Encoding" not in headers, accepted
        assert content == plain, accepted


def test_it_is_made_once() -> None:
    file = SchemaFile()
    assert file.answer(Headers())[1] is file.answer(Headers())[1]
