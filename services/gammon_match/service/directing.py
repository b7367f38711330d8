"""Reading a director's request: all its faults at once, and what it rules."""

from gammon.match.v1 import match_service_pb2 as pb
from gammon_match.app.direct import Close, Direct, LawRuling, Ruling, TakeBackTo
from gammon_match.app.identity import request_digest
from gammon_match.app.ports import Head
from gammon_match.app.table_rulings import Pause, Replace, Resume
from gammon_match.core.table_events import DirectorReason
from gammon_match.service.requests import HASH_SIZE, MOST_SEATS, REFERENCE, Faults, check_match_id, check_request_id

# The law's part of what a director may rule (rules 7.3, 8.3, 8.5); only a forfeit is on a seat.
BY_THE_LAW = ("void_game", "set_score", "forfeit", "end_session")


def check_direct(request: pb.DirectMatchRequest) -> Faults:
    """The faults of a director's request."""
    faults = Faults()
    check_match_id(faults, request.match_id)
    check_request_id(faults, request.request_id)
    faults.need(request.seen_sequence > 0, "seen_sequence", request.seen_sequence, "is required")
    faults.need(len(request.seen_hash) in (0, HASH_SIZE), "seen_hash", request.seen_hash.hex(), "has 32 bytes or none")
    faults.need(
        request.reason in tuple(map(int, DirectorReason)),
        "reason",
        request.reason,
        "is one of the contract, and required",
    )
    kind = request.WhichOneof("ruling")
    faults.need(kind is not None, "ruling", "", "is required")
    faults.later(kind != "epoch", str(kind), "set")
    if kind == "action":
        _check_action(faults, request)
    if kind == "take_back":
        to = request.take_back.to_sequence
        faults.need(to > 0, "take_back.to_sequence", to, "is required")
    if kind == "replace":
        replaced = request.replace
        faults.need(replaced.seat < MOST_SEATS, "replace.seat", replaced.seat, "seats are 0 to 3")
        known = bool(REFERENCE.fullmatch(replaced.player))
        faults.need(known, "replace.player", replaced.player, "1 to 64 of A-Z a-z 0-9 _ . : @ -")
        faults.later(not replaced.public_key, "replace.public_key", "set")
    return faults


def read_direct(request: pb.DirectMatchRequest, operator: str) -> Direct:
    """The command of a request without faults."""
    kind = request.WhichOneof("ruling")
    assert kind is not None, "a request without faults has a ruling"
    ruled = getattr(request, kind).SerializeToString(deterministic=True)
    return Direct(
        match_id=request.match_id,
        operator=operator,
        request_id=request.request_id,
        seen=Head(request.seen_sequence, request.seen_hash),
        reason=DirectorReason(request.reason),
        ruling=_ruling(request),
        digest=request_digest(b"direct", bytes([request.reason]), kind.encode(), ruled),
    )


def _check_action(faults: Faults, request: pb.DirectMatchRequest) -> None:
    action = request.action
    what = action.WhichOneof("kind")
    faults.need(what is not None, "action.kind", "", "is required")
    faults.need(what in (None, *BY_THE_LAW), "action.kind", what, "is an act of a seat, not a ruling")
    if what == "forfeit":
        faults.need(action.HasField("seat"), "action.seat", "", "is required")
        faults.need(action.seat < MOST_SEATS, "action.seat", action.seat, "seats are 0 to 3")
    else:
        faults.need(not action.HasField("seat"), "action.seat", action.seat, "this ruling is on no seat")


def _ruling(request: pb.DirectMatchRequest) -> Ruling:
    if request.HasField("close"):
        return Close()
    if request.HasField("take_back"):
        return TakeBackTo(request.take_back.to_sequence)
    if request.HasField("pause"):
        return Pause()
    if request.HasField("resume"):
        return Resume()
    if request.HasField("replace"):
        return Replace(request.replace.seat, request.replace.player)
    action = request.action
    seat = action.seat if action.HasField("seat") else None
    return LawRuling(action.SerializeToString(deterministic=True), seat)
