"""A server that runs out of memory (event store, fault test 7)."""

from collections import Counter

from redis.asyncio import Redis
from tests.contracts.batches import batch_at, genesis, history, match_id
from tests.contracts.redis_stores import behind, checked, contents, keys, opened_store
from tests.faults.servers import Servers

from gammon_match.app.ports import (
    Appended,
    Conflict,
    Corrupt,
    DurabilityLevel,
    Fenced,
    Head,
    NotWritten,
    Recorded,
)

ACCEPTED = DurabilityLevel.ACCEPTED


async def _leave_bytes_free(client: Redis, free: int) -> None:
    used = (await client.info("memory"))["used_memory"]
    await client.config_set("maxmemory", str(used + free))


async def test_full_memory_is_not_written_and_space_heals_it(servers: Servers) -> None:
    of, server = match_id(1), servers.start()
    head, stored = genesis(of), []
    async with opened_store(server.url) as store, behind(server.url) as client:
        await _leave_bytes_free(client, 1_000_000)
        for i in range(500):
            batch = batch_at(head, of, bytes(10_000), b"%d" % i, feed_entry=b"%d" % i)
            before = await contents(client)
            result = await store.append(batch, ACCEPTED)
            if isinstance(result, NotWritten):
                break
            assert result == Appended(store.offered)
            stored.append(batch)
            head = batch.head
        assert isinstance(result, NotWritten)
        assert result.cause.startswith("OOM: ")
        assert len(stored) > 10
        assert await contents(client) == before
        assert isinstance(await store.append(batch, ACCEPTED), NotWritten)
        assert await contents(client) == before

        await client.config_set("maxmemory", "0")
        assert await store.append(batch, ACCEPTED) == Appended(store.offered)
        events = [event for done in (*stored, batch) for event in done.events]
        assert await store.read(of) == Recorded(tuple(events), batch.head)


async def test_a_store_that_may_evict_is_refused_at_start_and_not_touched(servers: Servers) -> None:
    for policy in ("allkeys-lru", "allkeys-random", "volatile-lru", "volatile-ttl"):
        server = servers.start(maxmemory_policy=policy)
        report = await checked(server.url)
        assert [(fault.name, fault.found) for fault in report.faults] == [("maxmemory-policy", policy)]
        assert report.lineages == ()
        async with behind(server.url) as client:
            assert await contents(client) == {}


async def test_matches_lost_to_an_eviction_policy_set_later_are_never_continued(
    servers: Servers,
) -> None:
    server = servers.start()
    matches = [match_id(number, partition=number % 16) for number in range(200)]
    batches = {of: history(of, [[bytes(300), b"b"], [b"c"], [b"d"]]) for of in matches}
    async with opened_store(server.url) as store, behind(server.url) as client:
        for first, second, _ in batches.values():
            assert await store.append(first, ACCEPTED) == Appended(store.offered)
            assert await store.append(second, ACCEPTED) == Appended(store.offered)
        await client.config_set("maxmemory-policy", "allkeys-random")
        await _leave_bytes_free(client, -300_000)
        await client.set("any write", "evicts")
        await client.config_set("maxmemory", "0")
        await client.config_set("maxmemory-policy", "noeviction")

        seen: Counter[str] = Counter()
        for of in matches:
            _, second, third = batches[of]
            events, head = await client.exists(keys(of).events), await client.exists(keys(of).head)
            fenced = not await client.exists(keys(of).partition.meta)
            result = await store.append(third, ACCEPTED)
            seen[type(result).__name__] += 1
            match fenced, events, head:
                case True, _, _:
                    assert result == Fenced(0)
                case False, 1, 1:
                    assert result == Appended(store.offered)
                case False, 0, 0:
                    assert result == Conflict(Head(0, b""))
                case _:
                    assert isinstance(result, Corrupt)
                    if head:
                        assert result == Corrupt(f"the head is {second.head.sequence}, the last event missing")
        assert seen["Corrupt"] > 10
        assert seen["Appended"] > 10
