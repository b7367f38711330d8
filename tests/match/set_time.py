"""Time and dice as a test sets them."""

from dataclasses import dataclass
from random import Random


class SeededDice:
    """Dice that a seed decides."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def throw(self, count: int) -> tuple[int, ...]:
        return tuple(self._random.randint(1, 6) for _ in range(count))


class SetClock:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.ns = 1_700_000_000_000_000_000

    def now_ns(self) -> int:
        return self.ns


class SetStopwatch:
    """A monotonic clock that a test moves on."""

    def __init__(self) -> None:
        self.ns = 5_000_000_000

    def __call__(self) -> int:
        return self.ns

    def pass_s(self, seconds: float) -> None:
        self.ns += round(seconds * 1_000_000_000)


@dataclass
class SetStoreTime:
    """The store's time as a test sets it; shared by all desks of a store."""

    ns: int = 1_800_000_000_000_000_000

    async def now_ns(self) -> int:
        return self.ns


@dataclass
class SetTenure:
    """Says that this process times every match, in the term that a test sets; None: none."""

    number: int | None = 1

    def term(self, match_id: str) -> int | None:
        return self.number

    def holder(self, match_id: str) -> str:
        return "another" if self.number is None else ""
