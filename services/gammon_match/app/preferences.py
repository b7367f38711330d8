"""What a player lets the service do for their seat, set at any time before the match is closed."""

from dataclasses import dataclass

from gammon_match.app.automatic import AutomaticActs
from gammon_match.app.deciding import answered_before, decide_at_head
from gammon_match.app.live_match import LiveMatch
from gammon_match.app.live_matches import LiveMatches
from gammon_match.app.ports import DurabilityLevel, Head
from gammon_match.app.recording import Recorder
from gammon_match.app.writing import Writing, Written
from gammon_match.core.events import Seated
from gammon_match.core.refusals import DurabilityNotOffered, NotYourSeat, Refusal
from gammon_match.core.table_events import Preferences, PreferencesSet

# Preferences are no decision on what was seen.
ANYTHING = Head(0, b"")


@dataclass(frozen=True, slots=True)
class SetPreferences:
    """A request to set a seat's preferences."""

    match_id: str
    player: str
    seat: int
    request_id: str
    preferences: Preferences
    digest: bytes


class SetPreferencesHandler:
    """Sets preferences."""

    def __init__(self, live: LiveMatches, recorder: Recorder, automatic: AutomaticActs) -> None:
        """Builds the handler on the matches in memory, the recorder, and what follows by itself."""
        self._live = live
        self._recorder = recorder
        self._automatic = automatic

    async def __call__(self, command: SetPreferences) -> Written | Refusal:
        """The event, stored now or before, or why there is none."""
        level = self._recorder.level(None)
        if isinstance(level, DurabilityNotOffered):
            return level
        live = await self._live.get(command.match_id)
        if not isinstance(live, LiveMatch):
            return live
        outcome = await decide_at_head(
            self._live, self._recorder, live, ANYTHING, lambda: self._attempt(live, command, level)
        )
        if isinstance(outcome, Written):
            await self._automatic.run(live)
        return outcome

    async def _attempt(self, live: LiveMatch, command: SetPreferences, level: DurabilityLevel) -> Written | Refusal:
        holder = live.match.holder(command.seat)
        if holder is None or holder.player != command.player:
            return NotYourSeat(command.seat)
        answer = await answered_before(self._recorder, live, ANYTHING, command.request_id, command.digest, level)
        if answer is not None:
            return answer
        said = (PreferencesSet(command.seat, command.preferences),)
        end = live.match.unchanged(command.digest)
        return await self._recorder.write(live, Writing(Seated(command.seat), command.request_id, said, end), level)
