"""What a viewer may see of a match that is stored: what reading and listing ask before they show anything."""

from dataclasses import dataclass

from gammon_match.app.codec import Agreed, Codec, Unknown
from gammon_match.app.live_match import LiveMatch
from gammon_match.app.live_matches import LiveMatches
from gammon_match.app.ports import EventStore, Unreadable
from gammon_match.core.events import MatchCreated
from gammon_match.core.match import Match
from gammon_match.core.refusals import CorruptMatch, NotToBeSeen, Refusal
from gammon_match.core.sight import Viewer, seen_up_to
from gammon_match.core.terms import Spectators


def seen_of(viewer: Viewer, match: Match, agreed: Agreed) -> int | NotToBeSeen:
    """The last sequence that a viewer may see of a match under what was agreed about it."""
    sequence = seen_up_to(viewer, match, agreed.spectators, agreed.spectator_delay)
    return NotToBeSeen() if sequence is None else sequence


@dataclass(frozen=True, slots=True)
class Seeing:
    """Brings a match up to date before it is judged what may be seen of it."""

    store: EventStore
    live: LiveMatches
    codec: Codec

    async def limit(self, match_id: str, viewer: Viewer) -> int | Refusal | None:
        """The last sequence of a match's events that a viewer may be shown; None: whatever is stored, sound or not."""
        if viewer.official:
            return None
        live = await self.live.current(match_id)
        if isinstance(live, CorruptMatch):
            # Who might have watched it may have the evidence too; of another it is not known who holds the seats.
            return None if await self._is_open(match_id) else live
        if not isinstance(live, LiveMatch):
            return live
        agreed = live.terms()
        return None if agreed.spectators is Spectators.LIVE else seen_of(viewer, live.match, agreed)

    async def _is_open(self, match_id: str) -> bool:
        recorded = await self.store.read(match_id, 0, 1)
        if isinstance(recorded, Unreadable) or not recorded.events:
            return False
        first = self.codec.decode(recorded.events[0].envelope)
        if isinstance(first, Unknown) or not isinstance(first.event, MatchCreated):
            return False
        agreed = self.codec.read_settings(first.event.settings)
        return isinstance(agreed, Agreed) and agreed.spectators is Spectators.LIVE
