"""What time does to a match, as far as a terminal has been told: it counts down from there by itself.

All moments are nanoseconds of the terminal's own monotonic clock, all spans nanoseconds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from gammon.match.v1 import events_pb2, settings_pb2
from gammon.match.v1 import match_service_pb2 as pb


@dataclass(frozen=True, slots=True)
class Halt:
    """A pause of a seat on its budget, of all seats, or (neither) of a director. `ends_ns`: when a budget is spent."""

    seat: int | None
    mutual: bool
    ends_ns: int | None

    def is_ended_by(self, seat: int) -> bool:
        """Whether the seat may end it."""
        return self.mutual or self.seat == seat


@dataclass(frozen=True, slots=True)
class Times:
    """The clock as it was at `at_ns` (None: there is none, or nobody said), the pause, and from when on the seats whose
    absence is timed can be claimed. `asking`: the seats that want a pause of all."""

    terms: settings_pb2.MatchSettings
    at_ns: int
    clock: pb.Clock | None = None
    halt: Halt | None = None
    claimable_ns: Mapping[int, int] = field(default_factory=dict)
    asking: tuple[int, ...] = ()

    def left(self, seat: int, now_ns: int) -> tuple[int, int]:
        """A seat's reserve, and what is left of the delay of the move it is on."""
        assert self.clock is not None, "asked of a match with a clock"
        reserve = self.clock.reserves[seat].ToNanoseconds()
        if seat not in self.clock.running:
            return reserve, 0
        place = list(self.clock.running).index(seat)
        delay = self.clock.delays[place].ToNanoseconds() if self.clock.delays else 0
        spent = 0 if self.halt is not None else max(now_ns - self.at_ns, 0)
        return max(reserve - max(spent - delay, 0), 0), max(delay - spent, 0)

    def is_late(self, seat: int, now_ns: int) -> bool:
        """Whether another seat may claim that this one's time is up, or that it has been away too long."""
        claimable = self.claimable_ns.get(seat)
        if self.halt is not None:
            return False
        if claimable is not None and now_ns >= claimable:
            return True
        runs = self.clock is not None and seat in self.clock.running
        return runs and self.terms.clock.claimed and not any(self.left(seat, now_ns))


def times_of(match: pb.Match, now_ns: int) -> Times:
    """What a match tells of time at this moment."""
    pause = match.pause if match.HasField("pause") else None
    return Times(
        terms=match.settings,
        at_ns=now_ns,
        clock=match.clock if match.HasField("clock") else None,
        halt=None if pause is None else _halt(pause, now_ns),
        claimable_ns={gone.seat: now_ns + gone.remaining.ToNanoseconds() for gone in match.absences},
        asking=tuple(match.pause_asked_by),
    )


def after(times: Times, batch: Sequence[events_pb2.Envelope], now_ns: int) -> Times:
    """What is known after a batch that has just arrived."""
    for event in batch:
        times = _after(times, event, now_ns)
    return times


def _after(times: Times, event: events_pb2.Envelope, now_ns: int) -> Times:
    match event.WhichOneof("event"):
        case "clock_stamped":
            told = event.clock_stamped
            clock = pb.Clock(reserves=told.reserves, running=told.running, delays=told.delays)
            return replace(times, clock=clock, at_ns=now_ns)
        case "match_paused":
            return replace(times, halt=_halt(event.match_paused, now_ns), asking=())
        case "match_resumed":
            return replace(times, halt=None, asking=())
        case "pause_asked":
            asked = event.pause_asked
            others = _without(times.asking, asked.seat)
            return replace(times, asking=others if asked.withdrawn else (*others, asked.seat))
        case "player_replaced":
            return replace(times, asking=_without(times.asking, event.player_replaced.seat))
        case "absence_timed":
            timed = event.absence_timed
            claimable = {seat: at for seat, at in times.claimable_ns.items() if seat != timed.seat}
            if timed.change == events_pb2.ABSENCE_CHANGE_STARTED:
                claimable[timed.seat] = now_ns + times.terms.absence.abandonment.ToNanoseconds()
            return replace(times, claimable_ns=claimable)
    return times


def _without(seats: tuple[int, ...], seat: int) -> tuple[int, ...]:
    return tuple(other for other in seats if other != seat)


def _halt(pause: pb.Pause | events_pb2.MatchPaused, now_ns: int) -> Halt:
    seat = pause.seat if pause.HasField("seat") else None
    spends = seat is not None and seat < len(pause.budgets)
    return Halt(
        seat, pause.mutual, now_ns + pause.budgets[seat].ToNanoseconds() if seat is not None and spends else None
    )
