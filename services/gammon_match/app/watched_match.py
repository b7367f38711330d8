"""A match that is being watched in this process: how far it has come, who watches, and who is told that they are there.

Its newest events are kept only while somebody still has to be handed them, so a watcher who cannot keep up costs a
bounded number of them, and nobody's time.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from gammon_match.app.codec import Codec, Unknown
from gammon_match.app.live_match import LiveMatch
from gammon_match.app.ports import StoredEvent
from gammon_match.app.presence import Presence
from gammon_match.app.seeing import seen_of
from gammon_match.core.events import Status
from gammon_match.core.match import evolve
from gammon_match.core.refusals import CorruptMatch, NotToBeSeen
from gammon_match.core.sight import Viewer, is_trusted
from gammon_match.core.terms import Spectators
from gammon_proofs.chain import event_hash

# A change is told after this long, so that who comes back at once was never away.
SETTLED_S = 0.25
# Telling n watchers costs n messages: the more they are, the more rarely they are told.
PER_WATCHER_S = 0.005


@dataclass(frozen=True, slots=True)
class Attendance:
    """The seats that are there, and how many others watch; None: that is not for whom it is told."""

    seats: frozenset[int]
    spectators: int | None


Update: TypeAlias = StoredEvent | Attendance
# Hands an update to the transport; it returns once there is room for another.
Send: TypeAlias = Callable[[Update], Awaitable[None]]


@dataclass(eq=False, slots=True)
class Watcher:
    """One watch. `last`: the last sequence handed over. `limit`: ends the watch when it is let run out.

    `live`: it has had everything once, so that from now on it has to keep up. `told`: the last attendance it was
    told, as the match's `tellings` stood then.
    """

    viewer: Viewer
    last: int
    limit: asyncio.Timeout
    live: bool = False
    told: Attendance | None = None
    telling: int = -1


class WatchedMatch:
    """One match, as long as somebody watches it."""

    def __init__(self, live: LiveMatch, codec: Codec, presence: Presence, most_behind: int) -> None:
        """`live`: the match as it stands now. `most_behind`: how many events a watcher may fall behind."""
        self.match_id = live.match_id
        self.fault: CorruptMatch | None = None
        self.watchers: set[Watcher] = set()
        self.tellings = 0
        self._match, self._hash, self._agreed = live.match, live.head.hash, live.terms()
        self._codec = codec
        self._presence = presence
        self._most_behind = most_behind
        self._recent: list[StoredEvent] = []
        self._news = asyncio.Event()
        self._waiting = 0
        self._attendance = Attendance(frozenset(), 0)
        self._telling: asyncio.TimerHandle | None = None
        self._told_at = 0.0

    @property
    def sequence(self) -> int:
        """The last event taken in."""
        return self._match.sequence

    @property
    def closed(self) -> bool:
        """Whether nothing follows."""
        return self._match.status is Status.CLOSED

    def seen_by(self, viewer: Viewer) -> int | NotToBeSeen:
        """The last sequence that a viewer may see now."""
        return seen_of(viewer, self._match, self._agreed)

    def waits_for(self, viewer: Viewer) -> bool:
        """Whether it is measured that a viewer is there, since they hold a seat."""
        is_measured = self._agreed.is_measured and not self.closed
        return is_measured and self._match.seat_of(viewer.player) is not None

    def shows(self, sequence: int, viewer: Viewer) -> bool:
        """Whether a viewer may see an event now."""
        seen = self.seen_by(viewer)
        return not isinstance(seen, NotToBeSeen) and sequence <= seen

    def take_in(self, events: Sequence[StoredEvent]) -> None:
        """Takes in what follows and wakes the watchers; what comes after a gap is left for a reading without one."""
        before = self._match
        for event in events:
            if event.sequence == self._match.sequence + 1 and self.fault is None:
                self._take_in(event)
        if self._match is before:
            return
        if self._match.holders != before.holders:
            self._presence.seat(self.match_id, self._holders())
            self._tell_later()
        if not self.closed:
            self._cut_off_the_slow()
        del self._recent[: -self._most_behind]
        self.wake()

    def take_in_all(self, events: Sequence[StoredEvent]) -> None:
        """Takes in everything that is stored behind what is known: a gap in it is a fault of the store."""
        self.take_in(events)
        if events[-1].sequence > self._match.sequence:
            self._fail(f"event {self._match.sequence + 1} is missing")

    def recent(self, after: int, up_to: int) -> Sequence[StoredEvent]:
        """The events above a sequence as far as they are at hand; none: read the store."""
        if not self._recent or self._recent[0].sequence > after + 1:
            return ()
        first = self._recent[0].sequence
        return self._recent[after + 1 - first : up_to + 1 - first]

    async def news(self, watcher: Watcher) -> None:
        """Waits, for a watcher who has everything, until something has changed."""
        watcher.live = False
        self._waiting += 1
        if self._waiting == len(self.watchers):
            self._recent.clear()
        try:
            await self._news.wait()
        finally:
            self._waiting -= 1
        watcher.live = self._behind(watcher) <= self._most_behind

    def join(self, watcher: Watcher) -> None:
        """Takes in a watcher."""
        self.watchers.add(watcher)
        self._presence.arrive(self.match_id, watcher.viewer.player, self._holders())
        self._tell_later()

    def leave(self, watcher: Watcher) -> None:
        """Lets a watcher go; of the last nothing stays behind."""
        self.watchers.remove(watcher)
        self._presence.depart(self.match_id, watcher.viewer.player)
        self._tell_later()

    def attendance_for(self, watcher: Watcher) -> Attendance | None:
        """What a watcher is to be told now of who is there; None: nothing that it does not know."""
        if watcher.telling == self.tellings:
            return None
        attendance = self._attendance if watcher.told is not None else self._attending()
        if self._agreed.spectators is not Spectators.LIVE and not is_trusted(watcher.viewer, self._match):
            attendance = Attendance(attendance.seats, None)
        watcher.telling = self.tellings
        if attendance == watcher.told:
            return None
        watcher.told = attendance
        return attendance

    def _take_in(self, event: StoredEvent) -> None:
        if event_hash(self._hash, event.sequence, event.envelope) != event.hash:
            self._fail("the stored hash does not follow from the event")
            return
        envelope = self._codec.decode(event.envelope)
        if isinstance(envelope, Unknown):
            self._fail(envelope.fault)
            return
        self._match, self._hash = evolve(self._match, envelope), event.hash
        self._recent.append(event)

    def _fail(self, fault: str) -> None:
        """Ends all watches with a fault."""
        self.fault = self.fault or CorruptMatch(self._match.sequence + 1, fault)
        self.wake()

    def _behind(self, watcher: Watcher) -> int:
        seen = self.seen_by(watcher.viewer)
        return 0 if isinstance(seen, NotToBeSeen) else seen - watcher.last

    def _cut_off_the_slow(self) -> None:
        now = asyncio.get_running_loop().time()
        for watcher in self.watchers:
            if watcher.live and not watcher.limit.expired() and self._behind(watcher) > self._most_behind:
                watcher.limit.reschedule(now)

    def _holders(self) -> dict[int, str]:
        return {seat: holder.player for seat, holder in self._match.holders}

    def _attending(self) -> Attendance:
        return Attendance(self._presence.present(self.match_id), self._presence.spectators(self.match_id))

    def _tell_later(self) -> None:
        if self._telling is None:
            loop = asyncio.get_running_loop()
            again_at = self._told_at + PER_WATCHER_S * len(self.watchers)
            self._telling = loop.call_at(max(loop.time() + SETTLED_S, again_at), self._tell)

    def _tell(self) -> None:
        self._telling = None
        attending = self._attending()
        if attending != self._attendance:
            self._attendance = attending
            self.tellings += 1
            self._told_at = asyncio.get_running_loop().time()
            self.wake()

    def wake(self) -> None:
        """Has every watcher look again at what there is for it."""
        self._news.set()
        self._news.clear()
