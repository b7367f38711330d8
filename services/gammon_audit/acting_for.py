"""What the service does for a seat: only by a preference the seat had, and only where nothing was left to choose."""

from gammon.match.v1 import events_pb2, settings_pb2
from gammon_audit.envelopes import Parsed
from gammon_engine.referee import only_choice
from gammon_engine.referee.actions import Action, MakePlay
from gammon_engine.referee.state import State
from gammon_engine.settings import Settings

NO_DOUBLE, FORCED = events_pb2.SYSTEM_REASON_NO_DOUBLE, events_pb2.SYSTEM_REASON_FORCED


class ActingFor:
    """Folds the preferences of one match. `begun`: what the service said that it does, and has not done yet."""

    def __init__(self) -> None:
        """Starts before the first event."""
        self.begun: events_pb2.ActedBySystem | None = None
        self._preferences: dict[int, settings_pb2.SeatPreferences] = {}

    def take_in(self, event: Parsed) -> None:
        """Takes in what seats let the service do; a new player has not said anything yet."""
        envelope = event.envelope
        match event.kind:
            case "seat_taken":
                self._preferences[envelope.seat_taken.seat] = envelope.seat_taken.preferences
            case "preferences_set":
                self._preferences[envelope.preferences_set.seat] = envelope.preferences_set.preferences
            case "player_replaced":
                self._preferences.pop(envelope.player_replaced.seat, None)

    def begin(self, envelope: events_pb2.Envelope, rules: Settings, state: State | None) -> str:
        """Takes in that the service acts for a seat in a state: why it may not; empty if it may."""
        said = envelope.acted_by_system
        self.begun = said
        if not envelope.actor.HasField("system"):
            return "only the service acts for a seat by its preference"
        wanted = self._preferences.get(said.seat, settings_pb2.SeatPreferences())
        match said.reason:
            case events_pb2.SYSTEM_REASON_NO_DOUBLE:
                lets, more = wanted.roll_without_choice, "could do more than roll"
            case events_pb2.SYSTEM_REASON_FORCED:
                lets, more = wanted.play_forced, "had more than one play"
            case unknown:
                return f"the service acts for the unknown reason {unknown}"
        if not lets:
            return f"seat {said.seat} does not let the service do that"
        choice = only_choice(rules, state) if state is not None else None
        only = choice is not None and choice.seat == said.seat and (choice.play is None) == (said.reason == NO_DOUBLE)
        return "" if only else f"seat {said.seat} was not on turn, or {more}"

    def throws(self, seat: int | None) -> str:
        """Takes in that dice are asked for: why the service did not say so; empty if it did, or said nothing."""
        return self._does(seat, NO_DOUBLE)

    def acts(self, action: Action) -> str:
        """The same of an action without dice."""
        return self._does(action.seat, FORCED) if isinstance(action, MakePlay) else self._does(None, FORCED)

    def _does(self, seat: int | None, reason: events_pb2.SystemReason.ValueType) -> str:
        said, self.begun = self.begun, None
        if said is None or (said.seat, said.reason) == (seat, reason):
            return ""
        return "the service does something else for a seat than it says"
