"""Following matches: how far each is, and nothing else of it; one reader for each partition serves all followers."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from gammon_match.app.ports import Head, StoredEvent, Unreadable
from gammon_match.app.tail import Tail

WAIT_S = 1.0
AGAIN_S = 0.2

Tell = Callable[[str, Head], None]


@dataclass(slots=True)
class _Followed:
    position: int
    tells: set[Tell] = field(default_factory=set)


class Following:
    """All followers of this process. Of heads in quick succession a follower may be told the last alone."""

    def __init__(self, tail: Tail, partition_of: Callable[[str], int | None]) -> None:
        """`partition_of`: of a match id; matches of one partition can be read together."""
        self._tail = tail
        self._partition_of = partition_of
        self._followed: dict[int, dict[str, _Followed]] = {}
        self._readers: dict[int, asyncio.Task[None]] = {}

    def stored(self, match_id: str, events: Sequence[StoredEvent]) -> None:
        """Tells the followers of a match what this process has just stored, before a reader finds it."""
        followed = self._followed.get(self._partition(match_id), {}).get(match_id)
        if followed is not None and events and events[-1].sequence > followed.position:
            followed.position = events[-1].sequence
            for tell in followed.tells:
                tell(match_id, Head(events[-1].sequence, events[-1].hash))

    def follow(self, match_id: str, position: int, tell: Tell) -> None:
        """Tells the heads of a match above a position, or above one that others have been told of already."""
        partition = self._partition(match_id)
        matches = self._followed.setdefault(partition, {})
        matches.setdefault(match_id, _Followed(position)).tells.add(tell)
        if partition not in self._readers:
            self._readers[partition] = asyncio.create_task(self._read(partition, matches))

    def unfollow(self, match_id: str, tell: Tell) -> None:
        """Ends it."""
        matches = self._followed[self._partition(match_id)]
        matches[match_id].tells.discard(tell)
        if not matches[match_id].tells:
            del matches[match_id]

    async def close(self) -> None:
        """Ends the readers."""
        for reader in self._readers.values():
            reader.cancel()
        await asyncio.gather(*self._readers.values(), return_exceptions=True)

    def _partition(self, match_id: str) -> int:
        return self._partition_of(match_id) or 0

    async def _read(self, partition: int, matches: dict[str, _Followed]) -> None:
        """Tells what is appended to the followed matches of a partition; ends with the last follower."""
        try:
            while matches:
                positions = {match_id: followed.position for match_id, followed in matches.items()}
                # A match that joins meanwhile is looked at in the next turn, so a turn is short.
                found = await self._tail.newer(positions, WAIT_S)
                if isinstance(found, Unreadable):
                    await asyncio.sleep(AGAIN_S)
                    continue
                for match_id, events in found.items():
                    self.stored(match_id, events)
        finally:
            self._readers.pop(partition, None)
