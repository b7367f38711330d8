"""What a player lets the service do for their seat, set at any time before the match is closed."""

from dataclasses import dataclass

from gammon_match.app.deciding import NOTHING_SEEN, Decider, seat_answered_before
from gammon_match.app.live_match import LiveMatch
from gammon_match.app.ports import DurabilityLevel
from gammon_match.app.recording import Recorder
from gammon_match.app.writing import Writing, Written
from gammon_match.core.events import Seated
from gammon_match.core.refusals import Refusal
from gammon_match.core.table_events import Preferences, PreferencesSet


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

    def __init__(self, decider: Decider, recorder: Recorder) -> None:
        """Builds the handler on what decides, and the recorder."""
        self._decider = decider
        self._recorder = recorder

    async def __call__(self, command: SetPreferences) -> Written | Refusal:
        """The event, stored now or before, or why there is none."""
        return await self._decider.decide(
            command.match_id, NOTHING_SEEN, lambda live, level: self._attempt(live, command, level)
        )

    async def _attempt(self, live: LiveMatch, command: SetPreferences, level: DurabilityLevel) -> Written | Refusal:
        answer = await seat_answered_before(self._recorder, live, NOTHING_SEEN, command, level)
        if answer is not None:
            return answer
        said = (PreferencesSet(command.seat, command.preferences),)
        end = live.match.unchanged(command.digest)
        return await self._recorder.write(live, Writing(Seated(command.seat), command.request_id, said, end), level)
