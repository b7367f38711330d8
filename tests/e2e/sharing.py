"""How the processes of the match service share what is measured, read from their store."""

import asyncio

from redis.asyncio import Redis
from tests.e2e.suite import Suite

from gammon_match.adapters.partitions import PARTITION_KEYS

PARTITIONS = 16
WITHIN_S = 20.0


async def shared_evenly(url: str, processes: int) -> None:
    """Waits until so many processes measure as many partitions each."""
    async with asyncio.timeout(WITHIN_S):
        while sorted(await _shares(url)) != [PARTITIONS // processes] * processes:
            await asyncio.sleep(0.05)


async def measures(suite: Suite, match_id: str) -> bool:
    """Whether it is the match service of this suite, which says where it is, that measures a match."""
    async with Redis.from_url(suite.redis_url) as client:
        holder = await client.get(PARTITION_KEYS[int(match_id[2:5])].timed_by)
    return isinstance(holder, bytes) and holder.endswith(suite.target().encode())


async def _shares(url: str) -> list[int]:
    async with Redis.from_url(url) as client:
        held = [await client.get(partition.timed_by) for partition in PARTITION_KEYS[:PARTITIONS]]
    return [held.count(holder) for holder in set(held) if holder is not None]
