"""What a service refuses, as exceptions: one base, one class for each reason of the contracts.

LedgerError
  Malformed, RequestIdReused, Unauthenticated, BadSignature, RoleRequired, NotYourSeat
  MatchNotFound, NoBatchEnd, NotToBeSeen, PlayerNotRated
  SeatTaken, NotStarted, Closed, NotYourTurn, AgainstTheLaw, Unsupported, UnknownRulesVersion,
  DurabilityNotOffered, Fenced, SettingsNotAccepted, BadInvitation, NotOver,
    Paused, NoPause, NoLapse, NoTakeBack
  Conflict, StoreRewound, Corrupt, RateLimited, NotServed, InternalFault
  Unavailable: the same request again settles it
    NotWritten, NotConfirmed, OutcomeUnknown, RulesUnavailable, StoreUnavailable, TimedElsewhere, TooSlow, FellBehind,
    ConnectionLost
"""

from __future__ import annotations

from collections.abc import Mapping

import grpc

from gammon_shell.errors import FieldFault, Rejection, read_error


class LedgerError(Exception):
    """A call was refused or did not come through. Raised itself only for a reason that this client does not know.

    `code`: gRPC status. `reason`: constant of the service's ErrorReason; empty where the call never got an answer.
    `metadata`: the values of the refusal by name. `fields`: all faulty fields of the request.
    """

    def __init__(self, rejection: Rejection) -> None:
        """Takes over what the service said."""
        super().__init__(f"{rejection.reason or rejection.code.name}: {rejection.message}")
        self.code: grpc.StatusCode = rejection.code
        self.reason: str = rejection.reason
        self.message: str = rejection.message
        self.metadata: Mapping[str, str] = rejection.metadata
        self.fields: tuple[FieldFault, ...] = rejection.fields


class Malformed(LedgerError):
    """Fields of the request are missing or malformed; `fields` has all of them."""


class RequestIdReused(LedgerError):
    """The request id was used before for something else."""


class Unauthenticated(LedgerError):
    """No credentials, or they are not valid."""


class BadSignature(LedgerError):
    """The act's signature is missing or does not verify."""


class RoleRequired(LedgerError):
    """The caller's roles may not call this."""


class NotYourSeat(LedgerError):
    """The caller does not hold this seat."""


class MatchNotFound(LedgerError):
    """No such match."""


class NoBatchEnd(LedgerError):
    """No batch ends at this sequence."""


class NotToBeSeen(LedgerError):
    """The match's spectator policy does not let the caller see it, or not yet."""


class PlayerNotRated(LedgerError):
    """The player has no rating in this pool."""


class SeatTaken(LedgerError):
    """The seat is held by somebody else, or reserved."""


class NotStarted(LedgerError):
    """The match has not started."""


class Closed(LedgerError):
    """The match is closed."""


class NotYourTurn(LedgerError):
    """It is not this seat's turn to act."""


class AgainstTheLaw(LedgerError):
    """The law does not allow it; `metadata` has the rule and the reason."""


class Unsupported(LedgerError):
    """Settings that are not supported yet; `fields` names them."""


class UnknownRulesVersion(LedgerError):
    """The rules version is not served here."""


class DurabilityNotOffered(LedgerError):
    """The store cannot hold the durability asked for."""


class Fenced(LedgerError):
    """The store is fenced: another lineage holds."""


class SettingsNotAccepted(LedgerError):
    """The settings that were accepted are not the match's."""


class BadInvitation(LedgerError):
    """The seat is only for those who are invited, or the invitation is not for this match, seat and player."""


class NotOver(LedgerError):
    """The match is not over yet."""


class Paused(LedgerError):
    """The match is paused; `metadata` says by whom."""


class NoPause(LedgerError):
    """The seat cannot have, or cannot end, a pause now."""


class NoLapse(LedgerError):
    """There is nothing to claim; `metadata` says why, and `retry_after_ms` when there may be."""


class NoTakeBack(LedgerError):
    """No take-back can be proposed or waits for this answer."""


class Conflict(LedgerError):
    """Somebody else was first. Read the match again before deciding anew."""


class StoreRewound(LedgerError):
    """The store does not have an event that this client has seen. Keep the receipts."""


class Corrupt(LedgerError):
    """The stored events do not fit together."""


class RateLimited(LedgerError):
    """Too many calls or streams of this caller; nothing was done. `retry_after_s`: when one more is allowed."""

    @property
    def retry_after_s(self) -> float:
        """Seconds until one more is allowed; 0: the service did not say."""
        told = self.metadata.get("retry_after_ms", "")
        return int(told) / 1000 if told.isdecimal() else 0.0


class NotServed(LedgerError):
    """The call is part of the contract and not served yet."""


class InternalFault(LedgerError):
    """A fault of the service."""


class Unavailable(LedgerError):
    """No final answer. The same request with the same request id settles it."""


class NotWritten(Unavailable):
    """Nothing was written."""


class NotConfirmed(Unavailable):
    """Written, but not confirmed at the level asked for."""


class OutcomeUnknown(Unavailable):
    """Whether it was written is not known."""


class RulesUnavailable(Unavailable):
    """The rules service does not answer; nothing was written."""


class StoreUnavailable(Unavailable):
    """The store does not answer."""


class TimedElsewhere(Unavailable):
    """Another process of the service times the match; nothing was written."""


class ConnectionLost(Unavailable):
    """The service cannot be reached, went away in the middle of the call, or did not answer in time."""


class TooSlow(Unavailable):
    """The call took longer than the service allows."""


class FellBehind(Unavailable):
    """The watcher was too slow; `metadata` has `resume_after`. Watching through the client goes on by itself."""


BY_REASON: Mapping[str, type[LedgerError]] = {
    "MALFORMED": Malformed,
    "REQUEST_ID_REUSED": RequestIdReused,
    "UNAUTHENTICATED": Unauthenticated,
    "BAD_SIGNATURE": BadSignature,
    "ROLE_REQUIRED": RoleRequired,
    "NOT_YOUR_SEAT": NotYourSeat,
    "MATCH_NOT_FOUND": MatchNotFound,
    "NO_BATCH_END": NoBatchEnd,
    "NOT_TO_BE_SEEN": NotToBeSeen,
    "PLAYER_NOT_RATED": PlayerNotRated,
    "SEAT_TAKEN": SeatTaken,
    "NOT_STARTED": NotStarted,
    "CLOSED": Closed,
    "NOT_YOUR_TURN": NotYourTurn,
    "AGAINST_THE_LAW": AgainstTheLaw,
    "UNSUPPORTED": Unsupported,
    "UNKNOWN_RULES_VERSION": UnknownRulesVersion,
    "DURABILITY_NOT_OFFERED": DurabilityNotOffered,
    "FENCED": Fenced,
    "SETTINGS_NOT_ACCEPTED": SettingsNotAccepted,
    "BAD_INVITATION": BadInvitation,
    "NOT_OVER": NotOver,
    "PAUSED": Paused,
    "NO_PAUSE": NoPause,
    "NO_LAPSE": NoLapse,
    "NO_TAKE_BACK": NoTakeBack,
    "CONFLICT": Conflict,
    "STORE_REWOUND": StoreRewound,
    "CORRUPT": Corrupt,
    "RATE_LIMITED": RateLimited,
    "UNIMPLEMENTED": NotServed,
    "INTERNAL": InternalFault,
    "NOT_WRITTEN": NotWritten,
    "NOT_CONFIRMED": NotConfirmed,
    "OUTCOME_UNKNOWN": OutcomeUnknown,
    "RULES_UNAVAILABLE": RulesUnavailable,
    "STORE_UNAVAILABLE": StoreUnavailable,
    "TIMED_ELSEWHERE": TimedElsewhere,
    "DEADLINE_EXCEEDED": TooSlow,
    "TOO_SLOW": FellBehind,
}

# Statuses that gRPC itself gives when no answer of the service arrived. CANCELLED is a server that stopped in the
# middle of the call: a caller's own cancellation is an asyncio.CancelledError.
_NO_ANSWER = frozenset({grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED, grpc.StatusCode.CANCELLED})


# What gRPC gives where it could not send on: the service has refused already or is gone, and its answer is lost.
_NOT_SENT = "Internal error from Core"


def error_of(failed: grpc.RpcError) -> LedgerError:
    """The exception for a failed call."""
    rejection = read_error(failed)
    if not rejection.reason and (rejection.code in _NO_ANSWER or rejection.message.startswith(_NOT_SENT)):
        return ConnectionLost(rejection)
    return BY_REASON.get(rejection.reason, LedgerError)(rejection)
