"""What the contract tests look at."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from gammon_match.app.index import MatchIndex, Row
from gammon_match.app.ports import Appended, AppendResult, Batch, DurabilityLevel, EventStore, Recorded, Unreadable


@dataclass(frozen=True)
class Subject:
    """A store without matches, its index, the level it offers, and a look at a partition's feed behind the port."""

    store: EventStore
    index: MatchIndex
    offered: DurabilityLevel
    feed: Callable[[int], Awaitable[list[bytes]]]

    async def append(self, batch: Batch) -> AppendResult:
        return await self.store.append(batch, self.offered)

    async def appended(self, *batches: Batch) -> None:
        for batch in batches:
            assert await self.append(batch) == Appended(self.offered)

    async def recorded(self, of: str, after: int = 0, limit: int | None = None) -> Recorded:
        recorded = await self.store.read(of, after, limit)
        assert isinstance(recorded, Recorded), recorded
        return recorded

    async def page(self, partition: int, *facets: str, after: str = "", limit: int = 100) -> list[Row]:
        rows = await self.index.page(partition, facets, after, limit)
        assert not isinstance(rows, Unreadable), rows
        return list(rows)

    async def rows(self, *of: str) -> list[Row]:
        rows = await self.index.rows(of)
        assert not isinstance(rows, Unreadable), rows
        return list(rows)

    async def holds_only(self, *batches: Batch) -> None:
        recorded = await self.recorded(batches[0].match_id)
        assert list(recorded.events) == [event for batch in batches for event in batch.events]
        assert recorded.head == batches[-1].head
