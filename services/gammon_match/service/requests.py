"""Reading requests: every fault of a request at once, and settings that wait for a later version named as such."""

import re
from typing import Literal, Protocol

from gammon.match.v1 import match_service_pb2 as pb
from gammon.match.v1 import settings_pb2
from gammon_match.app.automatic import PREFIX
from gammon_match.app.ports import DurabilityLevel
from gammon_match.core.refusals import FieldFault, Malformed, Unsupported, faulty

MATCH_ID = re.compile(r"m_\d{3}_[A-Z2-7]{26}")
REFERENCE = re.compile(r"[A-Za-z0-9_.:@-]{1,64}")
TAG = re.compile(r"[\x21-\x7e]{1,64}")
HASH_SIZE = 32
MOST_SEATS = 4
# What only the service or an operator's ruling may do; a client's act never carries it.
RULINGS = ("forfeit", "lapse", "void_game", "set_score", "record_play", "end_session")
PAGE = 1000
# What the service does by itself, by a seat's preference or when its time has come.
SERVICE_PREFIXES = (PREFIX, "time.")


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
        """All that was noted; only what is not served yet by itself is merely unsupported."""
        return faulty(self.malformed, self.unsupported)


def check_reference(faults: Faults, field: str, reference: str) -> None:
    """A reference: 1 to 64 letters, digits and _ . : @ -."""
    faults.need(bool(REFERENCE.fullmatch(reference)), field, reference, "1 to 64 of A-Z a-z 0-9 _ . : @ -")


def check_request_id(faults: Faults, request_id: str) -> None:
    """A request id, which is a reference."""
    check_reference(faults, "request_id", request_id)
    own = request_id.startswith(SERVICE_PREFIXES)
    faults.need(not own, "request_id", request_id, "is one of those that the service gives itself")


def check_match_id(faults: Faults, match_id: str) -> None:
    """A match id, as CreateMatch gives it."""
    faults.need(bool(MATCH_ID.fullmatch(match_id)), "match_id", match_id, "is no match id")


class ForSeat(Protocol):
    """A request that is made for a seat."""

    @property
    def seat(self) -> int:
        """The seat, from 0."""
        ...

    def HasField(self, field_name: Literal["seat"]) -> bool:
        """Whether it names one."""
        ...


def check_seat(faults: Faults, request: ForSeat) -> None:
    """The seat a request is made for."""
    faults.need(request.HasField("seat"), "seat", "", "is required")
    faults.need(request.seat < MOST_SEATS, "seat", request.seat, "seats are 0 to 3")


def check_action(faults: Faults, kind: str | None) -> None:
    """The kind of an action, None if there is none: an act of a seat."""
    faults.need(kind is not None, "action.kind", "", "is required")
    faults.need(kind not in RULINGS, "action.kind", kind, "is a ruling, not an act of a seat")


def check_act(request: pb.ActRequest) -> Faults:
    """The faults of an act."""
    faults = Faults()
    check_match_id(faults, request.match_id)
    check_request_id(faults, request.request_id)
    check_seat(faults, request)
    faults.need(request.seen_sequence > 0, "seen_sequence", request.seen_sequence, "is required")
    faults.need(len(request.seen_hash) in (0, HASH_SIZE), "seen_hash", request.seen_hash.hex(), "has 32 bytes or none")
    kind = request.WhichOneof("act")
    faults.need(kind is not None, "act", "", "is required")
    faults.later(kind != "signed_action", "signed_action", "set")
    if kind == "action":
        check_action(faults, request.action.WhichOneof("kind"))
        faults.need(not request.action.roll.dice, "action.roll.dice", "set", "the service draws the dice")
    return faults


def check_durability(faults: Faults, field: str, durability: settings_pb2.Durability) -> None:
    """A durability: a level of the contract, and for the replicated ones how many replicas."""
    level, replicas = durability.level, durability.replicas
    faults.need(level in settings_pb2.DurabilityLevel.values(), f"{field}.level", level, "is not known")
    if level in (settings_pb2.DURABILITY_LEVEL_REPLICATED, settings_pb2.DURABILITY_LEVEL_DURABLE):
        faults.need(replicas > 0, f"{field}.replicas", replicas, "at least 1 for this level")
    else:
        faults.need(replicas == 0, f"{field}.replicas", replicas, "is for the replicated levels")


def level_of(*asked: settings_pb2.Durability) -> DurabilityLevel | None:
    """The highest level asked for; None: the service's floor."""
    level = max(durability.level for durability in asked)
    return DurabilityLevel(level) if level in (1, 2, 3, 4) else None


def page_size(asked: int, usual: int) -> int:
    """How many a page holds: what was asked, capped without a word."""
    return min(asked, PAGE) if asked else usual
