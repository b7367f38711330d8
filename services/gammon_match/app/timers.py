"""The timers of the matches that this process times: flags that fall by themselves, absences, and pauses that end.

A timer is a note in memory of when a match is to be looked at again; what is then due is decided at the match's head,
as any other request. After a restart, or when another process takes over, the timers are made anew from the stored
matches.
"""

import asyncio
import heapq
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import structlog

from gammon_match.app.automatic import AutomaticActs
from gammon_match.app.identity import request_digest
from gammon_match.app.lapse import Lapses, flag_down, time_request
from gammon_match.app.live_match import LiveMatch
from gammon_match.app.live_matches import LiveMatches
from gammon_match.app.pausing import budgets_told
from gammon_match.app.ports import Unreadable
from gammon_match.app.presence import Presence
from gammon_match.app.recording import Recorder
from gammon_match.app.timekeeper import Look
from gammon_match.app.writing import Writing, Written
from gammon_match.core.clock import seats_to_decide, time_left
from gammon_match.core.events import Event, Status, System
from gammon_match.core.refusals import Refusal, StoreAway
from gammon_match.core.table_events import AbsenceChange, AbsenceTimed, MatchResumed

# A watch that is dropped and opened again within this time was not away.
GRACE_NS = 5_000_000_000
AGAIN_NS = 1_000_000_000
NS = 1_000_000_000
LOG = structlog.get_logger("timers")


@dataclass(slots=True)
class _Timed:
    """One match: when it is to be looked at, the one note of it in the heap (0: none), since when deciders are away."""

    due_ns: int = 0
    noted_ns: int = 0
    away: dict[int, int] = field(default_factory=dict)


class Timers:
    """All timers of this process."""

    def __init__(
        self,
        live: LiveMatches,
        recorder: Recorder,
        lapses: Lapses,
        presence: Presence,
        automatic: AutomaticActs,
        monotonic_ns: Callable[[], int],
    ) -> None:
        """Builds them on the matches in memory, the recorder, the lapses, who is there, and what follows by itself."""
        self._automatic = automatic
        self._live = live
        self._recorder = recorder
        self._lapses = lapses
        self._presence = presence
        self._monotonic_ns = monotonic_ns
        self._timed: dict[str, _Timed] = {}
        self._heap: list[tuple[int, str]] = []
        self._woken = asyncio.Event()
        self._looking: set[asyncio.Task[None]] = set()
        recorder.on_timed, recorder.on_pending = self.follow, self._settle_later
        presence.changed = self.look_at

    @property
    def count(self) -> int:
        """How many matches are timed here."""
        return len(self._timed)

    def follow(self, live: LiveMatch, look: Look | None = None) -> None:
        """Sets the timer of a match anew: something was stored, or it was looked at."""
        match_id = live.match_id
        if live.match.status in (Status.SEATING, Status.CLOSED) or not live.terms().is_timed:
            self._timed.pop(match_id, None)
            return
        timed = self._timed.setdefault(match_id, _Timed())
        look = look or self._recorder.time.glance(live)
        self._note_absences(live, look, timed)
        due = self._next(live, look, timed)
        timed.due_ns = 0
        if due is not None:
            self._set(match_id, timed, due)

    def look_at(self, match_id: str) -> None:
        """Looks at a match as soon as may be, if it is timed here."""
        timed = self._timed.get(match_id)
        if timed is not None:
            self._set(match_id, timed, self._monotonic_ns())

    async def take_over(self, match_id: str) -> None:
        """Times a match from now on; asks until the store answers."""
        # What is in memory may be from before another process let the match start, or played it.
        while isinstance(live := await self._live.current(match_id), StoreAway):
            await asyncio.sleep(AGAIN_NS / NS)
        if isinstance(live, LiveMatch):
            self.follow(live)
            self.look_at(match_id)
            await self._automatic.run(live)

    async def run(self) -> None:
        """Looks at matches when they are due, until it is cancelled."""
        try:
            while True:
                self._woken.clear()
                now = self._monotonic_ns()
                while self._heap and self._heap[0][0] <= now:
                    noted, match_id = heapq.heappop(self._heap)
                    timed = self._timed.get(match_id)
                    if timed is None or timed.noted_ns != noted:
                        continue
                    timed.noted_ns = 0
                    if timed.due_ns > now:
                        self._set(match_id, timed, timed.due_ns)
                    elif timed.due_ns:
                        task = asyncio.create_task(self._look_after(match_id))
                        self._looking.add(task)
                        task.add_done_callback(self._looking.discard)
                wait_s = (self._heap[0][0] - now) / NS if self._heap else None
                try:
                    async with asyncio.timeout(wait_s):
                        await self._woken.wait()
                except TimeoutError:
                    pass
        finally:
            for task in self._looking:
                task.cancel()

    async def _look_after(self, match_id: str) -> None:
        try:
            await self.tick(match_id)
        except Exception:
            # A fault in one match must not end the timers of all.
            LOG.exception("timer", match_id=match_id)
            self._later(match_id)

    async def tick(self, match_id: str) -> None:
        """Does what time has made due in a match, and sets its timer anew."""
        live = await self._live.get(match_id)
        if isinstance(live, StoreAway):
            self._later(match_id)
            return
        if not isinstance(live, LiveMatch):
            # Nothing can be decided on it any more; that is told to whoever asks for it.
            LOG.error("timer", match_id=match_id, refusal=type(live).__name__)
            self._timed.pop(match_id, None)
            return
        before = live.head.sequence
        async with live.lock:
            if self._recorder.time.elsewhere(live) is not None:
                self._timed.pop(match_id, None)
                return
            fault = await self._recorder.settle(live) or await self._live.refresh(live)
            outcome = fault or await self._due(live)
            if isinstance(outcome, Look):
                self.follow(live, outcome)
            elif not isinstance(outcome, Written):
                LOG.warning("timer", match_id=match_id, refusal=type(outcome).__name__)
                self._later(match_id)
        if live.head.sequence > before:
            await self._automatic.run(live)

    async def _due(self, live: LiveMatch) -> Written | Refusal | Look:
        """Stores the first thing that is due, which sets the timer anew; else what it saw."""
        timed = self._timed.setdefault(live.match_id, _Timed())
        look = await self._recorder.time.look(live)
        if isinstance(look, StoreAway):
            return look
        self._note_absences(live, look, timed)
        match live.match.status, live.match.table.pause:
            case Status.PAUSED, pause if pause is not None and pause.seat is not None:
                if look.budgets[pause.seat] == 0:
                    return await self._store(live, look, (MatchResumed(budgets_told(live, look)),), Status.PLAYING)
        flag = flag_down(live, look)
        if flag is not None:
            return await self._lapses.fall(live, look, flag)
        events = self._absence_events(live, look, timed)
        return await self._store(live, look, events, live.match.status) if events else look

    async def _store(self, live: LiveMatch, look: Look, events: tuple[Event, ...], status: Status) -> Written | Refusal:
        digest = request_digest(b"time", repr(events).encode())
        writing = Writing(System(), time_request(live), events, live.match.unchanged(digest, status))
        return await self._recorder.write(live, writing, self._recorder.floor, look)

    def _note_absences(self, live: LiveMatch, look: Look, timed: _Timed) -> None:
        """Since when those are away whose decision play waits for; a pause waits for nobody."""
        waits_for: tuple[int, ...] = ()
        if live.terms().absence.abandonment_ns is not None and live.match.status is Status.PLAYING:
            waits_for = seats_to_decide(live.match.standing)
        there = self._presence.present(live.match_id)
        timed.away = {seat: timed.away.get(seat, look.at_ns) for seat in waits_for if seat not in there}

    def _absence_events(self, live: LiveMatch, look: Look, timed: _Timed) -> tuple[Event, ...]:
        timed_seats = [seat for seat, _ in live.match.table.absent]
        back = [AbsenceTimed(seat, AbsenceChange.STOPPED) for seat in timed_seats if seat not in timed.away]
        gone = [
            AbsenceTimed(seat, AbsenceChange.STARTED)
            for seat, since in timed.away.items()
            if seat not in timed_seats and look.at_ns - since >= GRACE_NS
        ]
        return (*back, *gone)

    def _next(self, live: LiveMatch, look: Look, timed: _Timed) -> int | None:
        """When something may be due that is not yet, on the monotonic clock."""
        match = live.match
        dues: list[int] = []
        if match.status is Status.PAUSED:
            if match.table.pause is not None and match.table.pause.seat is not None:
                dues.append(look.at_ns + look.budgets[match.table.pause.seat])
        elif look.clock is not None and not live.terms().clock.claimed:
            dues.extend(look.at_ns + (time_left(look.clock, seat) or 0) for seat in look.clock.running)
        timed_seats = {seat for seat, _ in match.table.absent}
        dues.extend(since + GRACE_NS for seat, since in timed.away.items() if seat not in timed_seats)
        if timed_seats - set(timed.away):
            dues.append(look.at_ns)
        return min(dues, default=None)

    def _set(self, match_id: str, timed: _Timed, due_ns: int) -> None:
        timed.due_ns = due_ns
        if timed.noted_ns and timed.noted_ns <= due_ns:
            # The note that is there comes first, and then makes the next.
            return
        timed.noted_ns = due_ns
        heapq.heappush(self._heap, (due_ns, match_id))
        if self._heap[0] == (due_ns, match_id):
            self._woken.set()

    def _settle_later(self, match_id: str) -> None:
        """Whoever sent a batch of unknown outcome may never come back; play and clocks go on from it all the same."""
        self._timed.setdefault(match_id, _Timed())
        self._later(match_id)

    def _later(self, match_id: str) -> None:
        timed = self._timed.get(match_id)
        if timed is not None:
            self._set(match_id, timed, self._monotonic_ns() + AGAIN_NS)


class TimedMatches(Protocol):
    """Where the matches are listed that time does something to."""

    async def timed_matches(self, partition: int) -> Sequence[str] | Unreadable:
        """The ids of a partition's matches that have started, are not closed, and are timed."""
        ...


class TakeOver:
    """Takes the timers of whole partitions over."""

    def __init__(self, listed: TimedMatches, timers: Timers) -> None:
        """Builds it on the list of timed matches and the timers."""
        self._listed = listed
        self._timers = timers
        self._under_way: set[asyncio.Task[None]] = set()

    def begin(self, partition: int) -> None:
        """Times the matches of a partition from now on; returns at once."""
        task = asyncio.create_task(self.partition(partition))
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)

    async def partition(self, partition: int) -> None:
        """Times the matches of a partition from now on; asks until the store answers."""
        while isinstance(timed := await self._listed.timed_matches(partition), Unreadable):
            await asyncio.sleep(AGAIN_NS / NS)
        for match_id in timed:
            await self._timers.take_over(match_id)
