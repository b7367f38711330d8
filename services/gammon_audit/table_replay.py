"""What happens around the play: pauses with their budgets, absences, and the claims of a lapse."""

from collections.abc import Sequence

from google.protobuf.duration_pb2 import Duration

from gammon.match.v1 import events_pb2
from gammon_audit.acting import RULINGS, reason_fault
from gammon_audit.clock_replay import ClockReplay, nanoseconds
from gammon_audit.envelopes import Agreed
from gammon_engine.referee.actions import Accept, Action, Decline, Lapse, OfferNoResult, Resign, Settle, Withdraw
from gammon_engine.referee.state import Phase, State
from gammon_wire.summary import summary_to_proto

# To offer the end of a game, and to answer that, is no move.
OFFERS = (Resign, Settle, OfferNoResult, Withdraw, Accept, Decline)
KINDS = frozenset({"clock_stamped", "flag_fell", "absence_timed", "match_paused", "match_resumed", "pause_asked"})


class TableReplay:
    """Folds these events of one match; every method says what is wrong, empty if nothing is."""

    def __init__(self, agreed: Agreed) -> None:
        """Starts before the first event of a match with these settings."""
        terms = agreed.message.absence
        self._seats = range(agreed.rules.seats)
        self._is_imported = agreed.imported
        self._times_absence = terms.HasField("abandonment")
        self._budgets = [nanoseconds(terms.pause_budget)] * agreed.rules.seats
        self._has_budgets = self._budgets[0] > 0
        self._clock = ClockReplay(agreed)
        self._pause: events_pb2.MatchPaused | None = None
        self._was_paused = False
        self._asking: set[int] = set()
        self._absent: set[int] = set()
        self._lapse_of: int | None = None
        # What has become of play in this batch, and by which seat's own act.
        self._played = self._ends_moves = False
        self._mover: int | None = None

    @property
    def is_paused(self) -> bool:
        """Whether play waits for the end of a pause."""
        return self._pause is not None

    def take_in(self, envelope: events_pb2.Envelope, state: State | None) -> str:
        """Takes in one more of these events."""
        if state is None or self._is_imported:
            return "time and pauses are of a match that is being played here"
        actor = envelope.actor
        if self._lapse_of is not None:
            return f"seat {self._lapse_of} has to lapse first"
        match envelope.WhichOneof("event"):
            case "clock_stamped":
                return self._clock.stamp(
                    envelope.clock_stamped,
                    deciding(state),
                    self._mover,
                    played=self._played,
                    ends_moves=self._ends_moves,
                    offered=state.phase in (Phase.RESIGNING, Phase.SETTLING),
                    paused=self._was_paused,
                )
            case "flag_fell":
                self._lapse_of = envelope.flag_fell.seat
                return self._paused_fault() or self._clock.flag(envelope.flag_fell, actor)
            case "absence_timed":
                return self._absence(envelope.absence_timed, actor, state)
            case "match_paused":
                return self._paused(envelope.match_paused, actor)
            case "match_resumed":
                return self._resumed(envelope.match_resumed, actor)
            case _:
                return self._asked(envelope.pause_asked, actor)

    def replaced(self, seat: int) -> None:
        """Another player holds a seat, and has not asked for anything yet."""
        self._asking.discard(seat)

    def played(self, action: Action | None, *, ends_moves: bool) -> None:
        """Play has gone on by an action, or has begun or gone back (None); `ends_moves`: nobody's move goes on."""
        self._played = True
        self._ends_moves |= ends_moves
        if action is not None and not isinstance(action, (*RULINGS, *OFFERS)):
            self._mover = getattr(action, "seat", None)

    def play_fault(self, actor: events_pb2.Actor) -> str:
        """Why nothing of play can happen now; a director rules during a pause too."""
        return "" if actor.HasField("operator") else self._paused_fault()

    def lapse_fault(self, action: object) -> str | None:
        """Why this is no lapse that a fallen flag or a claim leads to; None: none was due, and this is none."""
        expected, self._lapse_of = self._lapse_of, None
        if not isinstance(action, Lapse):
            return None if expected is None else f"seat {expected} has to lapse first"
        if expected is None:
            return "a seat lapses by its clock or its absence"
        return "" if action.seat == expected else f"seat {expected} has to lapse, not seat {action.seat}"

    def at_end(self, state: State | None) -> str:
        """Judges a batch at its end."""
        self._was_paused = self.is_paused
        self._played, self._ends_moves, self._mover = False, False, None
        if self._lapse_of is not None:
            return f"seat {self._lapse_of} has to lapse"
        gone = sorted(self._absent - set(deciding(state))) if state is not None else []
        if gone and state is not None and state.phase is not Phase.OVER:
            return f"the absence of seat {gone[0]} is timed, and play does not wait for it"
        return self._clock.at_end(started=state is not None)

    def _paused_fault(self) -> str:
        return "the match is paused" if self.is_paused else ""

    def _absence(self, timed: events_pb2.AbsenceTimed, actor: events_pb2.Actor, state: State) -> str:
        seat = timed.seat
        if not self._times_absence:
            return "nothing was agreed about absence"
        match timed.change:
            case events_pb2.ABSENCE_CHANGE_STARTED:
                if seat in self._absent or seat not in deciding(state) or not actor.HasField("system"):
                    return f"the absence of seat {seat} is timed by the service, once, when play waits for it"
                self._absent.add(seat)
                return self._paused_fault()
            case events_pb2.ABSENCE_CHANGE_STOPPED if seat in self._absent:
                self._absent.discard(seat)
                return ""
            case events_pb2.ABSENCE_CHANGE_CLAIMED if seat in self._absent:
                self._absent.discard(seat)
                self._lapse_of = seat
                claims = actor.HasField("seat") and actor.seat == timed.claimed_by != seat
                fault = "" if claims else "an absence is claimed by another seat, which says so itself"
                return fault or self._paused_fault()
        return f"the absence of seat {seat} was not timed"

    def _paused(self, paused: events_pb2.MatchPaused, actor: events_pb2.Actor) -> str:
        before, self._pause = self._pause, paused
        fault = self._budget_fault(paused.budgets, before)
        asking, self._asking = self._asking, set()
        if fault:
            return fault
        if before is not None and not before.HasField("seat") and not (before.mutual and actor.HasField("operator")):
            return "the match is paused already"
        if paused.mutual:
            wanting = asking | ({before.seat} if before is not None else set())
            return "" if wanting >= set(self._seats) else "not all seats want this pause"
        if not paused.HasField("seat"):
            if not actor.HasField("operator"):
                return "only an operator pauses for nobody"
            return reason_fault(paused.reason)
        if before is not None or not actor.HasField("seat") or actor.seat != paused.seat:
            return f"seat {paused.seat} pauses for itself, when the match is not paused"
        return "" if self._budgets[paused.seat] > 0 else f"seat {paused.seat} has nothing left to pause"

    def _resumed(self, resumed: events_pb2.MatchResumed, actor: events_pb2.Actor) -> str:
        before, self._pause, self._asking = self._pause, None, set()
        if before is None:
            return "the match was not paused"
        fault = self._budget_fault(resumed.budgets, before)
        if fault:
            return fault
        if actor.HasField("operator"):
            return reason_fault(resumed.reason)
        if before.mutual:
            return "" if actor.HasField("seat") else "a pause that all wanted is ended by a seat"
        if not before.HasField("seat"):
            return "only an operator ends an operator's pause"
        if actor.HasField("system"):
            spent = self._budgets[before.seat] == 0
            return "" if spent else "the service ends a pause when nothing is left of it"
        return "" if actor.seat == before.seat else f"seat {before.seat} ends its pause itself"

    def _asked(self, asked: events_pb2.PauseAsked, actor: events_pb2.Actor) -> str:
        if not actor.HasField("seat") or actor.seat != asked.seat:
            return f"seat {asked.seat} asks for a pause itself"
        if asked.withdrawn != (asked.seat in self._asking):
            return f"seat {asked.seat} " + ("did not ask for a pause" if asked.withdrawn else "asks already")
        self._asking ^= {asked.seat}
        return ""

    def _budget_fault(self, told: Sequence[Duration], before: events_pb2.MatchPaused | None) -> str:
        """What remains of the budgets: only of the seat that paused it becomes less."""
        budgets = [nanoseconds(duration) for duration in told]
        if len(budgets) != (len(self._budgets) if self._has_budgets else 0):
            return "what remains for pauses is told of each seat, where it was agreed"
        spender = before.seat if before is not None and before.HasField("seat") else None
        for seat, (old, new) in enumerate(zip(self._budgets, budgets, strict=False)):
            if new < 0 or new > old or (new != old and seat != spender):
                return f"what seat {seat} may pause changed, and no pause of it explains that"
        self._budgets = budgets or self._budgets
        return ""


def deciding(state: State | None) -> tuple[int, ...]:
    """Whose own decision play waits for; nobody's alone where any of several may throw."""
    if state is None or state.phase is Phase.OVER:
        return ()
    told = summary_to_proto(state)
    return () if told.HasField("draw") and len(told.draw.seats) > 1 else tuple(told.seats_to_act)
