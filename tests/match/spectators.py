"""Matches with a spectator policy, and people who watch them in this process."""

import asyncio
from collections.abc import Awaitable, Callable
from itertools import count

from tests.match.in_process import PLAYERS, ROLL, Desk
from tests.match.memory_tail import MemoryTail

from gammon.match.v1 import settings_pb2
from gammon_match.adapters.partitions import partition_of
from gammon_match.app.live_match import LiveMatch
from gammon_match.app.ports import DurabilityLevel, StoredEvent
from gammon_match.app.presence import Presence
from gammon_match.app.take_seat import Seated
from gammon_match.app.watched_match import Attendance, Update, WatchedMatch
from gammon_match.app.watching import Watching
from gammon_match.app.writing import Writing, Written
from gammon_match.core.events import BatchEnd, CloseReason, Event, MatchClosed, Operator, Status
from gammon_match.core.refusals import Refusal
from gammon_match.core.sight import Viewer
from gammon_match.core.table_events import DirectorReason, DirectorRuled, PlayerReplaced

LIVE = settings_pb2.MatchSettings()
OFF = settings_pb2.MatchSettings(spectators=settings_pb2.SPECTATOR_POLICY_OFF)
_NUMBERS = count(1)


def delayed(events: int) -> settings_pb2.MatchSettings:
    """Spectators see what happened some events ago."""
    return settings_pb2.MatchSettings(spectators=settings_pb2.SPECTATOR_POLICY_DELAYED, spectator_delay=events)


async def seating(desk: Desk, policy: settings_pb2.MatchSettings) -> LiveMatch:
    """A match whose seats are open."""
    return await desk.match_created(None, policy)


async def sit_down(desk: Desk, live: LiveMatch, *seats: int) -> None:
    """Takes seats: alice has seat 0, bob seat 1; play begins with the last."""
    for seat in seats:
        assert isinstance(await desk.sit(live, PLAYERS[seat], seat), Seated)


async def playing(desk: Desk, policy: settings_pb2.MatchSettings) -> LiveMatch:
    """A match that has just started."""
    live = await seating(desk, policy)
    await sit_down(desk, live, 0, 1)
    return live


async def _direct(desk: Desk, live: LiveMatch, status: Status, *events: Event) -> None:
    """A director's batch that leaves play as it is."""
    match = live.match
    end = BatchEnd(bytes(32), match.state, match.standing, status, match.draws, match.seats_sequence)
    writing = Writing(Operator("director"), f"ruling-{next(_NUMBERS)}", events, end)
    async with live.lock:
        assert isinstance(await desk.recorder.write(live, writing, DurabilityLevel.ACCEPTED), Written)


async def replace(desk: Desk, live: LiveMatch, seat: int, player: str) -> None:
    """Gives a seat to another player: two events."""
    reason = DirectorReason.REQUEST
    await _direct(desk, live, live.match.status, DirectorRuled(reason), PlayerReplaced(seat, player, b"", reason))


async def rule_on(desk: Desk, live: LiveMatch, batches: int) -> None:
    """Lets the match grow by batches of one event each."""
    for _ in range(batches):
        await _direct(desk, live, live.match.status, DirectorRuled(DirectorReason.TECHNICAL))


async def close(desk: Desk, live: LiveMatch) -> None:
    """Closes the match: two events."""
    await _direct(desk, live, Status.CLOSED, DirectorRuled(DirectorReason.TECHNICAL), MatchClosed(CloseReason.OPERATOR))


async def roll(desk: Desk, live: LiveMatch) -> None:
    """The opening roll."""
    assert isinstance(await desk.do(live, 0, ROLL), Written)


class Stand:
    """Where people watch from; `desk` is the process that plays, and tells its watchers of its own events."""

    def __init__(self, desk: Desk, *, most_behind: int = 256, stalled_s: float = 15.0) -> None:
        self.desk = desk
        self.presence = Presence()
        self.tail = MemoryTail(desk.store)
        self.watching = Watching(
            desk.seeing, self.tail, partition_of, self.presence, most_behind=most_behind, stalled_s=stalled_s
        )
        desk.recorder._on_stored = self.watching.stored

    @property
    def watchers(self) -> int:
        """How many watches are open."""
        return sum(len(watched.watchers) for watched in self._watched)

    @property
    def kept(self) -> int:
        """How many events are kept for watchers who have still to be handed them."""
        return sum(len(watched._recent) for watched in self._watched)

    @property
    def _watched(self) -> list[WatchedMatch]:
        return [watched for matches in self.watching._watched.values() for watched in matches.values()]

    def person(self, live: LiveMatch, player: str, after: int = 0, *, official: bool = False) -> "Person":
        """Somebody who begins to watch."""
        return Person(self.watching, live, Viewer(player, official), after)


class Person:
    """Somebody who watches: what they were sent, and how it ended. `slowly`: awaited for each event."""

    def __init__(self, watching: Watching, live: LiveMatch, viewer: Viewer, after: int) -> None:
        self.events: list[StoredEvent] = []
        self.attendances: list[Attendance] = []
        self.slowly: Callable[[], Awaitable[None]] | None = None
        self._after = after
        self._watch = asyncio.create_task(watching.watch(live.match_id, after, viewer, self._take))

    async def _take(self, update: Update) -> None:
        if isinstance(update, Attendance):
            self.attendances.append(update)
            return
        self.events.append(update)
        if self.slowly is not None:
            await self.slowly()

    @property
    def last(self) -> int:
        """The last sequence seen; what was seen has neither gap nor repeat."""
        sequences = [event.sequence for event in self.events]
        assert sequences == list(range(self._after + 1, self._after + 1 + len(sequences)))
        return self._after + len(sequences)

    async def sees(self, sequence: int) -> None:
        """Waits until a sequence was seen."""
        async with asyncio.timeout(5):
            while self.last < sequence:
                await asyncio.sleep(0.005)

    async def ended(self) -> Refusal | None:
        """How the watch ended."""
        async with asyncio.timeout(5):
            return await self._watch

    @property
    def watches(self) -> bool:
        """Whether the watch goes on."""
        return not self._watch.done()

    async def go(self) -> None:
        """Stops watching."""
        self._watch.cancel()
        await asyncio.wait([self._watch])


async def settled() -> None:
    """Lets everything happen that is about to."""
    await asyncio.sleep(0.05)
