"""What docs/first-change.md has its readers find in the code is there."""

import re

from tests.pages import HOSTING, ROOT

PAGE = (ROOT / "docs/first-change.md").read_text()
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


def text(path: str) -> str:
    return (ROOT / path).read_text()


def test_the_places_to_change_are_there() -> None:
    _test, _import, help_, field, counted = BLOCKS
    assert "from diadem_server.table.chat import (" in text("tests/server/table/test_chat.py")
    before, added = counted.rstrip().rsplit("\n", 1)
    assert f"{before}\n" in text("server/diadem_server/lobby/table_commands.py")
    metrics = text("server/diadem_server/metrics.py")
    assert "HELP = {" in metrics
    assert '"turned_away"' in metrics
    assert "| `diadem_turned_away_total` |" in HOSTING
    assert not [each for each in (help_, field, added.strip()) if each in metrics], "done already"


def test_the_test_to_write_would_run() -> None:
    compile(BLOCKS[0], "docs/first-change.md", "exec")
