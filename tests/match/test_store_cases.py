"""Cases S4, S5, S9 and S11: what becomes of matches on a real store whose clock, streams or readers come to harm."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from redis.asyncio import Redis
from tests.contracts.batches import history, match_id
from tests.contracts.redis_stores import keys
from tests.match.in_process import ROLL, Desk, match_to

from gammon.match.v1 import events_pb2
from gammon_match.adapters.redis_link import RedisLink
from gammon_match.adapters.redis_store import RedisEventStore
from gammon_match.adapters.redis_tail import RedisTail
from gammon_match.app.live_match import LiveMatch
from gammon_match.app.ports import Appended, DurabilityLevel, Head, Recorded, StoredEvent, Unreadable
from gammon_match.app.writing import Written
from gammon_match.core.events import Status
from gammon_match.core.refusals import CorruptMatch
from gammon_match.core.sight import Viewer

YEAR_NS = 366 * 86_400 * 1_000_000_000
MONTH_NS = 31 * 86_400 * 1_000_000_000
OFFICIAL = Viewer("director", official=True)


async def stored_of(store: RedisEventStore, of: str) -> Recorded:
    """All that is stored of a match."""
    recorded = await store.read(of)
    assert isinstance(recorded, Recorded)
    return recorded


async def test_s4_after_a_restart_with_an_older_clock_a_match_goes_on_by_its_own_numbers(
    store: RedisEventStore, client: Redis
) -> None:
    before = Desk(store)
    live = await before.match()
    after = Desk(store)
    after.clock.ns = before.clock.ns - YEAR_NS
    again = await after.live.get(live.match_id)
    assert isinstance(again, LiveMatch)
    assert (again.match, again.head) == (live.match, live.head)
    assert isinstance(await after.do(live, 0, ROLL), Written)
    recorded = await stored_of(store, live.match_id)
    assert recorded.head is not None
    assert recorded.head.sequence > live.head.sequence > 0
    entries: Any = await client.xrange(keys(live.match_id).events)
    assert [entry_id for entry_id, _ in entries] == [b"%d-0" % n for n in range(1, recorded.head.sequence + 1)]
    times = [events_pb2.Envelope.FromString(event.envelope).record_time.ToNanoseconds() for event in recorded.events]
    assert times == sorted(times)


async def _first_trimmed(client: Redis, key: bytes) -> None:
    await client.xtrim(key, minid="2-0", approximate=False)


async def _middle_deleted(client: Redis, key: bytes) -> None:
    await client.xdel(key, "3-0")


async def _all_deleted(client: Redis, key: bytes) -> None:
    await client.delete(key)


@pytest.mark.parametrize("damage", [_first_trimmed, _middle_deleted, _all_deleted])
async def test_s5_events_that_are_gone_are_a_fault_and_never_no_events(
    store: RedisEventStore, client: Redis, damage: Callable[[Redis, bytes], Awaitable[None]]
) -> None:
    warm, cold = Desk(store), Desk(store)
    live = await warm.match()
    await damage(client, keys(live.match_id).events)
    before = await stored_of(store, live.match_id)
    assert isinstance(await cold.do(live, 0, ROLL), CorruptMatch)
    assert isinstance(await cold.reader.match(live.match_id, OFFICIAL), CorruptMatch)
    # Nor does a process that has the match in memory write behind the hole.
    assert isinstance(await warm.do(live, 0, ROLL), CorruptMatch)
    assert await stored_of(store, live.match_id) == before


async def test_s9_of_a_match_a_month_old_everything_is_there_byte_for_byte(
    store: RedisEventStore, client: Redis
) -> None:
    """S5 too: nothing trims a match, played or over, and no key of it ends by itself.

    The archive of a match that the case asks for is the bundle, whose bytes the audit's issue is about.
    """
    desk = Desk(store)
    live = await desk.match(match_to(1))
    await desk.play_out(live)
    assert live.match.status is Status.CLOSED
    then = await stored_of(store, live.match_id)
    later = Desk(store)
    later.clock.ns += MONTH_NS
    for _ in range(3):
        await later.play_out(await later.match(match_to(1)))
    assert await stored_of(store, live.match_id) == then
    assert await client.xlen(keys(live.match_id).events) == live.head.sequence
    replayed = await later.reader.match(live.match_id, Viewer("alice"), live.head.sequence)
    assert isinstance(replayed, LiveMatch)
    assert (replayed.match, replayed.head) == (live.match, live.head)
    assert {await client.ttl(key) for key in await client.keys("*")} == {-1}


async def test_s11_a_blocking_read_whose_only_new_entry_is_deleted_reads_on(
    store: RedisEventStore, client: Redis, clean_store: str
) -> None:
    first, second = match_id(1), match_id(2)
    batches = {of: history(of, [[b"a"], [b"b"]]) for of in (first, second)}
    for begun, _ in batches.values():
        assert isinstance(await store.append(begun, DurabilityLevel.ACCEPTED), Appended)
    link = RedisLink(clean_store)
    tail = RedisTail(link)

    async def read_on() -> dict[str, list[StoredEvent]]:
        while True:
            found = await tail.newer({first: 1, second: 1}, 1.0)
            assert not isinstance(found, Unreadable)
            if found:
                return {of: list(events) for of, events in found.items()}

    reading = asyncio.create_task(read_on())
    try:
        for number in range(2, 12):
            await asyncio.sleep(0.05)
            async with client.pipeline(transaction=True) as pipe:
                pipe.xadd(keys(first).events, {"b": b"x", "h": bytes(32)}, id=f"{number}-0")
                pipe.xdel(keys(first).events, f"{number}-0")
                await pipe.execute()
        assert not reading.done()
        follows = batches[second][1]
        assert isinstance(await store.append(follows, DurabilityLevel.ACCEPTED), Appended)
        async with asyncio.timeout(5):
            assert await reading == {second: list(follows.events)}
        assert follows.head == Head(2, follows.hashes[-1])
    finally:
        reading.cancel()
        await link.aclose()
