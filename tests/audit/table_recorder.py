"""A second hand that also records preferences, what the service does by them, and take-backs by consent."""

from dataclasses import dataclass, field

from tests.audit.recorder import Recorder, seat_actor

from gammon.match.v1 import events_pb2, settings_pb2
from gammon_engine.referee import OnlyChoice, only_choice
from gammon_engine.referee import actions as act

SYSTEM = events_pb2.Actor(system=events_pb2.SystemActor())


def acts_for(seat: int, reason: events_pb2.SystemReason.ValueType) -> events_pb2.Envelope:
    """The service says what it does for a seat, and why."""
    return events_pb2.Envelope(acted_by_system=events_pb2.ActedBySystem(seat=seat, reason=reason))


def proposes(seat: int, to_sequence: int) -> events_pb2.Envelope:
    """A seat proposes to go back."""
    said = events_pb2.TakeBackProposed(seat=seat, to_sequence=to_sequence)
    return events_pb2.Envelope(take_back_proposed=said)


def answers(seat: int, accepted: bool) -> events_pb2.Envelope:
    """A seat consents, or not."""
    envelope = events_pb2.Envelope()
    envelope.take_back_answered.seat, envelope.take_back_answered.accepted = seat, accepted
    envelope.take_back_answered.SetInParent()
    return envelope


def goes_back(to_sequence: int) -> events_pb2.Envelope:
    """The match goes back by consent."""
    return events_pb2.Envelope(taken_back=events_pb2.TakenBack(to_sequence=to_sequence, by_consent=True))


@dataclass
class TableRecorder(Recorder):
    """Records them as the rules of the contract say; `batch` records anything. `wanted`: the preferences by seat."""

    wanted: dict[int, settings_pb2.SeatPreferences] = field(default_factory=dict)

    def prefer(self, seat: int, *, roll: bool = False, play: bool = False) -> int:
        """A seat says what the service may do for it."""
        wanted = settings_pb2.SeatPreferences(roll_without_choice=roll, play_forced=play)
        self.wanted[seat] = wanted
        said = events_pb2.PreferencesSet(seat=seat, preferences=wanted)
        return self.batch(seat_actor(seat), [events_pb2.Envelope(preferences_set=said)])

    def by_itself(self) -> int:
        """The service does the only thing that the seat on turn can do."""
        choice = only_choice(self.rules, self.now)
        assert choice is not None
        if choice.play is None:
            return self.batch(
                SYSTEM, [acts_for(choice.seat, events_pb2.SYSTEM_REASON_NO_DOUBLE), *self.thrown(choice.seat)]
            )
        word = acts_for(choice.seat, events_pb2.SYSTEM_REASON_FORCED)
        played = self.ruled(act.MakePlay(choice.seat, choice.play))
        return self.batch(SYSTEM, [word, *played, *self.closing()])

    def play_on(self, turns: int) -> None:
        """So many batches; what there is no choice in, the service does for those who want it."""
        for _ in range(turns):
            choice = only_choice(self.rules, self.now)
            if choice is not None and self._lets(choice):
                self.by_itself()
            else:
                self.play(1)

    def _lets(self, choice: OnlyChoice) -> bool:
        wanted = self.wanted.get(choice.seat, settings_pb2.SeatPreferences())
        return wanted.roll_without_choice if choice.play is None else wanted.play_forced

    def go_back(self, to_sequence: int) -> int:
        """All seats but 0 consent to what seat 0 proposes."""
        self.batch(seat_actor(0), [proposes(0, to_sequence)])
        *others, last = range(1, self.rules.seats)
        for seat in others:
            self.batch(seat_actor(seat), [answers(seat, accepted=True)])
        self.state = self.states[to_sequence]
        return self.batch(seat_actor(last), [answers(last, accepted=True), goes_back(to_sequence)])
