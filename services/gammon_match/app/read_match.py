"""Reading a match, as it stands or as it stood at the end of a batch, and reading its events unjudged."""

from dataclasses import dataclass

from gammon_match.app.codec import Codec
from gammon_match.app.live_match import LiveMatch, take_in
from gammon_match.app.ports import EventStore, Head, Recorded, Unreadable
from gammon_match.app.seeing import Seeing, seen_of
from gammon_match.app.spans import Span
from gammon_match.core.refusals import CorruptMatch, MatchNotFound, NoBatchEnd, NotToBeSeen, Refusal, StoreAway
from gammon_match.core.sight import CREATION, Viewer


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads, for a viewer, what that viewer may see."""

    store: EventStore
    seeing: Seeing
    codec: Codec

    async def match(self, match_id: str, viewer: Viewer, at_sequence: int = 0) -> LiveMatch | Refusal:
        """The match at the end of a batch; 0: as it stands, or at the last batch end that the viewer may see."""
        if at_sequence and viewer.official:
            return await self._match_at(match_id, at_sequence)
        live = await self.seeing.live.current(match_id)
        if not isinstance(live, LiveMatch):
            return live
        seen = seen_of(viewer, live.match, live.terms())
        if isinstance(seen, NotToBeSeen):
            return seen
        if at_sequence:
            beyond = seen < at_sequence
            return NotToBeSeen(at_sequence) if beyond else await self._match_at(match_id, at_sequence)
        if seen >= live.head.sequence:
            return live
        async with live.lock:
            span = await self.seeing.live.span_at(live, seen)
        if isinstance(span, Span):
            return await self._match_at(match_id, span.last)
        return NotToBeSeen(seen + 1) if span is None else span

    async def as_made(self, live: LiveMatch, viewer: Viewer) -> LiveMatch | Refusal:
        """A match for whoever made it: as it stands or, to a maker who may not see as much, as it was made."""
        seen = seen_of(viewer, live.match, live.terms())
        return live if seen == live.match.batch_sequence else await self._match_at(live.match_id, CREATION)

    async def _match_at(self, match_id: str, at_sequence: int) -> LiveMatch | Refusal:
        recorded = await self.store.read(match_id, 0, at_sequence)
        match recorded:
            case Unreadable(cause):
                return StoreAway(cause)
            case Recorded(head=None):
                return MatchNotFound(match_id)
        then = LiveMatch(match_id, is_past=True)
        fault = take_in(then, recorded.events, self.codec)
        if fault is not None:
            return fault
        if then.head.sequence != at_sequence or then.match.batch_sequence != at_sequence:
            return NoBatchEnd(at_sequence)
        return then

    async def events(self, match_id: str, viewer: Viewer, after: int, limit: int) -> Recorded | Refusal:
        """Stored events and the head record, gaps included; a viewer who may not see all gets the head they may see."""
        seen = await self.seeing.limit(match_id, viewer)
        if isinstance(seen, Refusal):
            return seen
        recorded = await self._recorded(match_id, after, limit)
        if seen is None or not isinstance(recorded, Recorded):
            return recorded
        events = tuple(event for event in recorded.events if event.sequence <= seen)
        if events and events[-1].sequence == seen:
            return Recorded(events, Head(seen, events[-1].hash))
        last = await self._recorded(match_id, seen - 1, 1)
        if not isinstance(last, Recorded):
            return last
        if not last.events or last.events[0].sequence != seen:
            return CorruptMatch(seen, f"event {seen} is missing")
        return Recorded(events, Head(seen, last.events[0].hash))

    async def _recorded(self, match_id: str, after: int, limit: int) -> Recorded | Refusal:
        recorded = await self.store.read(match_id, after, limit)
        match recorded:
            case Unreadable(cause):
                return StoreAway(cause)
            case Recorded(events, head) if head is None and not events:
                return MatchNotFound(match_id)
        return recorded
