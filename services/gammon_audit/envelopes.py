"""Stored bytes read once: the envelopes in order, what was agreed, and where reading had to stop."""

from collections.abc import Sequence
from dataclasses import dataclass

from google.protobuf.message import DecodeError

from gammon.match.v1 import events_pb2, settings_pb2
from gammon_audit.record import MatchRecord, RawEvent
from gammon_audit.report import Check, failed
from gammon_engine.settings import Settings
from gammon_wire.settings import settings_from_proto

ENVELOPES = "envelopes"
SCHEMA_VERSION = 1


@dataclass(frozen=True, slots=True)
class Parsed:
    """One event with its envelope and the name of what it tells (empty: unknown, but may be ignored)."""

    sequence: int
    envelope: events_pb2.Envelope
    kind: str


@dataclass(frozen=True, slots=True)
class Agreed:
    """The settings of a match's first event: their bytes, the contract's message, the engine's settings of the law."""

    match_id: str
    settings: bytes
    message: settings_pb2.MatchSettings
    rules: Settings

    @property
    def dice(self) -> int:
        """The source of the dice, as the contract's number; what was left out means the service."""
        return self.message.dice or settings_pb2.DICE_SOURCE_SERVICE

    @property
    def imported(self) -> bool:
        """Whether the match was played elsewhere."""
        return self.dice == settings_pb2.DICE_SOURCE_RECORDED


@dataclass(frozen=True, slots=True)
class Reading:
    """The events up to the first that does not follow in the chain or cannot be read.

    `unreadable`: the check that failed, where bytes cannot be read. `whole`: every stored event is in `parsed`.
    `agreed`: what was agreed, or why that cannot be known.
    """

    parsed: tuple[Parsed, ...]
    unreadable: Check | None
    whole: bool
    agreed: Agreed | str

    @property
    def judged(self) -> str:
        """What a check that found nothing wrong has seen of a match that could not be read whole."""
        last = len(self.parsed)
        return f"events 1 to {last} agree; the rest cannot be judged" if last else "no event can be judged"


def read(record: MatchRecord, chain: Check) -> Reading:
    """Reads the events as far as `chain` holds. An unknown event stops a reader unless it may be ignored.

    An event that does not follow is none of this match, and nothing is judged by it or after it: else a check could
    blame an event before it.
    """
    holds = len(record.events) if chain.sequence is None else chain.sequence - 1
    parsed: list[Parsed] = []
    unreadable = None
    for event in record.events[:holds]:
        read_event = _parse(event)
        if isinstance(read_event, str):
            unreadable = failed(ENVELOPES, event.sequence, read_event)
            break
        parsed.append(read_event)
    return Reading(tuple(parsed), unreadable, len(parsed) == len(record.events), _agreed(record.match_id, parsed))


def _parse(event: RawEvent) -> Parsed | str:
    try:
        envelope = events_pb2.Envelope.FromString(event.envelope)
    except DecodeError:
        return f"event {event.sequence} is no envelope"
    if envelope.schema_version != SCHEMA_VERSION:
        return f"schema version {envelope.schema_version} is not known"
    kind = envelope.WhichOneof("event") or ""
    if not kind and not envelope.may_ignore:
        return f"event {event.sequence} is of an unknown type"
    return Parsed(event.sequence, envelope, kind)


def _agreed(match_id: str, parsed: Sequence[Parsed]) -> Agreed | str:
    if not parsed or parsed[0].kind != "match_created":
        return "there are no settings to replay"
    settings = parsed[0].envelope.match_created.settings
    try:
        message = settings_pb2.MatchSettings.FromString(settings)
    except DecodeError:
        return "the settings cannot be read"
    rules = settings_from_proto(message.rules)
    if isinstance(rules, tuple):
        return "the settings are faulty: " + "; ".join(f"{fault.field}: {fault.reason}" for fault in rules)
    return Agreed(match_id, settings, message, rules)
