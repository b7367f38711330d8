"""What the service tells of a match."""

import hashlib

from gammon.match.v1 import events_pb2, settings_pb2
from gammon.match.v1 import match_service_pb2 as pb
from gammon_match.app.live_match import LiveMatch
from gammon_match.app.ports import DurabilityLevel, StoredEvent

NS = 1_000_000_000


def stored(events: tuple[StoredEvent, ...]) -> list[pb.StoredEvent]:
    """Stored events, verbatim."""
    return [pb.StoredEvent(sequence=event.sequence, envelope=event.envelope, hash=event.hash) for event in events]


def durability(achieved: DurabilityLevel) -> settings_pb2.Durability:
    """A level achieved."""
    return settings_pb2.Durability(level=settings_pb2.DurabilityLevel.ValueType(achieved.value))


def match_view(live: LiveMatch) -> pb.Match:
    """A match at its last batch end."""
    match = live.match
    view = pb.Match(
        match_id=live.match_id,
        settings=settings_pb2.MatchSettings.FromString(match.settings),
        settings_sha256=hashlib.sha256(match.settings).digest(),
        status=events_pb2.MatchStatus.ValueType(match.status),
        state=match.state,
        head=pb.Head(sequence=live.head.sequence, hash=live.head.hash),
        draws=match.draws,
    )
    view.create_time.seconds, view.create_time.nanos = divmod(match.created_ns, NS)
    if match.standing is not None:
        view.summary.MergeFromString(match.standing.raw)
    for seat in range(live.terms().seats):
        holder = match.holder(seat)
        view.seats.add(player=holder.player, public_key=holder.public_key) if holder else view.seats.add()
    proposal = match.table.proposal
    if proposal is not None:
        view.take_back.seat, view.take_back.to_sequence = proposal.seat, proposal.to_sequence
        view.take_back.consenting.extend(sorted(proposal.consenting))
    return view
