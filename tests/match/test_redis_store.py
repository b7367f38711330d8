"""The event store on a real server: the contract, and what only a server can show."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest
from redis.asyncio import Redis
from tests.contracts.batches import batch_at, genesis, history, match_id
from tests.contracts.event_store import EventStoreContract
from tests.contracts.match_index import MatchIndexContract, created
from tests.contracts.redis_stores import contents, feed_of, keys, opened_index, opened_store
from tests.contracts.subject import Subject

from gammon_match.adapters import append_script
from gammon_match.adapters.append_script import SCRIPT
from gammon_match.adapters.redis_index import RedisMatchIndex
from gammon_match.adapters.redis_store import RedisEventStore
from gammon_match.app.ports import (
    Appended,
    Batch,
    Conflict,
    Corrupt,
    DurabilityLevel,
    Fenced,
    Head,
    NotWritten,
    Recorded,
    StoredEvent,
    Unreadable,
)

MATCH = match_id(1)
KEYS = keys(MATCH)
ACCEPTED = DurabilityLevel.ACCEPTED


@pytest.fixture
async def index(clean_store: str) -> AsyncIterator[RedisMatchIndex]:
    async with opened_index(clean_store) as opened:
        yield opened


class TestRedisEventStore(EventStoreContract, MatchIndexContract):
    @pytest.fixture
    def subject(self, store: RedisEventStore, index: RedisMatchIndex, client: Redis) -> Subject:
        return Subject(store, index, store.offered, lambda partition: feed_of(client, partition))


async def _appended(store: RedisEventStore, *batches: Batch) -> None:
    for batch in batches:
        assert await store.append(batch, ACCEPTED) == Appended(store.offered)


def test_the_script_declares_its_language_in_its_first_line() -> None:
    assert SCRIPT.startswith(b"#!lua\n")


async def test_what_lies_under_the_keys(store: RedisEventStore, client: Redis) -> None:
    [first] = history(MATCH, [[b"a", b"b"]])
    over = batch_at(first.head, MATCH, b"c", feed_entry=b"over", closes=True)
    await _appended(store, first, over)
    await store.append(over, ACCEPTED)
    assert await client.xrange(KEYS.events) == [
        (b"%d-0" % event.sequence, {b"b": event.envelope, b"h": event.hash}) for event in first.events + over.events
    ]
    head = await client.hgetall(KEYS.head)
    assert head == {b"seq": b"3", b"hash": over.hashes[-1], b"st": b"closed", b"dup": b"1"}
    assert await client.xrange(KEYS.partition.feed) == [(b"1-0", {b"b": b"over"})]
    assert await client.zrange(KEYS.partition.matches, 0, -1, withscores=True) == [(MATCH.encode(), 0.0)]
    assert {await client.ttl(key) for key in await client.keys("*")} == {-1}


async def _last_event_removed(client: Redis) -> None:
    await client.xdel(KEYS.events, "4-0")


async def _event_in_the_middle_removed(client: Redis) -> None:
    await client.xdel(KEYS.events, "2-0")


async def _start_trimmed(client: Redis) -> None:
    await client.xtrim(KEYS.events, maxlen=1, approximate=False)


async def _all_events_removed(client: Redis) -> None:
    await client.xtrim(KEYS.events, maxlen=0, approximate=False)


async def _stream_evicted(client: Redis) -> None:
    await client.delete(KEYS.events)


async def _head_evicted(client: Redis) -> None:
    await client.delete(KEYS.head)


async def _head_without_hash(client: Redis) -> None:
    await client.hdel(KEYS.head, "hash")


async def _head_without_a_number(client: Redis) -> None:
    await client.hset(KEYS.head, "seq", "four")


async def _head_rewritten(client: Redis) -> None:
    await client.hset(KEYS.head, "seq", "5")


async def _last_event_rewritten(client: Redis) -> None:
    await client.delete(KEYS.events)
    for sequence in range(1, 5):
        await client.xadd(KEYS.events, {"b": "forged", "h": bytes(32)}, id=f"{sequence}-0")


async def _event_added_behind_the_head(client: Redis) -> None:
    await client.xadd(KEYS.events, {"b": "forged", "h": bytes(32)}, id="5-0")


async def _event_added_and_removed_again(client: Redis) -> None:
    await client.xadd(KEYS.events, {"b": "forged", "h": bytes(32)}, id="9-0")
    await client.xdel(KEYS.events, "9-0")


async def _feed_tail_removed(client: Redis) -> None:
    await client.xdel(KEYS.partition.feed, "1-0")


async def _feed_of_another_type(client: Redis) -> None:
    await client.delete(KEYS.partition.feed)
    await client.set(KEYS.partition.feed, "text")


async def _stream_of_another_type(client: Redis) -> None:
    await client.delete(KEYS.events)
    await client.set(KEYS.events, "text")


async def _head_of_another_type(client: Redis) -> None:
    await client.delete(KEYS.head)
    await client.set(KEYS.head, "text")


@pytest.mark.parametrize(
    "damage",
    [
        _last_event_removed,
        _event_in_the_middle_removed,
        _start_trimmed,
        _all_events_removed,
        _stream_evicted,
        _head_evicted,
        _head_without_hash,
        _head_without_a_number,
        _head_rewritten,
        _last_event_rewritten,
        _event_added_behind_the_head,
        _event_added_and_removed_again,
        _feed_tail_removed,
        _feed_of_another_type,
        _stream_of_another_type,
        _head_of_another_type,
    ],
)
async def test_damage_behind_its_back_is_corrupt_and_nothing_is_written(
    store: RedisEventStore, client: Redis, damage: Callable[[Redis], Awaitable[None]]
) -> None:
    """Case S5: what was deleted or trimmed is missed."""
    first, second = history(MATCH, [[b"a", b"b"], [b"c", b"d"]])
    neighbour = batch_at(genesis(match_id(2)), match_id(2), b"x", feed_entry=b"entry")
    await _appended(store, first, second, neighbour)
    following = batch_at(second.head, MATCH, b"e", b"f", feed_entry=b"next entry")
    await damage(client)
    if damage is _head_rewritten:
        following = batch_at(Head(5, second.head.hash), MATCH, b"e", b"f")
    before = await contents(client)
    assert isinstance(await store.append(following, ACCEPTED), Corrupt)
    assert await contents(client) == before


@pytest.mark.parametrize("events", [0, 2])
async def test_a_new_match_where_events_have_been_is_corrupt(
    store: RedisEventStore, client: Redis, events: int
) -> None:
    for sequence in (1, 2):
        await client.xadd(KEYS.events, {"b": "forged", "h": bytes(32)}, id=f"{sequence}-0")
    await client.xtrim(KEYS.events, maxlen=events, approximate=False)
    before = await contents(client)
    assert isinstance(await store.append(batch_at(genesis(MATCH), MATCH, b"a"), ACCEPTED), Corrupt)
    assert await contents(client) == before


@pytest.mark.parametrize("key", ["matches", "rows", "changes", "i:open"])
async def test_an_index_of_another_type_stops_a_new_match_before_it_writes(
    store: RedisEventStore, client: Redis, key: str
) -> None:
    await client.set(KEYS.partition.facets.removesuffix(b"i:") + key.encode(), "text")
    before = await contents(client)
    assert isinstance(await store.append(created(MATCH, "open"), ACCEPTED), Corrupt)
    assert await contents(client) == before


async def test_an_index_of_another_type_is_unreadable(index: RedisMatchIndex, client: Redis) -> None:
    await client.set(KEYS.partition.matches, "text")
    unreadable = await index.page(3, (), "", 10)
    assert isinstance(unreadable, Unreadable)
    assert unreadable.cause.startswith("WRONGTYPE: ")


async def test_changes_count_up_and_only_so_many_are_kept(
    store: RedisEventStore, client: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(append_script, "CHANGES_KEPT", 300)
    for number in range(1, 501):
        await _appended(store, created(match_id(number), "open"))
    entries: Any = await client.xrange(KEYS.partition.changes)
    numbers = [int(entry_id.partition(b"-")[0]) for entry_id, _ in entries]
    # The server drops whole nodes of its stream, which hold up to a hundred entries.
    assert 300 <= len(numbers) < 400
    assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))
    assert await client.hlen(KEYS.partition.rows) == 500


async def test_a_duplicate_whose_events_are_gone_is_corrupt(store: RedisEventStore, client: Redis) -> None:
    first, second = history(MATCH, [[b"a"], [b"b"]])
    await _appended(store, first, second)
    await client.xdel(KEYS.events, "1-0")
    assert isinstance(await store.append(first, ACCEPTED), Corrupt)


async def test_damage_is_read_as_it_is(store: RedisEventStore, client: Redis) -> None:
    [batch] = history(MATCH, [[b"a", b"b", b"c"]])
    await _appended(store, batch)
    await client.xdel(KEYS.events, "2-0")
    await client.xadd(KEYS.events, {"b": "forged"}, id="7-3")
    first, _, third = batch.events
    assert await store.read(MATCH) == Recorded((first, third, StoredEvent(7, b"", b"")), batch.head)
    await client.hset(KEYS.head, "seq", "many")
    assert isinstance(await store.read(MATCH), Unreadable)
    await client.delete(KEYS.head)
    assert await store.read(MATCH, limit=1) == Recorded((first,), None)


async def test_another_lineage_fences_the_partition(store: RedisEventStore, client: Redis) -> None:
    [batch] = history(MATCH, [[b"a"]])
    await client.hset(KEYS.partition.meta, "lineage", "2")
    before = await contents(client)
    assert await store.append(batch, ACCEPTED) == Fenced(2)
    assert await contents(client) == before
    elsewhere = match_id(1, partition=4)
    await _appended(store, *history(elsewhere, [[b"a"]]))


async def test_an_emptied_server_fences(store: RedisEventStore, client: Redis) -> None:
    first, second = history(MATCH, [[b"a"], [b"b"]])
    await _appended(store, first)
    await client.flushdb()
    assert await store.append(second, ACCEPTED) == Fenced(0)
    assert await contents(client) == {}


async def test_a_partition_the_store_does_not_have_is_refused(store: RedisEventStore, client: Redis) -> None:
    of = match_id(1, partition=16)
    before = await contents(client)
    result = await store.append(batch_at(genesis(of), of, b"a"), ACCEPTED)
    assert result == NotWritten("BATCH: partition 16 of a store with 16")
    assert await contents(client) == before


async def test_a_server_that_lost_the_script_is_given_it_again(store: RedisEventStore, client: Redis) -> None:
    first, second = history(MATCH, [[b"a"], [b"b"]])
    await _appended(store, first)
    await client.script_flush()
    await _appended(store, second)
    assert await store.read(MATCH) == Recorded(first.events + second.events, second.head)


async def test_closing_waits_for_appends_under_way(clean_store: str, client: Redis) -> None:
    [batch] = history(MATCH, [[b"a"]])
    async with opened_store(clean_store) as store:
        calling = asyncio.create_task(store.append(batch, ACCEPTED))
        await asyncio.sleep(0)
        calling.cancel()
        await asyncio.wait([calling])
        assert calling.cancelled()
    assert await client.xlen(KEYS.events) == 1


async def test_idle_connections_closed_by_the_server_are_replaced(store: RedisEventStore, client: Redis) -> None:
    batches = history(MATCH, [[b"%d" % i] for i in range(5)])
    for batch in batches:
        await client.client_kill_filter(_type="normal", skipme=True)
        await asyncio.sleep(0.01)
        await _appended(store, batch)
    assert await client.hget(KEYS.head, "dup") is None


async def test_a_conflict_on_a_head_far_ahead_names_that_head(store: RedisEventStore) -> None:
    batches = history(MATCH, [[b"%d" % i] for i in range(20)])
    await _appended(store, *batches)
    stale = batch_at(batches[4].head, MATCH, b"x")
    assert await store.append(stale, ACCEPTED) == Conflict(batches[-1].head)
