"""Claiming a lapse: another seat's time is up, or it has been away too long. A refusal says why."""

from dataclasses import dataclass

from gammon_match.app.deciding import Decider, seat_answered_before
from gammon_match.app.lapse import Lapses
from gammon_match.app.live_match import LiveMatch
from gammon_match.app.pausing import paused_by
from gammon_match.app.ports import DurabilityLevel, Head
from gammon_match.app.recording import Recorder
from gammon_match.app.timekeeper import Look
from gammon_match.app.writing import Writing, Written
from gammon_match.core.clock import time_left
from gammon_match.core.events import Seated, Status
from gammon_match.core.refusals import (
    MatchIsPaused,
    NoLapse,
    NotStarted,
    Refusal,
    StoreAway,
)
from gammon_match.core.table_events import AbsenceChange, AbsenceTimed, FlagFell
from gammon_match.core.terms import ClockKind

NS = 1_000_000_000


@dataclass(frozen=True, slots=True)
class ClaimForSeat:
    """A seat's claim that another seat has lapsed, on what it has seen."""

    match_id: str
    player: str
    seat: int
    request_id: str
    seen: Head
    digest: bytes


class ClaimHandler:
    """Decides claims at the moment they arrive: what may be claimed changes with the time."""

    def __init__(self, decider: Decider, recorder: Recorder, lapses: Lapses) -> None:
        """Builds the handler on what decides, the recorder, and what lapses amount to."""
        self._decider = decider
        self._recorder = recorder
        self._lapses = lapses

    async def __call__(self, command: ClaimForSeat) -> Written | Refusal:
        """The events of the lapse, stored now or before, or why there is none."""
        return await self._decider.decide(
            command.match_id, command.seen, lambda live, level: self._attempt(live, command, level)
        )

    async def _attempt(self, live: LiveMatch, command: ClaimForSeat, level: DurabilityLevel) -> Written | Refusal:
        answer = await seat_answered_before(self._recorder, live, command.seen, command, level)
        if answer is not None:
            return answer
        if live.match.standing is None:
            return NotStarted(live.terms().seats - len(live.match.holders))
        if live.match.status is Status.PAUSED:
            return MatchIsPaused(paused_by(live))
        look = await self._recorder.time.look(live)
        if isinstance(look, StoreAway):
            return look
        cause = _cause(live, look, command.seat)
        if isinstance(cause, NoLapse):
            return cause
        writing = await self._lapses.of(live, cause, Seated(command.seat), command.request_id, command.digest)
        return await self._recorder.write(live, writing, level, look) if isinstance(writing, Writing) else writing


def _cause(live: LiveMatch, look: Look, claimer: int) -> FlagFell | AbsenceTimed | NoLapse:
    """What has lapsed, the clock first; else the nearest that may."""
    terms = live.terms()
    has_clock = terms.clock.kind is not ClockKind.NONE and look.clock is not None
    if not has_clock and terms.absence.abandonment_ns is None:
        return NoLapse("this match has no clock, and nothing was agreed about absence")
    waits: list[tuple[int, str]] = []
    if has_clock:
        assert look.clock is not None
        for seat in look.clock.running:
            left = time_left(look.clock, seat) or 0
            if seat != claimer and left == 0:
                return FlagFell(seat, claimer)
            if seat != claimer:
                waits.append((left, f"seat {seat} has {_seconds(left)} left on its clock"))
    for seat, left in look.absences:
        if seat != claimer and left == 0:
            return AbsenceTimed(seat, AbsenceChange.CLAIMED, claimer)
        if seat != claimer:
            waits.append((left, f"seat {seat} has been away too long in {_seconds(left)}"))
    if not waits:
        return NoLapse("no other seat is late: play waits for none of them, or they are there")
    wait_ns, reason = min(waits)
    return NoLapse(reason, wait_ns)


def _seconds(ns: int) -> str:
    return f"{ns / NS:.1f} s"
