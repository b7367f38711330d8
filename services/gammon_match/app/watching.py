"""Watching matches: one reader for each partition serves all watchers, and each sees every event once and in order.

Watchers first read what is stored, then take what is published: nothing depends on a message getting through. Each
hands over its own events, so nobody waits for a watcher that cannot keep up; it is cut off and told where to go on.
"""

import asyncio
from collections.abc import Callable, Sequence

from gammon_match.app.codec import Codec
from gammon_match.app.live_match import LiveMatch
from gammon_match.app.ports import EventStore, Recorded, StoredEvent, Unreadable
from gammon_match.app.presence import Presence
from gammon_match.app.seeing import Seeing
from gammon_match.app.shared_work import SharedWork
from gammon_match.app.tail import NewEvents
from gammon_match.app.watched_match import Send, Update, WatchedMatch, Watcher
from gammon_match.core.refusals import CorruptMatch, NotToBeSeen, Refusal, Rewound, StoreAway, TimedElsewhere, TooSlow
from gammon_match.core.sight import Viewer

PAGE = 100
WAIT_S = 1.0
AGAIN_S = 0.2
# Some hundred bytes each: what a match keeps in memory for a watcher that does not keep up.
MOST_BEHIND = 256
# A network that is lost for longer is better resumed; flow control would hold the write for ever.
STALLED_S = 15.0


class Watching:
    """All watchers of this process."""

    def __init__(
        self,
        seeing: Seeing,
        tail: NewEvents,
        partition_of: Callable[[str], int | None],
        presence: Presence,
        measured_by: Callable[[str], str] = lambda _match_id: "",
        *,
        most_behind: int = MOST_BEHIND,
        stalled_s: float = STALLED_S,
    ) -> None:
        """`partition_of`: of a match id; matches of one partition can be read together.

        `measured_by`: which other process measures a match and can be reached, if any: those who hold a seat count as
        there only where they watch. `most_behind`: how many events a watcher may fall behind that has had everything
        once. `stalled_s`: how long handing over one update may take.
        """
        self._live = seeing.live
        self._store: EventStore = seeing.store
        self._codec: Codec = seeing.codec
        self._tail = tail
        self._partition_of = partition_of
        self._presence = presence
        self._measured_by = measured_by
        self._most_behind = most_behind
        self._stalled_s = stalled_s
        self._watched: dict[int, dict[str, WatchedMatch]] = {}
        self._readers: dict[int, asyncio.Task[None]] = {}
        self._openings: SharedWork[str, LiveMatch | Refusal] = SharedWork()
        self._pages: SharedWork[tuple[str, int, int], Recorded | Unreadable] = SharedWork()

    def stored(self, match_id: str, events: Sequence[StoredEvent]) -> None:
        """Tells the watchers of a match what this process has just stored, before a reader finds it."""
        watched = self._watched.get(self._partition(match_id), {}).get(match_id)
        if watched is not None:
            watched.take_in(events)

    def look_again(self, partition: int) -> None:
        """Has the watchers of a partition's matches looked at again: another process measures these from now on."""
        for watched in self._watched.get(partition, {}).values():
            watched.wake()

    async def watch(self, match_id: str, after: int, viewer: Viewer, send: Send) -> Refusal | None:
        """Sends every event above a sequence that the viewer may see, once and in order, and who is there.

        Ends with None once the match is closed, or with a refusal: `TimedElsewhere` where it is to be watched from
        another process, from after what was sent. While the store is away it waits.
        """
        watched = await self._open(match_id)
        if not isinstance(watched, WatchedMatch):
            return watched
        watcher = Watcher(viewer, after, asyncio.timeout(None))
        self._join(watched, watcher)
        try:
            async with watcher.limit:
                fault = await self._check(watched, viewer, after)
                return fault or await self._serve(watched, watcher, send)
        except TimeoutError:
            if not watcher.limit.expired():
                raise
            return TooSlow(watcher.last)
        finally:
            self._leave(watched, watcher)

    async def close(self) -> None:
        """Ends the readers."""
        for reader in self._readers.values():
            reader.cancel()
        await asyncio.gather(*self._readers.values(), return_exceptions=True)

    async def _open(self, match_id: str) -> WatchedMatch | Refusal:
        matches = self._watched.setdefault(self._partition(match_id), {})
        while match_id not in matches:
            live = await self._openings.of(match_id, lambda: self._live.current(match_id))
            if isinstance(live, StoreAway):
                await asyncio.sleep(AGAIN_S)
            elif not isinstance(live, LiveMatch):
                return live
            elif match_id not in matches:
                matches[match_id] = WatchedMatch(live, self._codec, self._presence, self._most_behind)
        return matches[match_id]

    async def _check(self, watched: WatchedMatch, viewer: Viewer, after: int) -> Rewound | NotToBeSeen | None:
        """Whether what a watcher has seen exists; another process may have stored it a moment ago.

        Whoever may see nothing of the match is not told how far it is either.
        """
        seen = watched.seen_by(viewer)
        if isinstance(seen, NotToBeSeen):
            return seen
        while after > watched.sequence:
            recorded = await self._store.read(watched.match_id, after, 0)
            if isinstance(recorded, Recorded):
                exists = recorded.head is not None and recorded.head.sequence >= after
                return None if exists else Rewound(after, b"")
            await asyncio.sleep(AGAIN_S)
        return None

    async def _serve(self, watched: WatchedMatch, watcher: Watcher, send: Send) -> Refusal | None:
        while True:
            if watched.fault is not None:
                return watched.fault
            seen = watched.seen_by(watcher.viewer)
            if isinstance(seen, NotToBeSeen):
                return seen
            if watched.waits_for(watcher.viewer) and (elsewhere := self._measured_by(watched.match_id)):
                return TimedElsewhere(elsewhere)
            attendance = watched.attendance_for(watcher)
            if attendance is not None:
                await self._hand_over(watcher, send, attendance)
            elif watcher.last < seen:
                fault = await self._send_on(watched, watcher, send, min(seen, watcher.last + PAGE))
                if fault is not None:
                    return fault
            elif watched.closed:
                return None
            else:
                await watched.news(watcher)

    async def _send_on(self, watched: WatchedMatch, watcher: Watcher, send: Send, up_to: int) -> CorruptMatch | None:
        events = watched.recent(watcher.last, up_to)
        if not events:
            wanted = (watched.match_id, watcher.last, up_to)
            page = await self._pages.of(wanted, lambda: self._store.read(wanted[0], wanted[1], up_to - wanted[1]))
            if isinstance(page, Unreadable):
                await asyncio.sleep(AGAIN_S)
                return None
            events = page.events
        for event in events:
            # A seat may have been lost while the one before was handed over.
            if not watched.shows(event.sequence, watcher.viewer):
                return None
            if event.sequence != watcher.last + 1:
                break
            watcher.last = event.sequence
            await self._hand_over(watcher, send, event)
        if watcher.last < up_to:
            return CorruptMatch(watcher.last + 1, f"event {watcher.last + 1} is missing")
        return None

    async def _hand_over(self, watcher: Watcher, send: Send, update: Update) -> None:
        watcher.limit.reschedule(asyncio.get_running_loop().time() + self._stalled_s)
        await send(update)
        watcher.limit.reschedule(None)

    def _partition(self, match_id: str) -> int:
        return self._partition_of(match_id) or 0

    def _join(self, watched: WatchedMatch, watcher: Watcher) -> None:
        watched.join(watcher)
        partition = self._partition(watched.match_id)
        if partition not in self._readers:
            self._readers[partition] = asyncio.create_task(self._read(partition, self._watched[partition]))

    def _leave(self, watched: WatchedMatch, watcher: Watcher) -> None:
        watched.leave(watcher)
        if not watched.watchers:
            del self._watched[self._partition(watched.match_id)][watched.match_id]

    async def _read(self, partition: int, matches: dict[str, WatchedMatch]) -> None:
        """Publishes what is appended to the watched matches of a partition; ends with the last watcher."""
        try:
            while matches:
                positions = {match_id: watched.sequence for match_id, watched in matches.items()}
                # A match that joins meanwhile is looked at in the next turn, so a turn is short.
                found = await self._tail.newer(positions, WAIT_S)
                if isinstance(found, Unreadable):
                    await asyncio.sleep(AGAIN_S)
                    continue
                for match_id, events in found.items():
                    if match_id in matches:
                        matches[match_id].take_in_all(events)
        finally:
            self._readers.pop(partition, None)
