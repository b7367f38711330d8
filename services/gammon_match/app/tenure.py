"""Which partitions' matches this process times: leases in the store, one holder each, renewed while it lives.

The processes share the partitions evenly: each holds its share of what there is, so that one that starts is given some
and what one leaves is taken. A lease counts here for a little less long than in the store, so that two processes never
hold one at the same time. Each time a lease is gained a new term begins: what was measured in an earlier one is no
longer known.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from gammon_match.app.ports import Unreadable

LEASE_NS = 6_000_000_000
COUNTED_NS = 5_000_000_000
RENEW_EVERY_S = 1.0
# Between the name of a process and where others reach it.
AT = "@"


@dataclass(frozen=True, slots=True)
class Holdings:
    """How many processes there are, and who holds each partition; empty: nobody."""

    processes: int
    holders: Mapping[int, str]


class Leases(Protocol):
    """Leases in the store, one a partition, and the processes that share them."""

    async def enlist(self, holder: str, lease_ns: int) -> Holdings | Unreadable:
        """Counts a process among those that share, for so long (0: no longer), and says who holds what."""
        ...

    async def take(self, holder: str, lease_ns: int, partitions: Sequence[int]) -> Mapping[int, str] | Unreadable:
        """Takes or renews those that nobody else holds, and says who holds each of them now."""
        ...

    async def release(self, holder: str, partitions: Sequence[int]) -> None:
        """Gives back those that are held."""
        ...


class LeasedTenure:
    """The tenure of a process that shares the store with others."""

    def __init__(
        self,
        leases: Leases,
        holder: str,
        partition_of: Callable[[str], int | None],
        monotonic_ns: Callable[[], int],
    ) -> None:
        """`holder`: this process's name, and behind an AT where others reach it, if they do.

        Set later: `on_gain`, called with each partition whose term begins, and `on_elsewhere`, with each that another
        process is known to hold from now on.
        """
        self.on_gain: Callable[[int], None] = lambda _: None
        self.on_elsewhere: Callable[[int], None] = lambda _: None
        self._leases = leases
        self._holder = holder
        self._partition_of = partition_of
        self._monotonic_ns = monotonic_ns
        self._until: dict[int, int] = {}
        self._terms: dict[int, int] = {}
        self._elsewhere: dict[int, str] = {}

    def term(self, match_id: str) -> int | None:
        """The number of the term that this process times a match in; None: it does not."""
        partition = self._partition_of(match_id)
        if partition is None or self._monotonic_ns() >= self._until.get(partition, 0):
            return None
        return self._terms[partition]

    def holder(self, match_id: str) -> str:
        """The name of who else times a match, as far as is known; empty: nobody."""
        return self._found(match_id).partition(AT)[0]

    def address(self, match_id: str) -> str:
        """Where the process that times a match is reached; empty: it is not known, or this is the one."""
        return self._found(match_id).partition(AT)[2]

    def measured_by(self, match_id: str) -> str:
        """As `holder`, but only of one that can be reached."""
        return self.holder(match_id) if self.address(match_id) else ""

    async def renew(self) -> None:
        """One round: takes what it lacks of its share, renews what it has, gives back what is too much."""
        asked_ns = self._monotonic_ns()
        found = await self._leases.enlist(self._holder, LEASE_NS)
        if isinstance(found, Unreadable):
            return
        kept, given_back = share(self._holder, found)
        for partition in given_back:
            self._until.pop(partition, None)
        if given_back:
            await self._leases.release(self._holder, given_back)
        taken = await self._leases.take(self._holder, LEASE_NS, kept)
        if isinstance(taken, Unreadable):
            return
        holders = {**found.holders, **dict.fromkeys(given_back, ""), **taken}
        for partition, holder in holders.items():
            if holder == self._holder:
                self._hold(partition, asked_ns)
            else:
                self._leave(partition, holder)

    async def run(self) -> None:
        """Renews until it is cancelled, then gives everything back."""
        try:
            while True:
                await self.renew()
                await asyncio.sleep(RENEW_EVERY_S)
        finally:
            held = tuple(self._until)
            self._until.clear()
            await self._leases.release(self._holder, held)
            await self._leases.enlist(self._holder, 0)

    def _hold(self, partition: int, asked_ns: int) -> None:
        self._elsewhere.pop(partition, None)
        is_new = asked_ns >= self._until.get(partition, 0)
        self._until[partition] = asked_ns + COUNTED_NS
        if is_new:
            self._terms[partition] = self._terms.get(partition, 0) + 1
            self.on_gain(partition)

    def _leave(self, partition: int, holder: str) -> None:
        self._until.pop(partition, None)
        if holder and self._elsewhere.get(partition) != holder:
            self._elsewhere[partition] = holder
            self.on_elsewhere(partition)
        elif not holder:
            self._elsewhere.pop(partition, None)

    def _found(self, match_id: str) -> str:
        partition = self._partition_of(match_id)
        return "" if partition is None else self._elsewhere.get(partition, "")


def share(holder: str, found: Holdings) -> tuple[Sequence[int], Sequence[int]]:
    """The partitions that a process holds or is to take now, and those to give back: no more than its even share."""
    most = -(-len(found.holders) // max(found.processes, 1))
    held = [partition for partition, by in found.holders.items() if by == holder]
    free = [partition for partition, by in found.holders.items() if not by]
    return (*held[:most], *free[: max(most - len(held), 0)]), held[most:]
