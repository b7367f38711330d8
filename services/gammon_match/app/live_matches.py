"""The matches in memory: read when first asked for, kept while there is room, brought up to date on need."""

from collections import OrderedDict
from collections.abc import Callable
from itertools import islice

from gammon_match.app.codec import Codec
from gammon_match.app.live_match import LiveMatch, take_in
from gammon_match.app.ports import EventStore, Unreadable
from gammon_match.core.events import Status
from gammon_match.core.refusals import CorruptMatch, MatchNotFound, Rewound, StoreAway

DEFAULT_CAPACITY = 4096
# Closed matches are only read, and most are read for the last time soon after: repeated requests and the audit.
CLOSED_KEPT = 32


class LiveMatches:
    """A cache of folded matches. The store is the truth: an append there fails when a match here is stale."""

    def __init__(
        self,
        store: EventStore,
        codec: Codec,
        capacity: int = DEFAULT_CAPACITY,
        measures: Callable[[str], bool] = lambda _: True,
    ) -> None:
        """`capacity`: how many matches are kept; those in use are never dropped.

        `measures`: whether this process is the one that measures a match, should it be measured.
        """
        self._store = store
        self._codec = codec
        self._capacity = capacity
        self._measures = measures
        self._live: OrderedDict[str, LiveMatch] = OrderedDict()
        self._closed: OrderedDict[str, LiveMatch] = OrderedDict()

    async def get(self, match_id: str) -> LiveMatch | MatchNotFound | CorruptMatch | Rewound | StoreAway:
        """A match, from memory or read whole."""
        for kept in (self._live, self._closed):
            live = kept.get(match_id)
            if live is not None:
                kept.move_to_end(match_id)
                return live
        live = LiveMatch(match_id)
        async with live.lock:
            fault = await self._read_on(live)
        if fault is not None:
            return fault
        if live.head.sequence == 0:
            return MatchNotFound(match_id)
        # Somebody may have read it meanwhile: one match is one object, since its lock orders the writers.
        return self.keep(live)

    async def current(self, match_id: str) -> LiveMatch | MatchNotFound | CorruptMatch | Rewound | StoreAway:
        """A match with everything that is stored of it by now; takes its lock."""
        live = await self.get(match_id)
        if not isinstance(live, LiveMatch):
            return live
        async with live.lock:
            return await self.refresh(live) or live

    def keep(self, live: LiveMatch) -> LiveMatch:
        """Takes in a match that was just created or read, and gives the one to use."""
        match_id = live.match_id
        known = self._live.get(match_id) or self._closed.get(match_id)
        if known is not None:
            return known
        if live.match.status is Status.CLOSED:
            self.retire(live)
        else:
            self._live[match_id] = live
            self._make_room(live)
        return live

    def retire(self, live: LiveMatch) -> None:
        """Takes note that a match is closed: of these a few are kept, the latest."""
        self._live.pop(live.match_id, None)
        self._closed[live.match_id] = live
        self._closed.move_to_end(live.match_id)
        while len(self._closed) > CLOSED_KEPT:
            self._closed.popitem(last=False)

    def forget(self, match_id: str) -> None:
        """Drops a match that no longer agrees with the store; it is read anew when asked for."""
        self._live.pop(match_id, None)
        self._closed.pop(match_id, None)

    async def refresh(self, live: LiveMatch) -> CorruptMatch | Rewound | StoreAway | None:
        """Reads what others have appended. The caller holds the match's lock."""
        fault = await self._read_on(live)
        if isinstance(fault, CorruptMatch | Rewound):
            self.forget(live.match_id)
        elif live.match.status is Status.CLOSED:
            self.retire(live)
        return fault

    async def _read_on(self, live: LiveMatch) -> CorruptMatch | Rewound | StoreAway | None:
        seen = live.head
        recorded = await self._store.read(live.match_id, seen.sequence)
        if isinstance(recorded, Unreadable):
            return StoreAway(recorded.cause)
        if recorded.head is None:
            if recorded.events:
                return CorruptMatch(1, "there are events and no head record")
            return None if seen.sequence == 0 else Rewound(seen.sequence, seen.hash)
        if recorded.head.sequence < seen.sequence:
            return Rewound(seen.sequence, seen.hash)
        fault = take_in(live, recorded.events, self._codec)
        if fault is not None:
            return fault
        if live.head.sequence != recorded.head.sequence:
            missing = live.head.sequence + 1
            return CorruptMatch(missing, f"event {missing} is missing; the head record is at {recorded.head.sequence}")
        if live.head.hash != recorded.head.hash:
            if not recorded.events:
                return Rewound(seen.sequence, seen.hash)
            return CorruptMatch(live.head.sequence, "the head record has another hash than the last event")
        return None

    def _make_room(self, newest: LiveMatch) -> None:
        excess = len(self._live) - self._capacity
        if excess <= 0:
            return
        idle = (match_id for match_id, live in self._live.items() if live is not newest and not self._is_in_use(live))
        for match_id in tuple(islice(idle, excess)):
            del self._live[match_id]

    def _is_in_use(self, live: LiveMatch) -> bool:
        """Whether something is under way, or what is known of it here, since when its clocks run, would be lost."""
        if live.lock.locked() or live.pending is not None:
            return True
        is_measured = live.terms().is_measured and live.match.status is not Status.SEATING
        return is_measured and self._measures(live.match_id)
