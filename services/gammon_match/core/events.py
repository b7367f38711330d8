"""The events of a match as plain values. What the law says stays opaque bytes: this service knows no game."""

from dataclasses import dataclass
from enum import IntEnum

from gammon_match.core.table_events import NO_PREFERENCES, Preferences, TableEvent

SCHEMA_VERSION = 1


class Status(IntEnum):
    """Where a match is in its life; the numbers are those of the contract."""

    SEATING = 1
    PLAYING = 2
    AWAITING_DRAW = 3
    PAUSED = 4
    CLOSED = 5


class DiceSource(IntEnum):
    """Where dice come from; the numbers are those of the contract."""

    SERVICE = 1
    BGD1 = 2
    RECORDED = 3


class CloseReason(IntEnum):
    """Why a match is closed; the numbers are those of the contract."""

    PLAYED = 1
    OPERATOR = 2
    RECORD_ENDS = 3


@dataclass(frozen=True, slots=True)
class Draw:
    """The dice that a state can be asked for: how many, what for, who may ask; `at_once`: without anybody asking."""

    count: int
    purpose: int
    seats: tuple[int, ...]
    at_once: bool


@dataclass(frozen=True, slots=True)
class Standing:
    """The part of a ruling's summary that is read here; `raw` is the whole summary, stored and shown as it came.

    `offered`: an offer to end the game waits for answers, and what was going on waits with it.
    """

    phase: int
    seats_to_act: tuple[int, ...]
    draw: Draw | None
    over: bool
    raw: bytes
    offered: bool = False


@dataclass(frozen=True, slots=True)
class Seated:
    """Actor: a seat."""

    seat: int


@dataclass(frozen=True, slots=True)
class Player:
    """Actor: a player by reference, not acting for a seat."""

    player: str


@dataclass(frozen=True, slots=True)
class Operator:
    """Actor: an operator by reference."""

    operator: str


@dataclass(frozen=True, slots=True)
class System:
    """Actor: the service itself."""


Actor = Seated | Player | Operator | System


@dataclass(frozen=True, slots=True)
class MatchCreated:
    """A match was created; `settings` are the bytes the hash chain begins with."""

    settings: bytes
    creator: str


@dataclass(frozen=True, slots=True)
class SeatTaken:
    """A seat was taken by a player, with the key their acts will be signed with (or none)."""

    seat: int
    player: str
    public_key: bytes = b""
    accepted_settings: bytes = b""
    preferences: Preferences = NO_PREFERENCES


@dataclass(frozen=True, slots=True)
class MatchStarted:
    """All seats are taken; play begins under this rules version."""

    rules_version: str


@dataclass(frozen=True, slots=True)
class DrawRequested:
    """Dice were asked for: the draw's number from 1, never reused; seat None: thrown at once."""

    draw: int
    count: int
    purpose: int
    seat: int | None


@dataclass(frozen=True, slots=True)
class DiceDrawn:
    """Dice were drawn: the faces in draw order."""

    draw: int
    faces: tuple[int, ...]
    source: DiceSource


@dataclass(frozen=True, slots=True)
class LawFact:
    """The law's part of what happened: the bytes of a fact of the rules service."""

    fact: bytes


@dataclass(frozen=True, slots=True)
class RecordClaimed:
    """What an imported record says of a game's end, kept beside the law's verdict: the bytes of the claim."""

    claim: bytes


@dataclass(frozen=True, slots=True)
class MatchClosed:
    """Nothing follows."""

    reason: CloseReason


@dataclass(frozen=True, slots=True)
class Ignorable:
    """An event this version does not know and may go on without."""


Event = (
    MatchCreated
    | SeatTaken
    | MatchStarted
    | DrawRequested
    | DiceDrawn
    | LawFact
    | RecordClaimed
    | TableEvent
    | MatchClosed
    | Ignorable
)


@dataclass(frozen=True, slots=True)
class BatchEnd:
    """What stands at the end of a batch: the request's digest, the referee's state (empty before the start)."""

    request_digest: bytes
    state: bytes
    standing: Standing | None
    status: Status
    draws: int
    seats_sequence: int


@dataclass(frozen=True, slots=True)
class Envelope:
    """One event with who, when (ns since the epoch) and why; `batch_end` on the last of its batch only."""

    record_ns: int
    actor: Actor
    request_id: str
    event: Event
    batch_end: BatchEnd | None = None
    source_line: int = 0
