"""Reading requests: every fault of a request at once, and settings that wait for a later version named as such."""

import re

from gammon.match.v1 import match_service_pb2 as pb
from gammon.match.v1 import settings_pb2
from gammon_match.app.automatic import PREFIX
from gammon_match.app.ports import DurabilityLevel
from gammon_match.core.refusals import FieldFault, Malformed, Unsupported

MATCH_ID = re.compile(r"m_\d{3}_[A-Z2-7]{26}")
REFERENCE = re.compile(r"[A-Za-z0-9_.:@-]{1,64}")
TAG = re.compile(r"[\x21-\x7e]{1,64}")
HASH_SIZE = 32
MOST_TAGS = 8
MOST_SEATS = 4
# What only the service or an operator's ruling may do; a client's act never carries it.
RULINGS = ("forfeit", "lapse", "void_game", "set_score", "record_play", "end_session")
PAGE = 1000


class Faults:
    """Collects the faults of one request."""

    def __init__(self) -> None:
        """Starts without faults."""
        self.malformed: list[FieldFault] = []
        self.unsupported: list[FieldFault] = []

    def need(self, holds: bool, field: str, value: object, reason: str) -> None:
        """Notes a fault unless something holds."""
        if not holds:
            self.malformed.append(FieldFault(field, str(value), "contract", reason))

    def later(self, absent: bool, field: str, value: object) -> None:
        """Notes an option that is part of the contract and not served yet."""
        if not absent:
            self.unsupported.append(FieldFault(field, str(value), "contract", "is not served yet"))

    def refusal(self) -> Malformed | Unsupported | None:
        """What was noted, malformed fields first."""
        if self.malformed:
            return Malformed(tuple(self.malformed))
        return Unsupported(tuple(self.unsupported)) if self.unsupported else None


def check_request_id(faults: Faults, request_id: str) -> None:
    """A request id: 1 to 64 letters, digits and _ . : @ -, and none of those that the service gives itself."""
    faults.need(bool(REFERENCE.fullmatch(request_id)), "request_id", request_id, "1 to 64 of A-Z a-z 0-9 _ . : @ -")
    faults.need(not request_id.startswith(PREFIX), "request_id", request_id, f"{PREFIX}… is the service's own")


def check_match_id(faults: Faults, match_id: str) -> None:
    """A match id, as CreateMatch gives it."""
    faults.need(bool(MATCH_ID.fullmatch(match_id)), "match_id", match_id, "is no match id")


def check_seat(faults: Faults, present: bool, seat: int) -> None:
    """A seat that has to be named."""
    faults.need(present, "seat", "", "is required")
    faults.need(seat < MOST_SEATS, "seat", seat, "seats are 0 to 3")


def check_action(faults: Faults, kind: str | None) -> None:
    """The kind of an action, None if there is none: an act of a seat."""
    faults.need(kind is not None, "action.kind", "", "is required")
    faults.need(kind not in RULINGS, "action.kind", kind, "is a ruling, not an act of a seat")


def check_act(request: pb.ActRequest) -> Faults:
    """The faults of an act."""
    faults = Faults()
    check_match_id(faults, request.match_id)
    check_request_id(faults, request.request_id)
    check_seat(faults, request.HasField("seat"), request.seat)
    faults.need(request.seen_sequence > 0, "seen_sequence", request.seen_sequence, "is required")
    faults.need(len(request.seen_hash) in (0, HASH_SIZE), "seen_hash", request.seen_hash.hex(), "has 32 bytes or none")
    kind = request.WhichOneof("act")
    faults.need(kind is not None, "act", "", "is required")
    faults.later(kind != "signed_action", "signed_action", "set")
    if kind == "action":
        check_action(faults, request.action.WhichOneof("kind"))
        faults.need(not request.action.roll.dice, "action.roll.dice", "set", "the service draws the dice")
    return faults


def check_settings(settings: settings_pb2.MatchSettings, *, recorded: bool) -> Faults:
    """The faults of a match's settings; the law's part is judged by the rules service."""
    faults = Faults()
    at = "settings."
    faults.need(settings.HasField("rules"), at + "rules", "", "is required")
    seats = settings.rules.seats
    faults.need(len(settings.seats) in (0, seats), at + "seats", len(settings.seats), "one entry a seat, or none")
    for index, seat in enumerate(settings.seats):
        here = f"{at}seats[{index}]."
        ok = not seat.player or bool(REFERENCE.fullmatch(seat.player))
        faults.need(ok, here + "player", seat.player, "1 to 64 of A-Z a-z 0-9 _ . : @ -")
        waived = (settings_pb2.CONTRIBUTION_MODE_UNSPECIFIED, settings_pb2.CONTRIBUTION_MODE_WAIVED)
        faults.later(seat.contribution in waived, here + "contribution", seat.contribution)
        faults.later(not seat.signed, here + "signed", seat.signed)
        faults.later(not seat.invited, here + "invited", seat.invited)
    faults.need(len(settings.tags) <= MOST_TAGS, at + "tags", len(settings.tags), "at most 8")
    for index, tag in enumerate(settings.tags):
        faults.need(bool(TAG.fullmatch(tag)), f"{at}tags[{index}]", tag, "1 to 64 printable characters, no blanks")
    faults.need(not settings.rules_version, at + "rules_version", settings.rules_version, "is set by the service")
    if recorded:
        served = (settings_pb2.DICE_SOURCE_UNSPECIFIED, settings_pb2.DICE_SOURCE_RECORDED)
        faults.need(settings.dice in served, at + "dice", settings.dice, "of an import are recorded")
    else:
        none = settings.dice != settings_pb2.DICE_SOURCE_RECORDED
        faults.need(none, at + "dice", settings.dice, "recorded dice come with an import")
        faults.later(settings.dice != settings_pb2.DICE_SOURCE_BGD1, at + "dice", "BGD1")
        faults.need(not settings.source_sha256, at + "source_sha256", "set", "comes with an import")
    faults.need(not settings.rematch_of, at + "rematch_of", settings.rematch_of, "is set by the service")
    clocks = (settings_pb2.CLOCK_KIND_UNSPECIFIED, settings_pb2.CLOCK_KIND_NONE)
    faults.later(settings.clock.kind in clocks, at + "clock.kind", settings.clock.kind)
    live = (settings_pb2.SPECTATOR_POLICY_UNSPECIFIED, settings_pb2.SPECTATOR_POLICY_LIVE)
    faults.later(settings.spectators in live, at + "spectators", settings.spectators)
    faults.later(not settings.spectator_delay, at + "spectator_delay", settings.spectator_delay)
    faults.later(not settings.HasField("absence"), at + "absence", "set")
    faults.later(not settings.private, at + "private", settings.private)
    faults.later(not settings.HasField("durability"), at + "durability", "set")
    return faults


def level_of(durability: settings_pb2.Durability) -> DurabilityLevel | None:
    """The level asked for; None: the service's floor."""
    return DurabilityLevel(durability.level) if durability.level in (1, 2, 3, 4) else None


def page_size(asked: int, usual: int) -> int:
    """How many a page holds: what was asked, capped without a word."""
    return min(asked, PAGE) if asked else usual
