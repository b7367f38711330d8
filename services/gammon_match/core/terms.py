"""What was agreed about a match beside the law: time, absence, spectators, seats. Times in nanoseconds."""

from dataclasses import dataclass
from enum import IntEnum


class ClockKind(IntEnum):
    """How time is measured; the numbers are those of the contract."""

    NONE = 1
    DELAY = 2
    FISCHER = 3
    DAYS = 4


class Spectators(IntEnum):
    """Who may watch besides seats and officials; the numbers are those of the contract."""

    LIVE = 1
    DELAYED = 2
    OFF = 3


@dataclass(frozen=True, slots=True)
class ClockTerms:
    """The clock: the reserve at the start; delay, increment or time of a move; whether a flag must be claimed."""

    kind: ClockKind = ClockKind.NONE
    reserve_ns: int = 0
    per_move_ns: int = 0
    claimed: bool = False


NO_CLOCK = ClockTerms()


@dataclass(frozen=True, slots=True)
class AbsenceTerms:
    """How long an absent player's decision may wait (None: for ever), and what each seat may pause in all."""

    abandonment_ns: int | None = None
    pause_budget_ns: int = 0


NO_ABSENCE = AbsenceTerms()


@dataclass(frozen=True, slots=True)
class SeatTerms:
    """Whom a seat is reserved for (empty: nobody), and whether it is only for those who are invited."""

    player: str = ""
    invited: bool = False
