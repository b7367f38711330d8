"""An event store in memory, with the semantics of the one on Redis: for tests of what stands above it."""

from bisect import bisect_right
from dataclasses import dataclass, field

from gammon_match.adapters.batch_bounds import refusal_of
from gammon_match.adapters.partitions import partition_of
from gammon_match.app.ports import (
    Appended,
    AppendResult,
    Batch,
    Closed,
    Conflict,
    DurabilityLevel,
    Head,
    MatchPage,
    NotWritten,
    Recorded,
    StoredEvent,
)


@dataclass(slots=True)
class _Match:
    events: list[StoredEvent] = field(default_factory=list)
    closed: bool = False

    @property
    def head(self) -> Head:
        return Head(self.events[-1].sequence, self.events[-1].hash)


class MemoryEventStore:
    """Keeps matches as long as the process lives; `feeds` has the entries of each partition, oldest first."""

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
        return Recorded(tuple(match.events[start:stop]), match.head, match.closed)

    async def list_matches(self, after: str, limit: int) -> MatchPage:
        """At most `limit` match ids above `after`, ascending."""
        ids = sorted(self._matches)
        start = bisect_right(ids, after)
        return MatchPage(tuple(ids[start : start + limit]), more=start + limit < len(ids))
