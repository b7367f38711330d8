"""Events around the play: rulings, take-backs, pauses, preferences, time and absence. Times in nanoseconds."""

from dataclasses import dataclass
from enum import IntEnum


class DirectorReason(IntEnum):
    """Why a director ruled; the numbers are those of the contract."""

    REQUEST = 1
    TECHNICAL = 2
    CORRECTION = 3
    PENALTY = 4
    ABSENCE = 5


@dataclass(frozen=True, slots=True)
class DirectorRuled:
    """A director ruled; what came of it follows in the same batch."""

    reason: DirectorReason


@dataclass(frozen=True, slots=True)
class TakenBack:
    """The state of an earlier batch end holds again; the draw counter goes on (rule 8.5). `reason`: the director's."""

    to_sequence: int
    reason: DirectorReason | None
    by_consent: bool = False


@dataclass(frozen=True, slots=True)
class TakeBackProposed:
    """A seat proposes to go back to a batch end."""

    seat: int
    to_sequence: int


@dataclass(frozen=True, slots=True)
class TakeBackAnswered:
    """A seat consents to the open proposal, or ends it."""

    seat: int
    accepted: bool


@dataclass(frozen=True, slots=True)
class PlayerReplaced:
    """A director gave a seat to another player."""

    seat: int
    player: str
    public_key: bytes
    reason: DirectorReason


@dataclass(frozen=True, slots=True)
class MatchPaused:
    """Play is paused by a seat on its budget, by all, or by a director. `budgets`: what remains, in ns by seat."""

    reason: DirectorReason | None
    seat: int | None
    mutual: bool
    budgets: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class MatchResumed:
    """Play goes on. `budgets`: what remains of each seat's, in ns; `reason`: the director's."""

    budgets: tuple[int, ...] = ()
    reason: DirectorReason | None = None


@dataclass(frozen=True, slots=True)
class PauseAsked:
    """A seat wants a pause that begins when all want it, or no longer does."""

    seat: int
    withdrawn: bool


@dataclass(frozen=True, slots=True)
class Preferences:
    """What a player lets the service do for the seat: roll where no double is possible, play what is forced."""

    roll_without_choice: bool = False
    play_forced: bool = False


NO_PREFERENCES = Preferences()


@dataclass(frozen=True, slots=True)
class PreferencesSet:
    """A player says what the service may do for the seat from now on."""

    seat: int
    preferences: Preferences


@dataclass(frozen=True, slots=True)
class ClockStamped:
    """The clock at a batch end, in ns: the reserves by seat, who runs, and what is left of their moves' delays.

    `store_ns`: days per move only, the store's time at that moment; it never decreases within a match. `interrupted`:
    seats whose moves an offer interrupts, ascending, with what is left of those moves' delays.
    """

    reserves: tuple[int, ...]
    running: tuple[int, ...]
    delays: tuple[int, ...] = ()
    store_ns: int = 0
    interrupted: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class FlagFell:
    """A seat's time is up."""

    seat: int
    claimed_by: int | None


class AbsenceChange(IntEnum):
    """What an absence timer did; the numbers are those of the contract."""

    STARTED = 1
    STOPPED = 2
    CLAIMED = 3


@dataclass(frozen=True, slots=True)
class AbsenceTimed:
    """The timer of an absent seat was started, stopped or claimed."""

    seat: int
    change: AbsenceChange
    claimed_by: int | None = None


class SystemReason(IntEnum):
    """Why the service acted for a seat; the numbers are those of the contract."""

    NO_DOUBLE = 1
    FORCED = 2


@dataclass(frozen=True, slots=True)
class ActedBySystem:
    """What follows in this batch the service did for a seat, by its preference."""

    seat: int
    reason: SystemReason


TableEvent = (
    DirectorRuled
    | TakenBack
    | TakeBackProposed
    | TakeBackAnswered
    | PlayerReplaced
    | MatchPaused
    | MatchResumed
    | PauseAsked
    | PreferencesSet
    | ClockStamped
    | FlagFell
    | AbsenceTimed
    | ActedBySystem
)
