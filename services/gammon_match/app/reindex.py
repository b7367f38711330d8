"""Going over the index of matches: what it says is compared with what every log says, and made right if wanted.

Play goes on meanwhile: each match is compared, and made right, at one moment and at the head that its log was read to.
"""

from collections.abc import AsyncGenerator, Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from gammon_match.app.codec import Codec
from gammon_match.app.listing_changes import Entry, entry_of
from gammon_match.app.ports import EventStore, Head, Unreadable
from gammon_match.core.refusals import CorruptMatch

ATTEMPTS = 50
# How a fault begins that only the log's own repair can mend.
UNREADABLE = "its log cannot be read: "


@dataclass(frozen=True, slots=True)
class Keys:
    """What a store has by partition: the matches with a log or a part of one, and the facets that there are."""

    logs: Mapping[int, frozenset[str]]
    facets: Mapping[int, frozenset[str]]


@dataclass(frozen=True, slots=True)
class PartIndexed:
    """What the index of a partition names: the matches, each with the facets it is under; and what is wrong at large.

    `matches` None: it cannot be compared before that is mended.
    """

    matches: Mapping[str, frozenset[str]] | None
    faults: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Moved:
    """The log is another one by now."""


@dataclass(frozen=True, slots=True)
class Looked:
    """One match was looked at (or, without an id, one partition): what is wrong, and how many of how many are done."""

    match_id: str
    faults: tuple[str, ...]
    done: int
    total: int


class IndexUpkeep(Protocol):
    """The index from the inside. `mend`: what is wrong is made right, and told all the same."""

    async def keys(self) -> Keys | Unreadable:
        """What there is."""
        ...

    async def part(self, partition: int, facets: frozenset[str], *, mend: bool) -> PartIndexed | Unreadable:
        """What the index of a partition names, where it has these facets."""
        ...

    async def compare(
        self, match_id: str, head: Head, entry: Entry, found: frozenset[str], *, mend: bool
    ) -> tuple[str, ...] | Moved | Unreadable:
        """What is wrong about a match whose log ends at a head; `found`: the facets it was seen under."""
        ...

    async def compare_absent(
        self, match_id: str, found: frozenset[str], *, mend: bool
    ) -> tuple[str, ...] | Moved | Unreadable:
        """What is wrong about a match without a log: whatever the index has of it."""
        ...

    async def compare_unreadable(self, match_id: str, *, mend: bool) -> tuple[str, ...] | Unreadable:
        """What is wrong about a match whose log cannot be read: it must be in the list of all matches, for audits."""
        ...


class Reindex:
    """Goes over the index of a store."""

    def __init__(
        self, store: EventStore, upkeep: IndexUpkeep, codec: Codec, partition_of: Callable[[str], int | None]
    ) -> None:
        """`partition_of`: of a match id."""
        self._store = store
        self._upkeep = upkeep
        self._codec = codec
        self._partition_of = partition_of

    async def run(self, partitions: int, *, mend: bool) -> AsyncGenerator[Looked | Unreadable, None]:
        """Looks at every partition and every match; what cannot be read of the store ends it."""
        keys = await self._upkeep.keys()
        if isinstance(keys, Unreadable):
            yield keys
            return
        done, total = 0, sum(map(len, keys.logs.values()))
        for partition in range(partitions):
            part = await self._upkeep.part(partition, keys.facets.get(partition, frozenset()), mend=mend)
            if isinstance(part, Unreadable):
                yield part
                return
            yield Looked("", part.faults, done, total)
            logs = keys.logs.get(partition, frozenset())
            if part.matches is None:
                total -= len(logs)
                continue
            total += len(part.matches.keys() - logs)
            for match_id in sorted(logs | part.matches.keys()):
                faults = await self._look(match_id, part.matches.get(match_id, frozenset()), mend=mend)
                if isinstance(faults, Unreadable):
                    yield faults
                    return
                done += 1
                yield Looked(match_id, faults, done, total)

    async def _look(self, match_id: str, found: frozenset[str], *, mend: bool) -> tuple[str, ...] | Unreadable:
        for _ in range(ATTEMPTS):
            recorded = await self._store.read(match_id)
            if isinstance(recorded, Unreadable):
                return recorded
            head = recorded.head
            if head is None and not recorded.events:
                faults = await self._upkeep.compare_absent(match_id, found, mend=mend)
            else:
                entry = entry_of(match_id, recorded.events, self._codec)
                last = recorded.events[-1] if recorded.events else None
                if head is None or last is None or Head(last.sequence, last.hash) != head:
                    entry = CorruptMatch(0, "the head record is not the last event")
                if isinstance(entry, CorruptMatch):
                    unlisted = await self._upkeep.compare_unreadable(match_id, mend=mend)
                    if isinstance(unlisted, Unreadable):
                        return unlisted
                    return (f"{UNREADABLE}{entry.fault}", *unlisted)
                assert head is not None
                faults = await self._upkeep.compare(match_id, head, entry, found, mend=mend)
            if not isinstance(faults, Moved):
                return faults
        return (f"it went on during each of {ATTEMPTS} looks",)
