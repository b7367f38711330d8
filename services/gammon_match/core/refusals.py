"""Why the match service says no, as values. One table turns them into status codes."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FieldFault:
    """One fault of a request: the field's path, the value, the rule or bound it breaks, a sentence."""

    field: str
    value: str
    rule: str
    reason: str


@dataclass(frozen=True, slots=True)
class Malformed:
    """Fields are missing or malformed: all of them at once."""

    faults: tuple[FieldFault, ...]


@dataclass(frozen=True, slots=True)
class Unsupported:
    """The rules service does not support the settings."""

    faults: tuple[FieldFault, ...]


@dataclass(frozen=True, slots=True)
class RequestIdReused:
    """The request id was used before, for something else."""

    request_id: str
    sequence: int


@dataclass(frozen=True, slots=True)
class MatchNotFound:
    """No such match."""

    match_id: str


@dataclass(frozen=True, slots=True)
class NoBatchEnd:
    """No batch ends at this sequence."""

    sequence: int


@dataclass(frozen=True, slots=True)
class NotYourSeat:
    """The caller does not hold the seat; None: any seat of the match."""

    seat: int | None


@dataclass(frozen=True, slots=True)
class SeatUnavailable:
    """The seat is held by somebody else, reserved, or there is none open."""

    seat: int | None
    reason: str


@dataclass(frozen=True, slots=True)
class NotStarted:
    """Seats are still open."""

    open_seats: int


@dataclass(frozen=True, slots=True)
class MatchIsClosed:
    """Nothing may follow."""

    sequence: int


@dataclass(frozen=True, slots=True)
class Unlawful:
    """The law does not allow it. `line`: of an imported record, from 1."""

    rule: str
    reason: str
    field: str = ""
    value: str = ""
    line: int = 0


@dataclass(frozen=True, slots=True)
class Overtaken:
    """Somebody else was first; this is the head now."""

    sequence: int
    hash: bytes


@dataclass(frozen=True, slots=True)
class Rewound:
    """The caller has seen a sequence or hash that the store does not have."""

    sequence: int
    hash: bytes


@dataclass(frozen=True, slots=True)
class CorruptMatch:
    """The stored events do not fit together."""

    sequence: int
    fault: str


@dataclass(frozen=True, slots=True)
class StoreAway:
    """The store was not reached or refused; nothing was written."""

    cause: str


@dataclass(frozen=True, slots=True)
class Unconfirmed:
    """Written, but not known to last as asked; the same request again settles it."""

    sequence: int
    hash: bytes
    achieved: str


@dataclass(frozen=True, slots=True)
class Unknown:
    """Whether it was written is not known; the same request again settles it."""

    cause: str


@dataclass(frozen=True, slots=True)
class RulesAway:
    """The rules service does not answer; nothing was written."""

    cause: str


@dataclass(frozen=True, slots=True)
class DurabilityNotOffered:
    """The store cannot hold the durability asked for."""

    asked: str
    offered: str


@dataclass(frozen=True, slots=True)
class StoreFenced:
    """Another lineage of the store holds."""

    lineage: int


@dataclass(frozen=True, slots=True)
class SettingsNotAccepted:
    """The settings that the player accepted are not the match's."""

    settings_sha256: bytes


@dataclass(frozen=True, slots=True)
class NotToBeSeen:
    """The match's spectator policy hides it from the caller; `sequence`: only from there on (0: all of it)."""

    sequence: int = 0


@dataclass(frozen=True, slots=True)
class TooSlow:
    """A watcher could not keep up. `resume_after`: the last sequence it was handed; None: it watches its set anew."""

    resume_after: int | None


@dataclass(frozen=True, slots=True)
class TimedElsewhere:
    """Another process of the service measures the match's time; what is to be decided on it is asked there."""

    holder: str


@dataclass(frozen=True, slots=True)
class MatchIsPaused:
    """Play waits for its end."""

    by: str


@dataclass(frozen=True, slots=True)
class NoPause:
    """This seat cannot have, or cannot end, a pause now."""

    reason: str


@dataclass(frozen=True, slots=True)
class NoTakeBack:
    """There is nothing to propose or to answer: not agreed, nothing proposed, or said already."""

    reason: str


@dataclass(frozen=True, slots=True)
class BadInvitation:
    """The seat is only for those who are invited, or the invitation is not for this match, seat and player."""

    seat: int | None
    reason: str


@dataclass(frozen=True, slots=True)
class NoLapse:
    """There is nothing to claim. `wait_ns`: how long until there may be; None: it does not help to wait."""

    reason: str
    wait_ns: int | None = None


@dataclass(frozen=True, slots=True)
class NotOver:
    """The match is not over yet."""

    sequence: int


Refusal = (
    Malformed
    | Unsupported
    | RequestIdReused
    | MatchNotFound
    | NoBatchEnd
    | NotYourSeat
    | SeatUnavailable
    | NotStarted
    | MatchIsClosed
    | Unlawful
    | Overtaken
    | Rewound
    | CorruptMatch
    | StoreAway
    | Unconfirmed
    | Unknown
    | RulesAway
    | DurabilityNotOffered
    | StoreFenced
    | SettingsNotAccepted
    | TooSlow
    | TimedElsewhere
    | MatchIsPaused
    | NoPause
    | NoLapse
    | BadInvitation
    | NotOver
    | NotToBeSeen
    | NoTakeBack
)


def faulty(malformed: Iterable[FieldFault], unsupported: Iterable[FieldFault]) -> Malformed | Unsupported | None:
    """One refusal for every fault of a request; what is only not supported yet does not by itself make it malformed."""
    wrong, later = tuple(malformed), tuple(unsupported)
    if wrong:
        return Malformed(wrong + later)
    return Unsupported(later) if later else None
