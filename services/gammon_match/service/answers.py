"""What the service tells of a match."""

import hashlib

from google.protobuf.duration_pb2 import Duration

from gammon.match.v1 import events_pb2, settings_pb2
from gammon.match.v1 import match_service_pb2 as pb
from gammon_match.app.live_match import LiveMatch
from gammon_match.app.ports import DurabilityLevel, StoredEvent
from gammon_match.app.timekeeper import Look
from gammon_match.core.table import Table

NS = 1_000_000_000


def stored(events: tuple[StoredEvent, ...]) -> list[pb.StoredEvent]:
    """Stored events, verbatim."""
    return [pb.StoredEvent(sequence=event.sequence, envelope=event.envelope, hash=event.hash) for event in events]


def durability(achieved: DurabilityLevel) -> settings_pb2.Durability:
    """A level achieved."""
    return settings_pb2.Durability(level=settings_pb2.DurabilityLevel.ValueType(achieved.value))


def match_view(live: LiveMatch, look: Look | None = None) -> pb.Match:
    """A match at its last batch end; `look`: at this moment, else clock and pauses are as they were last told."""
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
    _show_table(view, match.table, look)
    return view


def _show_table(view: pb.Match, table: Table, look: Look | None) -> None:
    clock = table.clock if look is None else look.clock
    if clock is not None:
        view.clock.reserves.extend(map(_duration, clock.reserves))
        view.clock.running.extend(clock.running)
        view.clock.delays.extend(map(_duration, clock.delays))
    if table.pause is not None:
        pause = table.pause
        view.pause.mutual = pause.mutual
        view.pause.reason = events_pb2.DirectorReason.ValueType(pause.reason or 0)
        if pause.seat is not None:
            view.pause.seat = pause.seat
        # Told with a pause where any were agreed on.
        view.pause.budgets.extend(map(_duration, look.budgets if look and pause.budgets else pause.budgets))
    view.pause_asked_by.extend(table.asking)
    for seat, remaining in look.absences if look is not None else ():
        view.absences.add(seat=seat, remaining=_duration(remaining))
    if table.proposal is not None:
        proposal = table.proposal
        view.take_back.seat, view.take_back.to_sequence = proposal.seat, proposal.to_sequence
        view.take_back.consenting.extend(proposal.consenting)


def _duration(ns: int) -> Duration:
    return Duration(seconds=ns // NS, nanos=ns % NS)
