"""The one table from this service's refusals to status codes and reasons (design 13)."""

from typing import assert_never

from grpc import StatusCode

from gammon_match.core import refusals as core
from gammon_shell.errors import FieldFault, Rejection

DOMAIN = "match.gammon"


def rejection(refusal: core.Refusal) -> Rejection:
    """The status of a refusal: its code, one reason of the contract, every value that the message names."""
    match refusal:
        case core.Malformed(faults):
            return Rejection(
                StatusCode.INVALID_ARGUMENT,
                "MALFORMED",
                "the request has faulty fields: " + ", ".join(fault.field for fault in faults),
                fields=_fields(faults),
            )
        case core.Unsupported(faults):
            return Rejection(
                StatusCode.FAILED_PRECONDITION,
                "UNSUPPORTED",
                "not supported yet: " + ", ".join(fault.field for fault in faults),
                fields=_fields(faults),
            )
        case core.RequestIdReused(request_id, sequence):
            return Rejection(
                StatusCode.INVALID_ARGUMENT,
                "REQUEST_ID_REUSED",
                f"request id {request_id} was used before for something else",
                {"request_id": request_id, "sequence": str(sequence)},
            )
        case core.MatchNotFound(match_id):
            return Rejection(
                StatusCode.NOT_FOUND,
                "MATCH_NOT_FOUND",
                f"there is no match {match_id}",
                {"match_id": match_id},
            )
        case core.NoBatchEnd(sequence):
            return Rejection(
                StatusCode.NOT_FOUND,
                "NO_BATCH_END",
                f"no batch ends at sequence {sequence}",
                {"sequence": str(sequence)},
            )
        case core.NotYourSeat(seat):
            values = {} if seat is None else {"seat": str(seat)}
            which = "any seat of this match" if seat is None else f"seat {seat}"
            return Rejection(StatusCode.PERMISSION_DENIED, "NOT_YOUR_SEAT", f"the caller does not hold {which}", values)
        case core.SeatUnavailable(seat, reason):
            values = {} if seat is None else {"seat": str(seat)}
            return Rejection(StatusCode.FAILED_PRECONDITION, "SEAT_TAKEN", reason, values)
        case core.NotStarted(open_seats):
            return Rejection(
                StatusCode.FAILED_PRECONDITION,
                "NOT_STARTED",
                f"{open_seats} seats are still open",
                {"open_seats": str(open_seats)},
            )
        case core.MatchIsClosed(sequence):
            return Rejection(
                StatusCode.FAILED_PRECONDITION, "CLOSED", "the match is closed", {"sequence": str(sequence)}
            )
        case core.Unlawful(rule, reason, field, value, line):
            values = {"rule": rule, "reason": reason, "field": field, "value": value}
            where = f"line {line}: " if line else ""
            if line:
                values["line"] = str(line)
            message = f"{where}rule {rule}: {reason}"
            return Rejection(StatusCode.FAILED_PRECONDITION, "AGAINST_THE_LAW", message, values)
        case core.Overtaken(sequence, head_hash):
            return Rejection(
                StatusCode.ABORTED,
                "CONFLICT",
                f"somebody else was first; the head is at {sequence}",
                {"sequence": str(sequence), "hash": head_hash.hex()},
            )
        case core.Rewound(sequence, seen_hash):
            return Rejection(
                StatusCode.DATA_LOSS,
                "STORE_REWOUND",
                f"the store does not have the event {sequence} that was seen",
                {"sequence": str(sequence), "hash": seen_hash.hex()},
            )
        case core.CorruptMatch(sequence, fault):
            return Rejection(
                StatusCode.DATA_LOSS,
                "CORRUPT",
                f"the stored events do not fit together: {fault}",
                {"sequence": str(sequence), "fault": fault},
            )
        case core.StoreAway(cause):
            return Rejection(StatusCode.UNAVAILABLE, "NOT_WRITTEN", f"nothing was written: {cause}", {"cause": cause})
        case core.Unconfirmed(sequence, head_hash, achieved):
            return Rejection(
                StatusCode.UNAVAILABLE,
                "NOT_CONFIRMED",
                "written, but not confirmed; the same request again settles it",
                {"sequence": str(sequence), "hash": head_hash.hex(), "achieved": achieved},
            )
        case core.Unknown(cause):
            return Rejection(
                StatusCode.UNAVAILABLE,
                "OUTCOME_UNKNOWN",
                f"whether it was written is not known; the same request again settles it: {cause}",
                {"cause": cause},
            )
        case core.RulesAway(cause):
            return Rejection(
                StatusCode.UNAVAILABLE,
                "RULES_UNAVAILABLE",
                f"the rules service does not answer; nothing was written: {cause}",
                {"cause": cause},
            )
        case core.DurabilityNotOffered(asked, offered):
            return Rejection(
                StatusCode.FAILED_PRECONDITION,
                "DURABILITY_NOT_OFFERED",
                f"{asked} is asked for, and the store holds {offered}",
                {"asked": asked, "offered": offered},
            )
        case core.StoreFenced(lineage):
            return Rejection(
                StatusCode.FAILED_PRECONDITION,
                "FENCED",
                f"the store is of lineage {lineage}",
                {"lineage": str(lineage)},
            )
        case core.SettingsNotAccepted(settings_sha256):
            return Rejection(
                StatusCode.FAILED_PRECONDITION,
                "SETTINGS_NOT_ACCEPTED",
                "the settings that were accepted are not the match's",
                {"settings_sha256": settings_sha256.hex()},
            )
        case core.NotToBeSeen(sequence):
            return Rejection(
                StatusCode.PERMISSION_DENIED,
                "NOT_TO_BE_SEEN",
                f"event {sequence} is not shown to spectators yet" if sequence else "the match has no spectators",
                {"sequence": str(sequence)} if sequence else {},
            )
        case core.TooSlow(resume_after):
            return Rejection(
                StatusCode.RESOURCE_EXHAUSTED,
                "TOO_SLOW",
                "the watcher was too slow; watch again" + ("" if resume_after is None else f" from {resume_after}"),
                {} if resume_after is None else {"resume_after": str(resume_after)},
            )
        case core.TimedElsewhere(holder):
            return Rejection(
                StatusCode.UNAVAILABLE,
                "TIMED_ELSEWHERE",
                f"the time of this match is measured by {holder or 'nobody yet'}; nothing was written",
                {"holder": holder},
            )
        case core.MatchIsPaused(by):
            return Rejection(StatusCode.FAILED_PRECONDITION, "PAUSED", f"the match is paused by {by}", {"by": by})
        case core.NoPause(reason):
            return Rejection(StatusCode.FAILED_PRECONDITION, "NO_PAUSE", reason, {"reason": reason})
        case core.NoLapse(reason, wait_ns):
            values = {"reason": reason}
            if wait_ns is not None:
                values["retry_after_ms"] = str(-(-wait_ns // 1_000_000))
            return Rejection(StatusCode.FAILED_PRECONDITION, "NO_LAPSE", reason, values)
        case core.BadInvitation(seat, reason):
            values = {} if seat is None else {"seat": str(seat)}
            return Rejection(StatusCode.PERMISSION_DENIED, "BAD_INVITATION", reason, values)
        case core.NotOver(sequence):
            return Rejection(
                StatusCode.FAILED_PRECONDITION, "NOT_OVER", "the match is not over yet", {"sequence": str(sequence)}
            )
        case core.NoTakeBack(reason):
            return Rejection(StatusCode.FAILED_PRECONDITION, "NO_TAKE_BACK", reason, {"reason": reason})
        case _:
            assert_never(refusal)


def _fields(faults: tuple[core.FieldFault, ...]) -> tuple[FieldFault, ...]:
    return tuple(FieldFault(fault.field, _description(fault)) for fault in faults)


def _description(fault: core.FieldFault) -> str:
    rule = f"rule {fault.rule}: " if fault.rule[:1].isdigit() else ""
    value = f" (it is {fault.value})" if fault.value else ""
    return f"{rule}{fault.reason}{value}"
