"""What the rating service needs from the outside: feeds to read, and a ledger to keep."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from gammon_rating.core.fibs import Rating
from gammon_rating.core.units import Ended, Unit


@dataclass(frozen=True, slots=True)
class FeedItem:
    """One feed entry: where it stands, SHA-256 of its bytes, and what it tells."""

    partition: int
    position: int
    hash: bytes
    ended: Ended


@dataclass(frozen=True, slots=True)
class Place:
    """How far a partition's feed has been taken in: position, and the hash of the entry there."""

    position: int
    hash: bytes


@dataclass(frozen=True, slots=True)
class Standing:
    """A player in a pool. `place` from 1; 0: not placed."""

    player: str
    pool: str
    rating: Rating
    rated: int
    change_ns: int
    place: int = 0


@dataclass(frozen=True, slots=True)
class Change:
    """A rated unit with both ratings before and after, ready to be written."""

    unit: Unit
    winner: tuple[Rating, Rating]
    loser: tuple[Rating, Rating]


@dataclass(frozen=True, slots=True)
class StoredEntry:
    """One entry of the ledger as stored."""

    position: int
    entry: bytes
    hash: bytes


class FeedReader(Protocol):
    """The match service's feeds."""

    async def partitions(self) -> int:
        """How many feeds there are."""
        ...

    def read(self, partition: int, after: Place) -> AsyncIterator[FeedItem]:
        """Entries after a place, for ever. Raises FeedRewound when the feed is not the one that was read before."""
        ...


class FeedRewound(Exception):
    """The feed no longer has what was read from it: the store was rewound. Nobody goes on by themselves."""


class Deposed(Exception):
    """Another rating service owns the ledger now."""


class Ledger(Protocol):
    """The ordered ledger of ratings and all that follows from it."""

    async def place(self, partition: int) -> Place:
        """How far a feed has been taken in."""
        ...

    async def take_in(self, item: FeedItem, now_ns: int) -> bool:
        """Rates what an item tells and moves the place on, in one step; False: there was nothing to rate.

        A correction takes back what it says no longer holds, newest first, and moves the place on after the last.
        """
        ...

    async def rating(self, pool: str, player: str) -> Standing | None:
        """A player's standing."""
        ...

    async def leaders(self, pool: str, after: int, limit: int) -> Sequence[Standing]:
        """Standings by rating, highest first, after so many places."""
        ...

    async def entries(self, after: int, limit: int) -> Sequence[StoredEntry]:
        """Ledger entries after a position, in order."""
        ...
