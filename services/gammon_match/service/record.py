"""Reading a record that comes in parts: the header first, the end last, and every fault with its line."""

from collections.abc import AsyncIterator

from gammon.match.v1 import events_pb2, settings_pb2
from gammon.match.v1 import match_service_pb2 as pb
from gammon_match.app.import_match import Record, RecordedAct, RecordedClaim
from gammon_match.core.refusals import FieldFault, Malformed, Unsupported
from gammon_match.service import requests
from gammon_match.service.settings import check_settings, settings_bytes

MOST_PARTS = 50_000


async def read_record(parts: AsyncIterator[pb.ImportMatchRequest], operator: str) -> Record | Malformed | Unsupported:
    """The record of a stream of parts."""
    header: pb.ImportHeader | None = None
    end: pb.RecordEnd | None = None
    acts: list[RecordedAct | RecordedClaim] = []
    line = 0
    async for part in parts:
        kind = part.WhichOneof("part")
        if header is None:
            if kind != "header":
                return _fault("part", kind, "the header comes first")
            header = part.header
            refusal = _check_header(header).refusal()
            if refusal is not None:
                return refusal
        elif end is not None:
            return _fault("part", kind, "the end comes last")
        elif len(acts) >= MOST_PARTS:
            return _fault("part", len(acts), f"a record has at most {MOST_PARTS} parts")
        elif kind == "act":
            line = part.act.line or line
            act = _act(part.act, line)
            if isinstance(act, Malformed):
                return act
            acts.append(act)
        elif kind == "claim":
            line = part.line or line
            claim = _claim(part.claim, header.settings.rules.seats, line)
            if isinstance(claim, Malformed):
                return claim
            acts.append(claim)
        elif kind == "end":
            end = part.end
        else:
            return _fault("part", kind, f"line {line}: is no act, no claim and no end")
    if header is None or end is None:
        return _fault("part", "", "the record has a header and an end")
    settings = settings_pb2.MatchSettings()
    settings.CopyFrom(header.settings)
    settings.dice = settings_pb2.DICE_SOURCE_RECORDED
    settings.source_sha256 = header.source_sha256
    return Record(
        operator=operator,
        source_sha256=header.source_sha256,
        rules=settings.rules.SerializeToString(deterministic=True),
        settings=lambda version: settings_bytes(settings, version),
        players=tuple(header.players),
        parts=tuple(acts),
        start_line=header.line,
        end_line=end.line,
    )


def _check_header(header: pb.ImportHeader) -> requests.Faults:
    faults = check_settings(header.settings, recorded=True)
    size = len(header.source_sha256)
    faults.need(size == requests.HASH_SIZE, "header.source_sha256", size, "has 32 bytes")
    told = header.settings.source_sha256
    faults.need(told in (b"", header.source_sha256), "header.settings.source_sha256", told.hex(), "differs")
    seats = header.settings.rules.seats
    faults.need(len(header.players) == seats, "header.players", len(header.players), "one entry a seat")
    for index, player in enumerate(header.players):
        requests.check_reference(faults, f"header.players[{index}]", player)
    return faults


def _act(recorded: pb.RecordedAct, line: int) -> RecordedAct | Malformed:
    action = recorded.action
    kind = action.WhichOneof("kind")
    if kind is None:
        return _fault("act.action.kind", "", f"line {line}: is required")
    seat = action.seat if action.HasField("seat") else None
    if seat is not None and seat >= requests.MOST_SEATS:
        return _fault("act.action.seat", seat, f"line {line}: seats are 0 to 3")
    dice = tuple(action.roll.dice) if kind == "roll" else ()
    if any(not 1 <= face <= 6 for face in dice):
        return _fault("act.action.roll.dice", list(dice), f"line {line}: faces are 1 to 6")
    return RecordedAct(action.SerializeToString(deterministic=True), seat, kind == "roll", dice, line)


def _claim(claim: events_pb2.RecordClaimed, seats: int, line: int) -> RecordedClaim | Malformed:
    if any(seat >= seats for seat in claim.winners):
        return _fault("claim.winners", list(claim.winners), f"line {line}: seats are 0 to {seats - 1}")
    if len(claim.points) != seats:
        return _fault("claim.points", len(claim.points), f"line {line}: one entry a seat")
    return RecordedClaim(claim.SerializeToString(deterministic=True), line)


def _fault(field: str, value: object, reason: str) -> Malformed:
    return Malformed((FieldFault(field, str(value), "contract", reason),))
