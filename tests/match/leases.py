"""Leases in memory, on a clock that a test sets."""

from collections.abc import Mapping, Sequence

from tests.match.set_time import SetStopwatch

from gammon_match.app.ports import Unreadable
from gammon_match.app.tenure import Holdings


class MemoryLeases:
    """What a store keeps of leases. `away`: it does not answer."""

    def __init__(self, partitions: int, clock: SetStopwatch) -> None:
        self.away = False
        self._clock = clock
        self._held: dict[int, tuple[str, int]] = dict.fromkeys(range(partitions), ("", 0))
        self._processes: dict[str, int] = {}

    async def enlist(self, holder: str, lease_ns: int) -> Holdings | Unreadable:
        if self.away:
            return Unreadable("told to be away")
        now = self._clock()
        self._processes[holder] = now + lease_ns
        alive = sum(until > now for until in self._processes.values())
        return Holdings(alive, {number: self._holder(number) for number in self._held})

    async def take(self, holder: str, lease_ns: int, partitions: Sequence[int]) -> Mapping[int, str] | Unreadable:
        if self.away:
            return Unreadable("told to be away")
        for number in partitions:
            if self._holder(number) in ("", holder):
                self._held[number] = holder, self._clock() + lease_ns
        return {number: self._holder(number) for number in partitions}

    async def release(self, holder: str, partitions: Sequence[int]) -> None:
        for number in partitions:
            if self._held[number][0] == holder:
                self._held[number] = "", 0

    def _holder(self, number: int) -> str:
        holder, until = self._held[number]
        return holder if until > self._clock() else ""
