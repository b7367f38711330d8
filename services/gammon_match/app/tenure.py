"""Which partitions' matches this process times: leases in the store, one holder each, renewed while it lives.

A lease counts here for a little less long than in the store, so that two processes never hold one at the same time.
Each time a lease is gained a new term begins: what was measured in an earlier one is no longer known.
"""

import asyncio
from collections.abc import Callable, Mapping
from typing import Protocol

from gammon_match.app.ports import Unreadable

LEASE_NS = 6_000_000_000
COUNTED_NS = 5_000_000_000
RENEW_EVERY_S = 1.0


class Leases(Protocol):
    """Leases in the store, one a partition."""

    async def renew(self, holder: str, lease_ns: int) -> Mapping[int, str] | Unreadable:
        """Takes what is free, renews what is held, and says who holds each partition now."""
        ...

    async def release(self, holder: str) -> None:
        """Gives back what is held."""
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
        """`holder`: this process's name. `on_gain`, set later: called with each partition whose term begins."""
        self.on_gain: Callable[[int], None] = lambda _: None
        self._leases = leases
        self._holder = holder
        self._partition_of = partition_of
        self._monotonic_ns = monotonic_ns
        self._until: dict[int, int] = {}
        self._terms: dict[int, int] = {}
        self._holders: Mapping[int, str] = {}

    def term(self, match_id: str) -> int | None:
        """The number of the term that this process times a match in; None: it does not."""
        partition = self._partition_of(match_id)
        if partition is None or self._monotonic_ns() >= self._until.get(partition, 0):
            return None
        return self._terms[partition]

    def holder(self, match_id: str) -> str:
        """Who times a match, as far as is known; empty: nobody."""
        partition = self._partition_of(match_id)
        found = "" if partition is None else self._holders.get(partition, "")
        return "" if found == self._holder else found

    async def renew(self) -> None:
        """One round: takes and renews what it can."""
        asked_ns = self._monotonic_ns()
        holders = await self._leases.renew(self._holder, LEASE_NS)
        if isinstance(holders, Unreadable):
            return
        self._holders = holders
        gained = []
        for partition, holder in holders.items():
            if holder != self._holder:
                self._until.pop(partition, None)
                continue
            if asked_ns >= self._until.get(partition, 0):
                self._terms[partition] = self._terms.get(partition, 0) + 1
                gained.append(partition)
            self._until[partition] = asked_ns + COUNTED_NS
        for partition in gained:
            self.on_gain(partition)

    async def run(self) -> None:
        """Renews until it is cancelled, then gives everything back."""
        try:
            while True:
                await self.renew()
                await asyncio.sleep(RENEW_EVERY_S)
        finally:
            self._until.clear()
            await self._leases.release(self._holder)
