"""An event store in memory, with the semantics of the one on Redis: for tests of what stands above it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from gammon_match.adapters.batch_bounds import refusal_of
from gammon_match.adapters.partitions import partition_of
from gammon_match.app.index import Row
from gammon_match.app.ports import (
    Appended,
    AppendResult,
    Batch,
    Closed,
    Conflict,
    DurabilityLevel,
    Head,
    NotWritten,
    Recorded,
    StoredEvent,
)


@dataclass(slots=True)
class _Match:
    events: list[StoredEvent] = field(default_factory=list)
    closed: bool = False
    row: Row | None = None
    facets: frozenset[str] = frozenset()

    @property
    def head(self) -> Head:
        return Head(self.events[-1].sequence, self.events[-1].hash)


class MemoryEventStore:
    """Keeps matches and their index while the process lives; `feeds` has each partition's entries, oldest first."""

    def __init__(self, offered: DurabilityLevel = DurabilityLevel.ACCEPTED) -> None:
        """`offered`: the level it claims to hold, above ACCEPTED only to stand in for a durable store."""
        self.offered = offered
        self.feeds: dict[int, list[bytes]] = {}
        self._matches: dict[str, _Match] = {}

    async def append(self, batch: Batch, level: DurabilityLevel) -> AppendResult:
        """Stores a whole batch at its place or nothing. A level above `offered` is NotWritten (LEVEL)."""
        refused = refusal_of(batch)
        if refused is not None:
            return refused
        if level.value > self.offered.value:
            return NotWritten(f"LEVEL: {level.name} asked, {self.offered.name} offered")
        match = self._matches.get(batch.match_id)
        if match is None:
            if batch.expected.sequence != 0:
                return Conflict(Head(0, b""))
            match = self._matches[batch.match_id] = _Match()
        elif match.head != batch.expected:
            return self._moved_on(match, batch)
        elif match.closed:
            return Closed(match.head)
        match.events.extend(batch.events)
        match.closed = batch.closes
        if batch.listing is not None:
            if batch.listing.listing is not None:
                match.row = Row(batch.match_id, batch.head.sequence, batch.listing.listing)
            match.facets = match.facets - batch.listing.gone | batch.listing.facets
        if batch.feed_entry is not None:
            partition = partition_of(batch.match_id)
            assert partition is not None  # refusal_of has looked
            self.feeds.setdefault(partition, []).append(batch.feed_entry)
        return Appended(self.offered)

    def _moved_on(self, match: _Match, batch: Batch) -> AppendResult:
        place = batch.head.sequence
        if place <= match.head.sequence and match.events[place - 1].hash == batch.head.hash:
            return Appended(self.offered, duplicate=True)
        return Conflict(match.head)

    async def read(self, match_id: str, after: int = 0, limit: int | None = None) -> Recorded:
        """Events with a sequence above `after`, at most `limit`, and the head; None for an unknown match."""
        match = self._matches.get(match_id)
        if match is None:
            return Recorded((), None)
        start = max(after, 0)
        stop = None if limit is None else start + max(limit, 0)
        return Recorded(tuple(match.events[start:stop]), match.head, match.closed, len(match.events))

    async def page(self, partition: int, facets: Sequence[str], after: str, limit: int) -> Sequence[Row]:
        """Rows above an id, of the facet with the fewest matches; without facets of all matches."""
        here = [of for of in sorted(self._matches) if partition_of(of) == partition]
        choices = [[of for of in here if facet in self._matches[of].facets] for facet in facets]
        fewest = min(choices, key=len, default=here)
        return await self.rows([of for of in fewest if of > after][:limit])

    async def rows(self, match_ids: Sequence[str]) -> Sequence[Row]:
        """The rows of matches, in their order."""
        known = {of: match.row for of, match in self._matches.items()}
        return [known.get(of) or Row(of) for of in match_ids]

    async def heads(self, match_ids: Sequence[str]) -> Mapping[str, Head]:
        """The heads of those of the matches that there are."""
        return {of: self._matches[of].head for of in match_ids if of in self._matches}
