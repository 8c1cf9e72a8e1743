"""Players over ssh learn nothing of the host's files, whatever they type and send."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.rig import canaries
from tests.rig.wire import Player
from tests.ssh.rig import Host, host, visit


@pytest.fixture
def canary() -> Iterator[str]:
    with canaries.canary() as file:
        yield file


async def test_a_command_that_names_a_file_is_answered_with_a_sentence(
    at: Host, canary: str
) -> None:
    async with visit(at.ssh.port, command=canary) as ana:
        assert await ana.status() == 2
        assert ana.text == "Only the code of a table can be asked for, like K7F3.\r\n"


async def test_a_file_named_in_a_form_a_name_or_a_variable_is_shown_to_nobody(
    tmp_path: Path, canary: str
) -> None:
    told = dict.fromkeys(("LANG", "LC_ALL", "TEXTUAL_LOG", "COLORTERM", "TZ"), canary)
    async with (
        host(tmp_path) as at,
        Player(at.app.port, "Bob") as bob,
        visit(at.ssh.port, canary[:20], env=told) as ana,
    ):
        await canaries.is_not_shown(canary, ana, ana.type, bob)
        assert await ana.quit() == 0
