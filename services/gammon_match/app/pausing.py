"""Pauses of the seats: on one seat's budget, or by all of them; and their end."""

from dataclasses import dataclass

from gammon_match.app.automatic import AutomaticActs
from gammon_match.app.deciding import answered_before, decide_at_head
from gammon_match.app.live_match import LiveMatch
from gammon_match.app.live_matches import LiveMatches
from gammon_match.app.ports import DurabilityLevel, Head
from gammon_match.app.recording import Recorder
from gammon_match.app.timekeeper import Look
from gammon_match.app.writing import Writing, Written
from gammon_match.core.events import BatchEnd, Event, Seated, Status
from gammon_match.core.refusals import DurabilityNotOffered, NoPause, NotStarted, NotYourSeat, Refusal, StoreAway
from gammon_match.core.table_events import MatchPaused, MatchResumed, PauseAsked

FROM_THE_START = Head(0, b"")


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

    def __init__(self, live: LiveMatches, recorder: Recorder, automatic: AutomaticActs) -> None:
        """Builds the handler on the matches in memory, the recorder, and what follows by itself."""
        self._automatic = automatic
        self._live = live
        self._recorder = recorder

    async def __call__(self, command: PauseForSeat) -> Written | Refusal:
        """The events of the pause or its end, stored now or before, or why there are none."""
        level = self._recorder.level(None)
        if isinstance(level, DurabilityNotOffered):
            return level
        live = await self._live.get(command.match_id)
        if not isinstance(live, LiveMatch):
            return live
        outcome = await decide_at_head(
            self._live, self._recorder, live, FROM_THE_START, lambda: self._attempt(live, command, level)
        )
        if isinstance(outcome, Written):
            await self._automatic.run(live)
        return outcome

    async def _attempt(self, live: LiveMatch, command: PauseForSeat, level: DurabilityLevel) -> Written | Refusal:
        holder = live.match.holder(command.seat)
        if holder is None or holder.player != command.player:
            return NotYourSeat(command.seat)
        answer = await answered_before(self._recorder, live, FROM_THE_START, command.request_id, command.digest, level)
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
        writing = Writing(Seated(command.seat), command.request_id, events, table_end(live, command.digest, status))
        return await self._recorder.write(live, writing, level, look)


def table_end(live: LiveMatch, digest: bytes, status: Status) -> BatchEnd:
    """The end of a batch that leaves play as it is."""
    match = live.match
    return BatchEnd(digest, match.state, match.standing, status, match.draws, match.seats_sequence)


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
