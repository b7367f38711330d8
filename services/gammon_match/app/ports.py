"""What the match service needs from the outside: a store of events, time and dice. The law is in `law.py`."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Protocol

from gammon_match.core.listing import ListingChange

MAX_BATCH_EVENTS = 64
MAX_EVENT_BYTES = 65_536


class DurabilityLevel(Enum):
    """How long an append is known to last, weakest first (event store 2.3)."""

    ACCEPTED = 1
    FSYNCED = 2
    REPLICATED = 3
    DURABLE = 4


@dataclass(frozen=True, slots=True)
class Head:
    """The place of a match's last event: its sequence (0: none yet) and the chain's hash there."""

    sequence: int
    hash: bytes


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """One event as stored: sequence from 1, the envelope's bytes, the chain's 32-byte hash."""

    sequence: int
    envelope: bytes
    hash: bytes


@dataclass(frozen=True, slots=True)
class Batch:
    """The events of one request, prepared once: sending the same batch again can only find it already there.

    `expected` is the head it was decided at; a match without events has sequence 0 and its genesis hash.
    In the same atomic step `feed_entry` goes to the partition's feed, and what `listing` changes to the index.
    `closes`: nothing may follow.
    """

    match_id: str
    expected: Head
    envelopes: tuple[bytes, ...]
    hashes: tuple[bytes, ...]
    feed_entry: bytes | None = None
    closes: bool = False
    listing: ListingChange | None = None

    @property
    def head(self) -> Head:
        """The head once the batch is stored."""
        return Head(self.expected.sequence + len(self.envelopes), self.hashes[-1])

    @property
    def events(self) -> tuple[StoredEvent, ...]:
        """The events as they will be stored."""
        first = self.expected.sequence + 1
        return tuple(StoredEvent(first + i, envelope, self.hashes[i]) for i, envelope in enumerate(self.envelopes))


@dataclass(frozen=True, slots=True)
class Appended:
    """The batch is stored, now or (duplicate) by an earlier sending of the same batch."""

    achieved: DurabilityLevel
    duplicate: bool = False


@dataclass(frozen=True, slots=True)
class Conflict:
    """Another batch stands where this one was to go; nothing was written."""

    head: Head


@dataclass(frozen=True, slots=True)
class Closed:
    """The match takes no more events; nothing was written."""

    head: Head


@dataclass(frozen=True, slots=True)
class Fenced:
    """The store has another lineage; nothing was written."""

    lineage: int


@dataclass(frozen=True, slots=True)
class Corrupt:
    """Head record and stream do not fit together; nothing was written."""

    fault: str


@dataclass(frozen=True, slots=True)
class NotWritten:
    """The store refused or was not reached; nothing was written."""

    cause: str


@dataclass(frozen=True, slots=True)
class NotConfirmed:
    """Written, but not known to last as long as asked; the same batch again settles it."""

    achieved: DurabilityLevel


@dataclass(frozen=True, slots=True)
class OutcomeUnknown:
    """Whether it was written is not known; the same batch again settles it."""

    cause: str


AppendResult = Appended | Conflict | Closed | Fenced | Corrupt | NotWritten | NotConfirmed | OutcomeUnknown


@dataclass(frozen=True, slots=True)
class Unreadable:
    """The store did not answer a read."""

    cause: str


@dataclass(frozen=True, slots=True)
class Recorded:
    """Events read, in stored order and unjudged, and the head record (None: no such match).

    `length`: how many events are stored in all, read or not.
    """

    events: Sequence[StoredEvent]
    head: Head | None
    closed: bool = False
    length: int = field(default=0, compare=False)


class EventStore(Protocol):
    """Append-only match streams. Partition and keys follow from the match id."""

    @property
    def offered(self) -> DurabilityLevel:
        """The highest level that an append may ask for."""
        ...

    async def append(self, batch: Batch, level: DurabilityLevel) -> AppendResult:
        """Stores a whole batch at its place or nothing, and says which."""
        ...

    async def read(self, match_id: str, after: int = 0, limit: int | None = None) -> Recorded | Unreadable:
        """Reads stored events with a sequence above `after`, and the head record, at one moment."""
        ...


class Clock(Protocol):
    """Wall-clock time."""

    def now_ns(self) -> int:
        """Nanoseconds since the epoch."""
        ...


class DiceBox(Protocol):
    """A source of fair dice that nobody can predict."""

    def throw(self, count: int) -> tuple[int, ...]:
        """The faces of `count` dice, 1 to 6."""
        ...
