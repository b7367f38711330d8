"""Reading a match, as it stands or as it stood at the end of a batch, and reading its events unjudged."""

from dataclasses import dataclass

from gammon_match.app.codec import Codec
from gammon_match.app.live_match import LiveMatch, take_in
from gammon_match.app.live_matches import LiveMatches
from gammon_match.app.ports import EventStore, Recorded, Unreadable
from gammon_match.core.refusals import MatchNotFound, NoBatchEnd, Refusal, StoreAway


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads."""

    store: EventStore
    live: LiveMatches
    codec: Codec

    async def match(self, match_id: str, at_sequence: int = 0) -> LiveMatch | Refusal:
        """The match at the end of a batch; 0: as it stands."""
        if at_sequence:
            return await self._match_at(match_id, at_sequence)
        live = await self.live.get(match_id)
        if not isinstance(live, LiveMatch):
            return live
        async with live.lock:
            fault = await self.live.refresh(live)
        return live if fault is None else fault

    async def _match_at(self, match_id: str, at_sequence: int) -> LiveMatch | Refusal:
        recorded = await self.store.read(match_id, 0, at_sequence)
        match recorded:
            case Unreadable(cause):
                return StoreAway(cause)
            case Recorded(head=None):
                return MatchNotFound(match_id)
        then = LiveMatch(match_id)
        fault = take_in(then, recorded.events, self.codec)
        if fault is not None:
            return fault
        if then.head.sequence != at_sequence or then.match.batch_sequence != at_sequence:
            return NoBatchEnd(at_sequence)
        return then

    async def events(self, match_id: str, after: int, limit: int) -> Recorded | Refusal:
        """Stored events and the head record, gaps included."""
        recorded = await self.store.read(match_id, after, limit)
        match recorded:
            case Unreadable(cause):
                return StoreAway(cause)
            case Recorded(events, head) if head is None and not events:
                return MatchNotFound(match_id)
        return recorded
