"""What time does to a match: what has passed since it was last told, and what is told of it with each batch.

Live clocks, pauses and absences are measured on the monotonic clock of the one process that times the match, from the
moment it stored or first read what stands last: the time that nobody was there is charged to nobody. Days per move go
by the store's time, forced not to run back.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

from gammon_match.app.live_match import LiveMatch
from gammon_match.app.ports import Unreadable
from gammon_match.core.clock import press, seats_to_decide, set_clock, spend
from gammon_match.core.events import Actor, BatchEnd, Event, MatchClosed, Seated, Status
from gammon_match.core.refusals import StoreAway, TimedElsewhere
from gammon_match.core.table_events import (
    AbsenceChange,
    AbsenceTimed,
    ActedBySystem,
    ClockStamped,
    FlagFell,
    PlayerReplaced,
    TakenBack,
)
from gammon_match.core.terms import ClockKind


class StoreTime(Protocol):
    """The store's wall clock, one for all processes."""

    async def now_ns(self) -> int | Unreadable:
        """Nanoseconds since the epoch."""
        ...


class Tenure(Protocol):
    """Which matches this process times."""

    def term(self, match_id: str) -> int | None:
        """The number of the term that it times a match in; None: it does not."""
        ...

    def holder(self, match_id: str) -> str:
        """Who times a match, as far as is known."""
        ...


@dataclass(frozen=True, slots=True)
class Look:
    """A match at a moment: monotonic time, the clock then, what remains of pauses by seat and of timed absences."""

    at_ns: int
    clock: ClockStamped | None
    budgets: tuple[int, ...]
    absences: tuple[tuple[int, int], ...]


class Timekeeper:
    """Measures. Callers hold the match's lock."""

    def __init__(self, monotonic_ns: Callable[[], int], store_time: StoreTime, tenure: Tenure) -> None:
        """Builds it on its two clocks and on who times what."""
        self._monotonic_ns = monotonic_ns
        self._store_time = store_time
        self._tenure = tenure

    def elsewhere(self, live: LiveMatch) -> TimedElsewhere | None:
        """Who else measures this match, so that nothing is decided on it here; None: nobody."""
        if live.agreed is None or not live.agreed.is_measured or live.match.status is Status.CLOSED:
            return None
        if self._tenure.term(live.match_id) is not None:
            return None
        return TimedElsewhere(self._tenure.holder(live.match_id))

    async def look(self, live: LiveMatch) -> Look | StoreAway:
        """The match now."""
        store_ns = 0
        if live.terms().clock.kind is ClockKind.DAYS:
            read = await self._store_time.now_ns()
            if isinstance(read, Unreadable):
                return StoreAway(read.cause)
            store_ns = read
        return self._look(live, store_ns)

    def glance(self, live: LiveMatch) -> Look:
        """The match now, as far as this process knows: of days per move it is as it was last told."""
        return self._look(live, 0)

    async def shown(self, live: LiveMatch) -> Look | None:
        """The match now, to be shown; None: time does nothing to it now, or is measured elsewhere."""
        if (
            live.is_past
            or not live.terms().is_timed
            or live.match.standing is None
            or live.match.status is Status.CLOSED
        ):
            return None
        if self.elsewhere(live) is not None:
            return None
        look = await self.look(live)
        return None if isinstance(look, StoreAway) else look

    def stamp(
        self, live: LiveMatch, look: Look, events: tuple[Event, ...], actor: Actor, end: BatchEnd, *, game_ended: bool
    ) -> tuple[Event, ...]:
        """The events of a batch with what becomes of clock and absences by it, told before the match is closed."""
        if end.standing is None:
            return events
        terms, before = live.terms(), live.match.standing
        deciding = seats_to_decide(end.standing)
        actor_seat = _actor_seat(events, actor)
        # Who has just been given a seat has not been away from it.
        here = {actor_seat, *(event.seat for event in events if isinstance(event, PlayerReplaced))}
        told: list[Event] = [
            AbsenceTimed(seat, AbsenceChange.STOPPED)
            for seat, _ in live.match.table.absent
            if (seat not in deciding or seat in here) and not _says_of_absence(events, seat)
        ]
        if terms.clock.kind is not ClockKind.NONE:
            offers = end.standing.offered or (before is not None and before.offered)
            # A seat that has played and is to throw again begins another move.
            throws_again = not offers and before is not None and before.draw is None and end.standing.draw is not None
            lapsed = next((e.seat for e in events if isinstance(e, FlagFell)), None)
            shown = look.clock or set_clock(terms.clock, terms.seats)
            told.append(
                press(
                    terms.clock,
                    shown,
                    deciding,
                    mover=None if offers or any(map(_ends_others_moves, events)) else actor_seat,
                    ends_moves=game_ended or throws_again or any(isinstance(event, TakenBack) for event in events),
                    lapsed=None if end.standing.over else lapsed,
                    offered=end.standing.offered,
                )
            )
        if events and isinstance(events[-1], MatchClosed):
            return (*events[:-1], *told, events[-1])
        return (*events, *told)

    def stored(self, live: LiveMatch) -> None:
        """Notes what was just stored: from now on, since nobody could see it before, it is measured."""
        now = self._monotonic_ns()
        live.seen_at = {mark: live.seen_at.get(mark, now) for mark in _marks(live)}

    def _look(self, live: LiveMatch, store_ns: int) -> Look:
        match, terms = live.match, live.terms()
        table, now = match.table, self._monotonic_ns()
        term = self._tenure.term(live.match_id)
        if term != live.seen_in_term:
            live.seen_in_term, live.seen_at = term, {}
        live.seen_at = {mark: live.seen_at.get(mark, now) for mark in _marks(live)}
        clock = table.clock
        if clock is not None:
            is_running = match.status is Status.PLAYING
            if terms.clock.kind is ClockKind.DAYS:
                since = max(store_ns - clock.store_ns, 0)
                clock = replace(clock, store_ns=max(store_ns, clock.store_ns))
            else:
                since = now - live.seen_at[table.clock_sequence]
            clock = spend(clock, since if is_running else 0)
        elif terms.clock.kind is not ClockKind.NONE:
            clock = replace(set_clock(terms.clock, terms.seats), store_ns=store_ns)
        budgets = list(table.budgets or (terms.absence.pause_budget_ns,) * terms.seats)
        if table.pause is not None and table.pause.seat is not None:
            spent = now - live.seen_at[table.pause_sequence]
            budgets[table.pause.seat] = max(budgets[table.pause.seat] - spent, 0)
        limit = terms.absence.abandonment_ns or 0
        absences = tuple((seat, max(limit - (now - live.seen_at[mark]), 0)) for seat, mark in table.absent)
        return Look(now, clock, tuple(budgets), absences)


def _marks(live: LiveMatch) -> list[int]:
    table = live.match.table
    return [table.clock_sequence, table.pause_sequence, *(mark for _, mark in table.absent)]


def _actor_seat(events: tuple[Event, ...], actor: Actor) -> int | None:
    if isinstance(actor, Seated):
        return actor.seat
    return next((event.seat for event in events if isinstance(event, ActedBySystem)), None)


def _ends_others_moves(event: Event) -> bool:
    """Whether a seat that says so has not moved by it: it claims a lapse, or consents to go back."""
    return isinstance(event, FlagFell | AbsenceTimed | TakenBack)


def _says_of_absence(events: tuple[Event, ...], seat: int) -> bool:
    return any(isinstance(event, AbsenceTimed) and event.seat == seat for event in events)
