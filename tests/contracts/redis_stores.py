"""Event stores on a real server, opened as a service does it, and a look behind their back."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from redis.asyncio import Redis

from gammon_match.adapters.partitions import PARTITION_KEYS, MatchKeys, keys_of
from gammon_match.adapters.redis_index import RedisMatchIndex
from gammon_match.adapters.redis_leases import RedisLeases
from gammon_match.adapters.redis_link import RedisLink
from gammon_match.adapters.redis_store import RedisEventStore
from gammon_match.adapters.store_checks import StoreReport, check_store
from gammon_match.app.ports import DurabilityLevel

PARTITIONS = 16


@asynccontextmanager
async def opened_store(
    url: str, *, connections: int = 32, reply_timeout: float = 5.0, settle_within: float = 8.0
) -> AsyncIterator[RedisEventStore]:
    """A store that has passed its start-up checks; closed at the end."""
    link = RedisLink(url, connections=connections, reply_timeout=reply_timeout)
    report = await check_store(link, PARTITIONS, DurabilityLevel.ACCEPTED)
    assert report.faults == (), report
    store = RedisEventStore(link, report.lineages, settle_within=settle_within)
    try:
        yield store
    finally:
        await store.aclose()


@asynccontextmanager
async def opened_index(url: str) -> AsyncIterator[RedisMatchIndex]:
    """The index of the same store."""
    link = RedisLink(url)
    try:
        yield RedisMatchIndex(link)
    finally:
        await link.aclose()


@asynccontextmanager
async def opened_leases(url: str, partitions: int = PARTITIONS) -> AsyncIterator[RedisLeases]:
    """Leases of the same store."""
    link = RedisLink(url)
    try:
        yield RedisLeases(link, partitions)
    finally:
        await link.aclose()


async def checked(
    url: str, floor: DurabilityLevel = DurabilityLevel.ACCEPTED, partitions: int = PARTITIONS
) -> StoreReport:
    """What the start-up checks say about a server."""
    link = RedisLink(url, connect_timeout=0.5)
    try:
        return await check_store(link, partitions, floor)
    finally:
        await link.aclose()


@asynccontextmanager
async def behind(url: str) -> AsyncIterator[Redis]:
    """A plain client of the same server."""
    client = Redis.from_url(url)
    try:
        yield client
    finally:
        await client.aclose()


def keys(of: str) -> MatchKeys:
    """The keys of a match that is known to be well named."""
    found = keys_of(of)
    assert found is not None
    return found


async def feed_of(client: Redis, partition: int) -> list[bytes]:
    """The entries of a partition's feed, whose ids must count from 1 without gaps."""
    entries: Any = await client.xrange(PARTITION_KEYS[partition].feed)
    assert [entry_id for entry_id, _ in entries] == [b"%d-0" % (i + 1) for i in range(len(entries))]
    assert all(list(fields) == [b"b"] for _, fields in entries)
    return [fields[b"b"] for _, fields in entries]


async def contents(client: Redis) -> dict[bytes | str, bytes | None]:
    """Everything a server holds, serialised by itself: equal before and after means nothing was written."""
    return {key: await client.dump(key) for key in await client.keys("*")}
