"""A director's rulings that are on the table and not on play: pausing and resuming, and who sits where."""

from dataclasses import dataclass

from gammon_match.app.live_match import LiveMatch
from gammon_match.app.pausing import budgets_told
from gammon_match.app.timekeeper import Look
from gammon_match.core.events import BatchEnd, Event, Status
from gammon_match.core.refusals import NoPause, NotStarted, SeatUnavailable
from gammon_match.core.table_events import DirectorReason, MatchPaused, MatchResumed, PlayerReplaced


@dataclass(frozen=True, slots=True)
class Pause:
    """Play is paused until a director resumes it."""


@dataclass(frozen=True, slots=True)
class Resume:
    """Play goes on, whoever paused it."""


@dataclass(frozen=True, slots=True)
class Replace:
    """Another player holds a seat from now on."""

    seat: int
    player: str


TableRuling = Pause | Resume | Replace


def on_the_table(
    live: LiveMatch, look: Look, ruling: TableRuling, reason: DirectorReason, digest: bytes
) -> tuple[tuple[Event, ...], BatchEnd] | NoPause | NotStarted | SeatUnavailable:
    """The events of a ruling and the end of its batch, or why there are none."""
    match = live.match
    if isinstance(ruling, Replace):
        return _replaced(live, ruling, reason, digest)
    if match.standing is None:
        return NotStarted(live.terms().seats - len(match.holders))
    pause, budgets = match.table.pause, budgets_told(live, look)
    if isinstance(ruling, Resume):
        if pause is None:
            return NoPause("the match is not paused")
        return (MatchResumed(budgets, reason),), match.unchanged(digest, Status.PLAYING)
    if pause is not None and pause.seat is None and not pause.mutual:
        return NoPause("the match is paused by a director already")
    return (MatchPaused(reason, None, False, budgets),), match.unchanged(digest, Status.PAUSED)


def _replaced(
    live: LiveMatch, ruling: Replace, reason: DirectorReason, digest: bytes
) -> tuple[tuple[Event, ...], BatchEnd] | SeatUnavailable:
    match = live.match
    holder = match.holder(ruling.seat)
    if holder is None:
        return SeatUnavailable(ruling.seat, "nobody holds this seat who could be replaced")
    if holder.player == ruling.player:
        return SeatUnavailable(ruling.seat, "this player holds the seat already")
    events = (PlayerReplaced(ruling.seat, ruling.player, b"", reason),)
    end = BatchEnd(digest, match.state, match.standing, match.status, match.draws, live.head.sequence + 1)
    return events, end
