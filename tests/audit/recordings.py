"""Recorded matches to be audited and tampered with."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from tests.match.in_process import Desk, match_to

from gammon.match.v1 import events_pb2
from gammon_audit.record import MatchRecord, RawEvent
from gammon_match.app.ports import Recorded
from gammon_proofs.chain import chain_hashes, genesis_hash


@cache
def recording(seed: int = 1, points: int = 3) -> MatchRecord:
    """A match between random players."""
    return asyncio.run(_record(seed, points))


async def _record(seed: int, points: int) -> MatchRecord:
    desk = Desk(seed=seed)
    live = await desk.match(match_to(points))
    await desk.play_out(live)
    recorded = await desk.store.read(live.match_id)
    assert isinstance(recorded, Recorded)
    assert recorded.head is not None
    events = tuple(RawEvent(event.sequence, event.envelope, event.hash) for event in recorded.events)
    return MatchRecord(live.match_id, events, recorded.head.sequence, recorded.head.hash)


def envelope(record: MatchRecord, sequence: int) -> events_pb2.Envelope:
    """A copy of an event's envelope."""
    return events_pb2.Envelope.FromString(record.events[sequence - 1].envelope)


def find(record: MatchRecord, fact: str) -> int:
    """The sequence of the first event with a fact of this kind."""
    for event in record.events:
        message = events_pb2.Envelope.FromString(event.envelope)
        if message.WhichOneof("event") == "fact" and message.fact.WhichOneof("kind") == fact:
            return event.sequence
    raise LookupError(fact)


def with_envelope(record: MatchRecord, sequence: int, forged: events_pb2.Envelope | bytes) -> MatchRecord:
    """The record with other bytes for one event, its hashes as they were."""
    body = forged if isinstance(forged, bytes) else forged.SerializeToString()
    events = list(record.events)
    events[sequence - 1] = replace(events[sequence - 1], envelope=body)
    return replace(record, events=tuple(events))


def rechained(record: MatchRecord) -> MatchRecord:
    """The record with all hashes and the head computed anew, as a forger with time would."""
    bodies = [event.envelope for event in record.events]
    settings = events_pb2.Envelope.FromString(bodies[0]).match_created.settings
    hashes = list(chain_hashes(genesis_hash(record.match_id, settings), bodies))
    events = tuple(RawEvent(i, body, hashes[i - 1]) for i, body in enumerate(bodies, 1))
    return MatchRecord(record.match_id, events, len(events), hashes[-1])


def without(record: MatchRecord, sequences: Sequence[int]) -> MatchRecord:
    """The record without some events, the rest untouched."""
    return replace(record, events=tuple(event for event in record.events if event.sequence not in sequences))
