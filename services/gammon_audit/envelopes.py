"""Stored bytes as envelopes, and what must hold of them whatever the game: order, batches, time, who."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from google.protobuf.message import DecodeError

from gammon.match.v1 import events_pb2
from gammon_audit.record import RawEvent
from gammon_audit.report import Check, failed, passed

ENVELOPES = "envelopes"
SCHEMA_VERSION = 1


@dataclass(frozen=True, slots=True)
class Parsed:
    """One event with its envelope and the name of what it tells (empty: unknown, but may be ignored)."""

    sequence: int
    envelope: events_pb2.Envelope
    kind: str


def parse(events: Iterable[RawEvent]) -> tuple[list[Parsed], Check | None]:
    """The events that can be read, and the first that cannot: an unknown one stops a fold unless it may be ignored."""
    parsed: list[Parsed] = []
    for event in events:
        try:
            envelope = events_pb2.Envelope.FromString(event.envelope)
        except DecodeError:
            return parsed, failed(ENVELOPES, event.sequence, f"event {event.sequence} is no envelope")
        if envelope.schema_version != SCHEMA_VERSION:
            version = envelope.schema_version
            return parsed, failed(ENVELOPES, event.sequence, f"schema version {version} is not known")
        kind = envelope.WhichOneof("event") or ""
        if not kind and not envelope.may_ignore:
            return parsed, failed(ENVELOPES, event.sequence, f"event {event.sequence} is of an unknown type")
        parsed.append(Parsed(event.sequence, envelope, kind))
    return parsed, None


def check_envelopes(parsed: Sequence[Parsed]) -> Check:
    """One request is one batch, time never runs back, the match is created once, and nothing follows its end."""
    seen: set[str] = set()
    current, last_time, closed_at = "", (0, 0), 0
    for event in parsed:
        envelope, sequence = event.envelope, event.sequence
        fault = _fault(event, closed_at)
        if fault:
            return failed(ENVELOPES, sequence, fault)
        at = (envelope.record_time.seconds, envelope.record_time.nanos)
        if at < last_time:
            return failed(ENVELOPES, sequence, "it was recorded before the event it follows")
        if not current and envelope.request_id in seen:
            return failed(ENVELOPES, sequence, f"request {envelope.request_id} has a batch already")
        if current and envelope.request_id != current:
            return failed(ENVELOPES, sequence, f"the batch of request {current} has no end")
        last_time, current = at, envelope.request_id
        if event.kind == "match_closed":
            closed_at = sequence
        if envelope.HasField("batch_end"):
            seen.add(current)
            current = ""
    if current:
        return failed(ENVELOPES, parsed[-1].sequence + 1, f"the batch of request {current} has no end")
    return passed(ENVELOPES, f"{len(seen)} batches")


def _fault(event: Parsed, closed_at: int) -> str:
    envelope = event.envelope
    if closed_at:
        return f"the match was closed by event {closed_at}"
    if (event.sequence == 1) != (event.kind == "match_created"):
        return "a match is created by its first event, and only by that"
    if not envelope.request_id:
        return "it has no request id"
    if envelope.actor.WhichOneof("kind") is None:
        return "it has no actor"
    return ""
