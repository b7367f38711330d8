"""Reading a partition's feed: from any position on, checked against what the reader remembers of it."""

import asyncio
import hashlib
from collections.abc import AsyncGenerator

from gammon_match.app.ports import Unreadable
from gammon_match.app.tail import FeedItem, Tail
from gammon_match.core.refusals import FieldFault, Malformed, Refusal, Rewound, StoreAway

PAGE = 200
WAIT_S = 1.0


class Feeding:
    """The feeds of a store."""

    def __init__(self, tail: Tail, partitions: int) -> None:
        """`partitions`: of the store."""
        self._tail = tail
        self.partitions = partitions

    async def read(
        self, partition: int, after: int, after_hash: bytes, *, once: bool
    ) -> AsyncGenerator[FeedItem | Refusal, None]:
        """Entries above a position, in order; with `once` up to the present end, else for ever.

        `after_hash`: SHA-256 of the entry at that position; a store that has another one there was rewound.
        """
        if partition >= self.partitions:
            bound = f"the store has {self.partitions} partitions"
            yield Malformed((FieldFault("partition", str(partition), "contract", bound),))
            return
        refusal = await self._check(partition, after, after_hash)
        if refusal is not None:
            yield refusal
            return
        while True:
            items = await self._tail.feed(partition, after, PAGE, 0 if once else WAIT_S)
            if isinstance(items, Unreadable):
                if once:
                    yield StoreAway(items.cause)
                    return
                await asyncio.sleep(WAIT_S)
                continue
            for item in items:
                if item.position != after + 1:
                    yield Rewound(after + 1, b"")
                    return
                after = item.position
                yield item
            if once and len(items) < PAGE:
                return

    async def _check(self, partition: int, after: int, after_hash: bytes) -> Refusal | None:
        if after == 0:
            return None
        items = await self._tail.feed(partition, after - 1, 1, 0)
        if isinstance(items, Unreadable):
            return StoreAway(items.cause)
        if not items or items[0].position != after:
            return Rewound(after, after_hash)
        if after_hash and hashlib.sha256(items[0].entry).digest() != after_hash:
            return Rewound(after, after_hash)
        return None
