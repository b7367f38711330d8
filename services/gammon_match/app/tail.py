"""What watching and feeding need of the store: what is newer than something seen, waiting a while for it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from gammon_match.app.index import Row
from gammon_match.app.ports import StoredEvent, Unreadable


@dataclass(frozen=True, slots=True)
class FeedItem:
    """One entry of a partition's feed: its position from 1 without gaps, and its bytes."""

    position: int
    entry: bytes


@dataclass(frozen=True, slots=True)
class Change:
    """A change of a match's entry in lists: its number, in steps of one, its row from then on, and the hash there."""

    number: int
    row: Row
    hash: bytes


class NewEvents(Protocol):
    """The new ends of streams."""

    async def newer(
        self, positions: Mapping[str, int], wait_s: float
    ) -> Mapping[str, Sequence[StoredEvent]] | Unreadable:
        """Events above the positions, by match, of matches that share a partition; waits when there are none."""
        ...


class Tail(NewEvents, Protocol):
    """The new ends of streams, feeds and lists of changes."""

    async def feed(self, partition: int, after: int, limit: int, wait_s: float) -> Sequence[FeedItem] | Unreadable:
        """Feed entries above a position, in order; waits (0: does not) when there are none."""
        ...

    async def changes(self, partition: int, after: int, limit: int, wait_s: float) -> Sequence[Change] | Unreadable:
        """Changes of lists above a number, in order, as far as they are still kept; waits when there are none."""
        ...

    async def last_change(self, partition: int) -> int | Unreadable:
        """The number of the last change of a partition; 0: there is none."""
        ...
