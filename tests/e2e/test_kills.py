"""kill -9 of each process in the middle of a match: it goes on after a restart, and nothing acknowledged is lost."""

import asyncio

import pytest
from tests.e2e.play import audited, backgammon, table
from tests.e2e.suite import Suite

from gammon.match.v1 import events_pb2


async def test_kill_9_of_each_in_turn_in_the_middle_of_a_match(own_suite: Suite) -> None:
    async with table(own_suite, backgammon(points=7)) as at:
        told: dict[int, bytes] = {}

        async def note_receipts() -> None:
            while True:
                for client in at.clients.values():
                    receipt = client.receipts[at.match_id]
                    told[receipt.sequence] = receipt.hash
                await asyncio.sleep(0)

        noting = asyncio.create_task(note_receipts())
        playing = asyncio.create_task(at.play())
        for role in ("rules", "match", "store"):
            before = max(told, default=0)
            async with asyncio.timeout(30):
                while max(told, default=0) < before + 20:
                    assert not playing.done(), "the match ended before everything was killed"
                    await asyncio.sleep(0.01)
            own_suite.kill(role)
            await asyncio.sleep(0.3)
            own_suite.start_role(role)
        async with asyncio.timeout(60):
            match = await playing
        noting.cancel()
        assert match.status == events_pb2.MATCH_STATUS_CLOSED
        stored = {event.sequence: event.hash for event in (await at.clients[0].list_events(at.match_id)).events}
        assert {sequence: stored.get(sequence) for sequence in told} == told
        report = await audited(at.clients[0], at.match_id)
        assert report.first_wrong is None, report


@pytest.mark.parametrize("role", ["rules", "store"])
async def test_health_follows_what_a_service_needs(own_suite: Suite, role: str) -> None:
    await own_suite.healthy("match")
    own_suite.kill(role)
    async with asyncio.timeout(10):
        while await own_suite.is_healthy("match"):
            await asyncio.sleep(0.05)
    own_suite.start_role(role)
    await own_suite.healthy("match")
