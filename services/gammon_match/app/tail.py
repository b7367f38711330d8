"""What watching and feeding need of the store: what is newer than something seen, waiting a while for it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from gammon_match.app.ports import StoredEvent, Unreadable


@dataclass(frozen=True, slots=True)
class FeedItem:
    """One entry of a partition's feed: its position from 1 without gaps, and its bytes."""

    position: int
    entry: bytes


class Tail(Protocol):
    """The new ends of streams and feeds."""

    async def newer(
        self, positions: Mapping[str, int], wait_s: float
    ) -> Mapping[str, Sequence[StoredEvent]] | Unreadable:
        """Events above the positions, by match, of matches that share a partition; waits when there are none."""
        ...

    async def feed(self, partition: int, after: int, limit: int, wait_s: float) -> Sequence[FeedItem] | Unreadable:
        """Feed entries above a position, in order; waits (0: does not) when there are none."""
        ...
