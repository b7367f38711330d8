"""The new ends of streams in memory, for watching in this process."""

import asyncio
from collections.abc import Mapping, Sequence

from gammon_match.app.ports import EventStore, Recorded, StoredEvent, Unreadable
from gammon_match.app.tail import FeedItem

LOOK_EVERY_S = 0.01


class MemoryTail:
    """Looks into a store again and again. `reads`: how many times it was asked."""

    def __init__(self, store: EventStore) -> None:
        self._store = store
        self.reads = 0

    async def newer(
        self, positions: Mapping[str, int], wait_s: float
    ) -> Mapping[str, Sequence[StoredEvent]] | Unreadable:
        self.reads += 1
        found: dict[str, Sequence[StoredEvent]] = {}
        ends = asyncio.get_running_loop().time() + wait_s
        while not found and asyncio.get_running_loop().time() < ends:
            await asyncio.sleep(LOOK_EVERY_S)
            for match_id, position in positions.items():
                recorded = await self._store.read(match_id, position)
                if isinstance(recorded, Recorded) and recorded.events:
                    found[match_id] = recorded.events
        return found

    async def feed(self, partition: int, after: int, limit: int, wait_s: float) -> Sequence[FeedItem] | Unreadable:
        return ()
