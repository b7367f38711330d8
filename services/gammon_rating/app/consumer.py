"""Taking the feeds into the ledger: each partition from its own place on, one entry at a time over all of them."""

import asyncio
from collections.abc import Callable

import structlog

from gammon_rating.app.ports import FeedReader, Ledger

LOG = structlog.get_logger("rating")


async def consume(feeds: FeedReader, ledger: Ledger, now_ns: Callable[[], int]) -> None:
    """Reads all feeds for ever. What the readers raise ends it: a rewound feed is nobody's to go on from."""
    one_at_a_time = asyncio.Lock()

    async def follow(partition: int) -> None:
        async for item in feeds.read(partition, await ledger.place(partition)):
            # The ledger's order is the authority; two writers at once would only send each other back.
            async with one_at_a_time:
                rated = await ledger.take_in(item, now_ns())
            if rated:
                LOG.info("rated", match_id=item.ended.match_id, partition=partition, position=item.position)

    async with asyncio.TaskGroup() as group:
        for partition in range(await feeds.partitions()):
            group.create_task(follow(partition))
