"""Replies that never come: the server has acted, the client does not know (event store, fault test 1)."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator

import pytest
from redis.asyncio import Redis
from tests.contracts.batches import batch_at, history, match_id
from tests.contracts.redis_stores import behind, feed_of, keys, opened_store
from tests.faults.proxy import Proxy
from tests.faults.servers import Servers

from gammon_match.adapters.redis_store import RedisEventStore
from gammon_match.app.ports import (
    Appended,
    Batch,
    Conflict,
    DurabilityLevel,
    NotConfirmed,
    NotWritten,
    OutcomeUnknown,
    Recorded,
    Unreadable,
)

ACCEPTED, FSYNCED = DurabilityLevel.ACCEPTED, DurabilityLevel.FSYNCED
MATCH = match_id(1)


@pytest.fixture
async def proxy(clean_store: str) -> AsyncIterator[Proxy]:
    async with Proxy(clean_store, seed=7) as between:
        yield between


@pytest.fixture
async def client(clean_store: str) -> AsyncIterator[Redis]:
    async with behind(clean_store) as plain:
        yield plain


async def _until_settled(store: RedisEventStore, batch: Batch, seen: Counter[str]) -> None:
    """Sends a batch as a service does: the same one again until its fate is known."""
    while True:
        result = await store.append(batch, ACCEPTED)
        match result:
            case Appended(_, duplicate):
                seen["duplicate" if duplicate else "appended"] += 1
                return
            case NotWritten() | OutcomeUnknown():
                seen[type(result).__name__] += 1
            case _:
                raise AssertionError(result)


async def _warm(store: RedisEventStore) -> None:
    """Connects, and has the server learn the script, so that the next reply is that of an append."""
    [batch] = history(match_id(9), [[b"warm"]])
    assert await store.append(batch, ACCEPTED) == Appended(store.offered)


async def test_with_three_in_ten_replies_lost_every_batch_is_stored_once(proxy: Proxy, client: Redis) -> None:
    """Case S1."""
    requests = [[b"%d" % i, b"and %d" % i] for i in range(25)]
    matches = [match_id(number, partition=number % 2) for number in range(8)]
    batches = {of: history(of, requests) for of in matches}
    seen: Counter[str] = Counter()

    async def play(store: RedisEventStore, of: str) -> None:
        for i, batch in enumerate(batches[of]):
            entry = b"%s %d" % (of.encode(), i)
            fed = Batch(of, batch.expected, batch.envelopes, batch.hashes, feed_entry=entry)
            await _until_settled(store, fed, seen)

    async with opened_store(proxy.url, connections=4) as store:
        proxy.drop_replies = 0.3
        await asyncio.gather(*(play(store, of) for of in matches))
        proxy.drop_replies = 0.0
        for of in matches:
            events = [event for batch in batches[of] for event in batch.events]
            assert await store.read(of) == Recorded(tuple(events), batches[of][-1].head)
    entries = Counter(await feed_of(client, 0) + await feed_of(client, 1))
    assert entries == Counter(b"%s %d" % (of.encode(), i) for of in matches for i in range(25))
    assert proxy.dropped > 30
    assert seen["duplicate"] > 10
    assert seen["appended"] + seen["duplicate"] == 200


async def test_a_lost_reply_is_settled_by_the_store_itself(proxy: Proxy, client: Redis) -> None:
    """Case S1: the connection dies after the append, and the same batch again is one batch."""
    [batch] = history(MATCH, [[b"a"]])
    async with opened_store(proxy.url) as store:
        await _warm(store)
        proxy.drop_one_reply()
        assert await store.append(batch, ACCEPTED) == Appended(store.offered, duplicate=True)
    assert proxy.dropped == 1
    assert await client.xlen(keys(MATCH).events) == 1


async def test_after_a_lost_reply_a_conflict_is_still_a_conflict(proxy: Proxy) -> None:
    first, second = history(MATCH, [[b"a"], [b"b"]])
    async with opened_store(proxy.url) as store:
        await store.append(first, ACCEPTED)
        await store.append(second, ACCEPTED)
        proxy.drop_one_reply()
        assert await store.append(batch_at(first.head, MATCH, b"x"), ACCEPTED) == Conflict(second.head)
    assert proxy.dropped == 1


async def test_an_outcome_that_cannot_be_settled_in_time_is_unknown(proxy: Proxy, client: Redis) -> None:
    [batch] = history(MATCH, [[b"a"]])
    async with opened_store(proxy.url, settle_within=0.2) as store:
        await _warm(store)
        proxy.drop_replies = 1.0
        assert isinstance(await store.append(batch, ACCEPTED), OutcomeUnknown)
        assert await client.xlen(keys(MATCH).events) == 1
        proxy.drop_replies = 0.0
        assert await store.append(batch, ACCEPTED) == Appended(store.offered, duplicate=True)


async def test_an_unknown_outcome_is_not_forgotten_when_the_next_sending_is_fenced(proxy: Proxy, client: Redis) -> None:
    [batch] = history(MATCH, [[b"a"]])
    async with opened_store(proxy.url) as store:
        await _warm(store)
        proxy.drop_one_reply(lambda: client.hset(keys(MATCH).partition.meta, "lineage", "2"))
        assert await store.append(batch, ACCEPTED) == OutcomeUnknown("FENCED: lineage 2 now")
    assert await client.xlen(keys(MATCH).events) == 1


async def test_an_unknown_outcome_is_not_forgotten_when_the_next_sending_is_refused(
    servers: Servers,
) -> None:
    [batch] = history(MATCH, [[b"a"]])
    url = servers.start().url
    async with (
        Proxy(url) as proxy,
        behind(url) as client,
        opened_store(proxy.url, settle_within=0.1) as store,
    ):
        await _warm(store)
        proxy.drop_one_reply(lambda: client.config_set("maxmemory", "1mb"))
        unknown = await store.append(batch, ACCEPTED)
        await client.config_set("maxmemory", "0")
        assert isinstance(unknown, OutcomeUnknown)
        assert unknown.cause.startswith("OOM: ")
        assert await store.append(batch, ACCEPTED) == Appended(store.offered, duplicate=True)


async def test_what_was_stored_on_a_server_that_then_lowers_its_level_is_not_confirmed(
    servers: Servers,
) -> None:
    first, second = history(MATCH, [[b"a"], [b"b"]])
    url = servers.start().url
    async with Proxy(url) as proxy, behind(url) as client, opened_store(proxy.url) as store:
        assert await store.append(first, FSYNCED) == Appended(FSYNCED)
        proxy.drop_one_reply(lambda: client.config_set("appendfsync", "everysec"))
        assert await store.append(second, FSYNCED) == NotConfirmed(ACCEPTED)
        assert store.offered is ACCEPTED
        refused = await store.append(batch_at(second.head, MATCH, b"c"), FSYNCED)
        assert refused == NotWritten("LEVEL: FSYNCED asked, ACCEPTED offered")
        assert await store.read(MATCH) == Recorded(first.events + second.events, second.head)


async def test_a_caller_cancelled_in_mid_append_leaves_one_batch_and_a_sound_store(proxy: Proxy, client: Redis) -> None:
    first, second, third = history(MATCH, [[b"a"], [b"b"], [b"c"]])
    async with opened_store(proxy.url, connections=1) as store:
        await store.append(first, ACCEPTED)
        for delay in ("delay_requests", "delay_replies"):
            batch = second if delay == "delay_requests" else third
            setattr(proxy, delay, 0.05)
            calling = asyncio.create_task(store.append(batch, ACCEPTED))
            await asyncio.sleep(0.02)
            calling.cancel()
            with pytest.raises(asyncio.CancelledError):
                await calling
            setattr(proxy, delay, 0.0)
            # The only connection is busy: the read waits for its turn and gets its own answer.
            recorded = await store.read(MATCH)
            assert isinstance(recorded, Recorded)
            assert recorded.head == batch.head
        assert await store.append(third, ACCEPTED) == Appended(store.offered, duplicate=True)
    assert await client.xlen(keys(MATCH).events) == 3


async def test_a_cancelled_reader_does_not_leave_its_answer_to_the_next(proxy: Proxy) -> None:
    other = match_id(2)
    [batch], [elsewhere] = history(MATCH, [[b"a"]]), history(other, [[b"x"]])
    async with opened_store(proxy.url, connections=1) as store:
        await store.append(batch, ACCEPTED)
        await store.append(elsewhere, ACCEPTED)
        proxy.delay_replies = 0.05
        reading = asyncio.create_task(store.read(MATCH))
        await asyncio.sleep(0.02)
        reading.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reading
        proxy.delay_replies = 0.0
        assert await store.read(other) == Recorded(elsewhere.events, elsewhere.head)


async def test_a_silent_server_is_given_up_and_the_outcome_is_unknown(proxy: Proxy, client: Redis) -> None:
    [batch] = history(MATCH, [[b"a"]])
    async with opened_store(proxy.url, reply_timeout=0.1, settle_within=0.1) as store:
        await _warm(store)
        proxy.silent = True
        started = asyncio.get_running_loop().time()
        assert isinstance(await store.append(batch, ACCEPTED), OutcomeUnknown)
        assert asyncio.get_running_loop().time() - started < 3.0
        proxy.silent = False
        assert await store.append(batch, ACCEPTED) == Appended(store.offered, duplicate=True)
    assert await client.xlen(keys(MATCH).events) == 1


async def test_a_lost_read_is_asked_again(proxy: Proxy) -> None:
    [batch] = history(MATCH, [[b"a"]])
    async with opened_store(proxy.url) as store:
        await store.append(batch, ACCEPTED)
        proxy.drop_one_reply()
        assert await store.read(MATCH) == Recorded(batch.events, batch.head)
        assert proxy.dropped == 1
        await proxy.cut()
        assert await store.read(MATCH, after=1) == Recorded((), batch.head)


async def test_a_read_that_arrives_in_pieces_still_shows_one_moment(proxy: Proxy, clean_store: str) -> None:
    batches = history(MATCH, [[b"%d" % i] for i in range(150)])
    async with opened_store(proxy.url) as torn, opened_store(clean_store) as direct:
        await _warm(torn)
        proxy.request_piece = 60

        async def play() -> None:
            for batch in batches:
                assert await direct.append(batch, ACCEPTED) == Appended(direct.offered)
                await asyncio.sleep(0.02 if batch.head.sequence % 10 == 0 else 0.001)

        playing = asyncio.create_task(play())
        seen: Counter[str] = Counter()
        while not playing.done():
            result = await torn.read(MATCH)
            seen[type(result).__name__] += 1
            if isinstance(result, Recorded) and result.head is not None:
                assert result.head.sequence == len(result.events)
            elif isinstance(result, Unreadable):
                assert result.cause.startswith("MOVING: ")
        await playing
        assert seen["Recorded"] > 3
