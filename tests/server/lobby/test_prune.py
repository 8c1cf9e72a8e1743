"""What the server does not need any more it gives back to the disk."""

from pathlib import Path

from diadem_server.lobby import prune
from diadem_server.storage.sqlite import KEPT_FREE, SqliteJournal
from tests.rig.journals import pragma, select
from tests.rig.wire import server
from tests.server.storage import ENTRIES, TABLES, filled, size


async def test_the_file_of_a_server_shrinks_when_old_replays_are_dropped(tmp_path: Path) -> None:
    journal = SqliteJournal(tmp_path)
    await journal.start()
    await filled(journal)
    await journal.close()
    before = size(tmp_path)
    assert before > TABLES * ENTRIES * 100
    async with server(tmp_path, keep_replays=3) as app:
        await prune.tidy(app.lobby)
        assert await app.lobby.journal.codes() == {f"T{TABLES - n}" for n in (1, 2, 3)}
        assert select(tmp_path, "SELECT count(*) FROM all_entries") == [(3 * ENTRIES,)]
        assert pragma(tmp_path, "freelist_count") <= KEPT_FREE
        assert size(tmp_path) < before // 2, "while it runs"
    assert pragma(tmp_path, "integrity_check") == "ok"
