"""The matches in memory: read when first asked for, kept while there is room, brought up to date on need."""

from collections import OrderedDict
from collections.abc import Callable
from itertools import islice

from gammon_match.app.checkpoints import Checkpointing
from gammon_match.app.codec import Codec
from gammon_match.app.live_match import LiveMatch
from gammon_match.app.match_log import LogFault, MatchLog
from gammon_match.app.ports import EventStore
from gammon_match.app.spans import Earlier, Span, Spans
from gammon_match.core.events import Status
from gammon_match.core.refusals import CorruptMatch, MatchNotFound, Rewound

DEFAULT_CAPACITY = 4096
# Closed matches are only read, and most are read for the last time soon after: repeated requests and the audit.
CLOSED_KEPT = 32


class LiveMatches:
    """A cache of folded matches. The store is the truth: an append there fails when a match here is stale."""

    def __init__(
        self,
        store: EventStore,
        codec: Codec,
        checkpointing: Checkpointing,
        capacity: int = DEFAULT_CAPACITY,
        measures: Callable[[str], bool] = lambda _: True,
    ) -> None:
        """`capacity`: how many matches are kept; those in use are never dropped.

        `measures`: whether this process is the one that measures a match, should it be measured.
        """
        self._log = MatchLog(store, codec, checkpointing)
        self._checkpointing = checkpointing
        self._capacity = capacity
        self._measures = measures
        self._live: OrderedDict[str, LiveMatch] = OrderedDict()
        self._closed: OrderedDict[str, LiveMatch] = OrderedDict()

    async def get(self, match_id: str) -> LiveMatch | MatchNotFound | LogFault:
        """A match, from memory, or read from its last checkpoint on, or read whole."""
        for kept in (self._live, self._closed):
            live = kept.get(match_id)
            if live is not None:
                kept.move_to_end(match_id)
                return live
        read = await self._log.load(match_id)
        if not isinstance(read, LiveMatch):
            return read
        if read.head.sequence == 0:
            return MatchNotFound(match_id)
        # Somebody may have read it meanwhile: one match is one object, since its lock orders the writers.
        return self.keep(read)

    async def current(self, match_id: str) -> LiveMatch | MatchNotFound | LogFault:
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

    def went_on(self, live: LiveMatch) -> None:
        """Takes note that what this process stored was folded on."""
        self._checkpointing.went_on(live)
        if live.match.status is Status.CLOSED:
            self.retire(live)

    async def span_of(self, live: LiveMatch, request_id: str) -> Span | LogFault | None:
        """The batch of a request; None: it has none. The caller holds the match's lock."""
        return await self._looked_up(live, lambda spans: spans.of_request(request_id))

    async def span_at(self, live: LiveMatch, sequence: int) -> Span | LogFault | None:
        """The last batch that ends at or before a sequence; None: none does. The caller holds the match's lock."""
        return await self._looked_up(live, lambda spans: spans.ending_by(sequence))

    async def make_whole(self, live: LiveMatch) -> LogFault | None:
        """Learns of all batches of a match, if it was read from a checkpoint on. The caller holds the match's lock."""
        if live.spans.is_whole:
            return None
        fault = await self._log.read_whole(live)
        if isinstance(fault, CorruptMatch | Rewound):
            self.forget(live.match_id)
        return fault

    async def refresh(self, live: LiveMatch) -> LogFault | None:
        """Reads what others have appended. The caller holds the match's lock."""
        fault = await self._log.read_on(live)
        if isinstance(fault, CorruptMatch | Rewound):
            self.forget(live.match_id)
        elif live.match.status is Status.CLOSED:
            self.retire(live)
        return fault

    async def _looked_up(
        self, live: LiveMatch, look: Callable[[Spans], Span | Earlier | None]
    ) -> Span | LogFault | None:
        found = look(live.spans)
        if isinstance(found, Earlier):
            fault = await self.make_whole(live)
            if fault is not None:
                return fault
            found = look(live.spans)
            assert not isinstance(found, Earlier), "all batches of the match are known now"
        return found

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
