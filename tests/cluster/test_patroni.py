"""Patroni keeps PostgreSQL, and changes the machine that takes writes, while people play."""

from pathlib import Path

from tests.cluster.patroni import LEASE_SECONDS, needs_patroni, patroni
from tests.cluster.postgres import FAILOVER_SECONDS
from tests.cluster.world import world

pytestmark = needs_patroni


async def test_no_move_is_lost_and_nobody_fenced_by_a_switchover_or_a_failover(
    tmp_path: Path,
) -> None:
    async with patroni() as kept, world(tmp_path, await kept.create(), ("", ""), 2) as made:
        before = await made.registered()
        await kept.switch_over()
        await made.all_move()
        await kept.are("leader", "sync_standby")
        await kept.leader.kill()
        await made.all_move(patience=LEASE_SECONDS + FAILOVER_SECONDS)
        assert before == await made.registered()
        await made.stop_playing()
        assert await made.faults() == []
