"""Pauses of the seats: on one seat's budget, or by all of them; and their end."""

from dataclasses import dataclass

from gammon_match.app.deciding import NOTHING_SEEN, Decider, seat_answered_before
from gammon_match.app.live_match import LiveMatch
from gammon_match.app.ports import DurabilityLevel
from gammon_match.app.recording import Recorder
from gammon_match.app.timekeeper import Look
from gammon_match.app.writing import Writing, Written
from gammon_match.core.events import Event, Seated, Status
from gammon_match.core.refusals import NoPause, NotStarted, Refusal, StoreAway
from gammon_match.core.table_events import MatchPaused, MatchResumed, PauseAsked


@dataclass(frozen=True, slots=True)
class PauseForSeat:
    """A request of a seat for a pause, or for its end."""

    match_id: str
    player: str
    seat: int
    request_id: str
    resume: bool
    digest: bytes


class PauseHandler:
    """Pauses and resumes matches for their seats."""

    def __init__(self, decider: Decider, recorder: Recorder) -> None:
        """Builds the handler on what decides, and the recorder."""
        self._decider = decider
        self._recorder = recorder

    async def __call__(self, command: PauseForSeat) -> Written | Refusal:
        """The events of the pause or its end, stored now or before, or why there are none."""
        return await self._decider.decide(
            command.match_id, NOTHING_SEEN, lambda live, level: self._attempt(live, command, level)
        )

    async def _attempt(self, live: LiveMatch, command: PauseForSeat, level: DurabilityLevel) -> Written | Refusal:
        answer = await seat_answered_before(self._recorder, live, NOTHING_SEEN, command, level)
        if answer is not None:
            return answer
        if live.match.standing is None:
            return NotStarted(live.terms().seats - len(live.match.holders))
        look = await self._recorder.time.look(live)
        if isinstance(look, StoreAway):
            return look
        decided = _resumed(live, look, command.seat) if command.resume else _paused(live, look, command.seat)
        if isinstance(decided, NoPause):
            return decided
        events, status = decided
        writing = Writing(
            Seated(command.seat), command.request_id, events, live.match.unchanged(command.digest, status)
        )
        return await self._recorder.write(live, writing, level, look)


def budgets_told(live: LiveMatch, look: Look) -> tuple[int, ...]:
    """What remains of each seat's budget, if any was agreed."""
    return look.budgets if live.terms().absence.pause_budget_ns else ()


def paused_by(live: LiveMatch) -> str:
    """Who has paused the match, in words."""
    pause = live.match.table.pause
    if pause is None or pause.mutual:
        return "all seats"
    return "a director" if pause.seat is None else f"seat {pause.seat}"


def _paused(live: LiveMatch, look: Look, seat: int) -> tuple[tuple[Event, ...], Status] | NoPause:
    match, seats = live.match, range(live.terms().seats)
    pause, asking = match.table.pause, match.table.asking
    if pause is not None and (pause.mutual or pause.seat is None):
        return NoPause(f"the match is paused by {paused_by(live)}")
    if pause is not None and pause.seat == seat:
        return NoPause("this seat has paused the match")
    if seat in asking:
        return NoPause("this seat asks for a pause already; it begins when all seats do")
    budgets = budgets_told(live, look)
    wanting = {*asking, seat} if pause is None else {*asking, seat, pause.seat}
    if wanting >= set(seats):
        return (PauseAsked(seat, False), MatchPaused(None, None, True, budgets)), Status.PAUSED
    if pause is None and look.budgets[seat] > 0:
        return (MatchPaused(None, seat, False, budgets),), Status.PAUSED
    return (PauseAsked(seat, False),), match.status


def _resumed(live: LiveMatch, look: Look, seat: int) -> tuple[tuple[Event, ...], Status] | NoPause:
    match = live.match
    pause = match.table.pause
    if seat in match.table.asking:
        return (PauseAsked(seat, True),), match.status
    if pause is None:
        return NoPause("the match is not paused")
    if not pause.mutual and pause.seat != seat:
        return NoPause(f"the match is paused by {paused_by(live)}, who alone ends that")
    return (MatchResumed(budgets_told(live, look)),), Status.PLAYING
