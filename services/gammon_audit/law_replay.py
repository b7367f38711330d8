"""The law replayed event by event: dice as the state asks for them, facts as the referee gives them, take-backs."""

from collections import deque

from gammon.match.v1 import events_pb2, settings_pb2
from gammon.rules.v1 import fact_pb2
from gammon_audit.acting import actor_fault, asker_fault, is_directed, reason_fault
from gammon_audit.acting_for import ActingFor
from gammon_audit.claims import claim_fault, in_words
from gammon_audit.consenting import Consenting
from gammon_audit.envelopes import Agreed, Parsed
from gammon_audit.implied_action import implied_action
from gammon_audit.table_replay import KINDS as TABLE_KINDS
from gammon_audit.table_replay import TableReplay
from gammon_engine.referee import begin, rule
from gammon_engine.referee.actions import Action, Open, RecordPlay, RollDice
from gammon_engine.referee.facts import GameEnded
from gammon_engine.referee.state import Phase, State
from gammon_engine.violation import Violation
from gammon_wire.facts import fact_to_proto
from gammon_wire.summary import summary_to_proto


class LawReplay:
    """Folds the events of one match; every method says what is wrong, empty if nothing is.

    `state`: the referee's, None before the match starts. `draws` and `rulings` count.
    """

    def __init__(self, agreed: Agreed) -> None:
        """Starts before the first event of a match with these settings."""
        self.state: State | None = None
        self.draws = 0
        self.rulings = 0
        self._agreed = agreed
        self._asked: events_pb2.DrawRequested | None = None
        # Facts that the last ruling gives and that must follow.
        self._due: deque[fact_pb2.Fact] = deque()
        # The state at each batch end that was not taken back.
        self._ends: dict[int, State] = {}
        self._closed = False
        self._table = TableReplay(agreed)
        # A director has ruled, and what came of it must follow.
        self._directed = False
        self._acting_for = ActingFor()
        self._consenting = Consenting(agreed)

    def take_in(self, event: Parsed) -> str:
        """Takes in one more event, and compares the claims at the end of its batch."""
        envelope = event.envelope
        fault = self._event_fault(event)
        if fault or not envelope.HasField("batch_end"):
            return fault
        return self._end_fault(event.sequence, envelope.batch_end)

    def unfinished(self) -> str:
        """What the law still wants when the last event has been taken in."""
        if self._due:
            return f"the law goes on with {in_words(self._due[0])}"
        if self._directed:
            return "a director ruled, and nothing came of it"
        if self._acting_for.begun is not None:
            return f"the service acts for seat {self._acting_for.begun.seat}, and does nothing"
        if self._consenting.by_all:
            return "all seats consent to a take-back, and nothing is taken back"
        return f"draw {self._asked.draw} was asked for and not made" if self._asked is not None else ""

    def _event_fault(self, event: Parsed) -> str:
        envelope = event.envelope
        self._acting_for.take_in(event)
        match event.kind:
            case "fact":
                return self._fact(envelope)
            case "draw_requested":
                return self._draw_requested(envelope)
            case "dice_drawn":
                return self._dice_drawn(envelope)
            case "match_started":
                if self.state is not None:
                    return "the match has started already"
                self.state = begin(self._agreed.rules)
                self._table.played(None, ends_moves=True)
            case "match_closed":
                return self._match_closed(envelope.match_closed)
            case "director_ruled":
                return self._director_ruled(envelope)
            case "taken_back":
                return self._taken_back(envelope)
            case "take_back_proposed" | "take_back_answered":
                return self._said_of_taking_back(event)
            case "acted_by_system":
                return self._acted_by_system(envelope)
            case "player_replaced":
                return self._player_replaced(envelope)
            case "match_created" | "seat_taken" | "preferences_set" | "record_claimed" | "":
                pass
            case kind if kind in TABLE_KINDS:
                return self._around_the_play(envelope)
            case other:
                return f"this auditor cannot judge the event {other}"
        return ""

    def _player_replaced(self, envelope: events_pb2.Envelope) -> str:
        if self._amid:
            return "a player is replaced in the middle of something else"
        self._consenting.end()
        self._table.replaced(envelope.player_replaced.seat)
        return ""

    def _around_the_play(self, envelope: events_pb2.Envelope) -> str:
        if self._due or self._asked is not None or self._directed:
            return "time is told of in the middle of something else"
        return self._table.take_in(envelope, self.state)

    @property
    def _amid(self) -> bool:
        """Whether something has begun that is not done yet."""
        begun = self._asked is not None or self._directed or self._acting_for.begun is not None
        return begun or bool(self._due) or self._consenting.by_all

    @property
    def _over(self) -> bool:
        return self.state is not None and self.state.phase is Phase.OVER

    def _draw_requested(self, envelope: events_pb2.Envelope) -> str:
        asked = envelope.draw_requested
        seat = asked.seat if asked.HasField("seat") else None
        for_seat = self._acting_for.begun is not None
        fault = self._acting_for.throws(seat)
        if fault:
            return fault
        if self.state is None or self._amid:
            return "dice are asked for in the middle of something else"
        fault = self._table.play_fault(envelope.actor)
        if fault:
            return fault
        if asked.draw != self.draws + 1:
            return f"draw {asked.draw} does not follow draw {self.draws}"
        self.draws = asked.draw
        needed = summary_to_proto(self.state).draw
        if asked.count != needed.count or asked.purpose != needed.purpose:
            return f"{asked.count} dice for purpose {asked.purpose} are asked for, the law wants {needed.count}"
        if seat is None and not needed.at_once:
            return "these dice are thrown when a seat asks for them"
        if seat is not None and seat not in needed.seats:
            return f"seat {seat} may not ask for these dice"
        self._asked = asked
        return "" if for_seat else asker_fault(envelope.actor, seat, self._agreed.imported)

    def _dice_drawn(self, envelope: events_pb2.Envelope) -> str:
        drawn = envelope.dice_drawn
        asked, state = self._asked, self.state
        if asked is None or state is None or drawn.draw != asked.draw:
            return f"nobody asked for draw {drawn.draw}"
        self._asked = None
        faces = tuple(drawn.faces)
        if len(faces) != asked.count or any(not 1 <= face <= 6 for face in faces):
            return f"the faces {list(faces)[:8]} are not those of {asked.count} dice"
        if drawn.source != self._agreed.dice:
            return f"the dice come from source {drawn.source}, agreed was {self._agreed.dice}"
        if (drawn.epoch or drawn.contributions) and drawn.source != settings_pb2.DICE_SOURCE_BGD1:
            return "seats contribute only to dice of BGD1"
        opening = state.phase is Phase.OPENING
        return self._rule(Open(faces) if opening else RollDice(asked.seat, (faces[0], faces[1])))

    def _fact(self, envelope: events_pb2.Envelope) -> str:
        stored = envelope.fact
        if self.state is None or self._asked is not None or self._consenting.by_all:
            return "nothing can happen here"
        if not self._due:
            action = implied_action(stored, self.state)
            if isinstance(action, str):
                return action
            if isinstance(action, RecordPlay) and not self._agreed.imported:
                return "an illegal play stands only in a record of a match played elsewhere"
            for_seat = self._acting_for.begun is not None
            fault = self._acting_for.acts(action)
            lapse = None if self._agreed.imported else self._table.lapse_fault(action)
            if not fault and lapse is not None:
                fault = lapse
            elif not fault:
                fault = self._table.play_fault(envelope.actor)
                if not fault and not for_seat:
                    fault = actor_fault(envelope.actor, action, self._agreed.imported)
            if not fault and self._directed != is_directed(envelope.actor, action, self._agreed.imported):
                fault = "a director ruled, and this is no ruling" if self._directed else "a ruling has no reason"
            if fault:
                return fault
            self._directed = False
            fault = self._rule(action)
            if fault:
                return fault
        expected = self._due.popleft()
        return "" if stored == expected else f"stored is {in_words(stored)}; the law gives {in_words(expected)}"

    def _rule(self, action: Action) -> str:
        assert self.state is not None
        ruling = rule(self._agreed.rules, self.state, action)
        if isinstance(ruling, Violation):
            return f"rule {ruling.rule}: {ruling.reason}"
        try:
            self._due.extend(map(fact_to_proto, ruling.facts))
        except ValueError:
            # The law has no bound (6.2), the contract's numbers have.
            return "the stake is beyond what can be recorded"
        self.state = ruling.state
        self.rulings += 1
        self._table.played(action, ends_moves=any(isinstance(fact, GameEnded) for fact in ruling.facts))
        self._consenting.end()
        return ""

    def _acted_by_system(self, envelope: events_pb2.Envelope) -> str:
        if self._amid:
            return "the service acts for a seat in the middle of something else"
        return self._acting_for.begin(envelope, self._agreed.rules, self.state)

    def _said_of_taking_back(self, event: Parsed) -> str:
        if self._amid:
            return "a seat speaks of taking back in the middle of something else"
        if event.kind == "take_back_proposed":
            return self._consenting.propose(event.envelope, self._ends)
        return self._consenting.answer(event.envelope)

    def _director_ruled(self, envelope: events_pb2.Envelope) -> str:
        if self._amid:
            return "a director rules in the middle of something else"
        if self._agreed.imported or not envelope.actor.HasField("operator"):
            return "only an operator directs a match, and only one that is played here"
        self._directed = True
        return reason_fault(envelope.director_ruled.reason)

    def _match_closed(self, closed: events_pb2.MatchClosed) -> str:
        self._closed = True
        if (closed.reason == events_pb2.CLOSE_REASON_PLAYED) != self._over:
            return "a match is closed as played when, and only when, it is over"
        if (closed.reason == events_pb2.CLOSE_REASON_OPERATOR) != self._directed:
            return "a director's closing has a reason, and no other has"
        self._directed = False
        return ""

    def _taken_back(self, envelope: events_pb2.Envelope) -> str:
        """Rule 8.5: the state of an earlier batch end holds again; the draw counter goes on."""
        back = envelope.taken_back
        if self._amid and not back.by_consent:
            return "something is taken back in the middle of something else"
        state = self._ends.get(back.to_sequence)
        if state is None:
            return f"event {back.to_sequence} ends no batch of play that stands, to go back to"
        if self._agreed.imported:
            return "nothing is taken back in a match played elsewhere"
        if back.by_consent:
            fault = self._consenting.take_back(envelope)
            if fault:
                return fault
        elif not envelope.actor.HasField("operator"):
            return "without consent only an operator takes back"
        else:
            fault = reason_fault(back.reason)
            if fault:
                return fault
        # What was taken back stays on record, and nothing goes back to it.
        self._ends = {sequence: end for sequence, end in self._ends.items() if sequence <= back.to_sequence}
        self.state = state
        self._table.played(None, ends_moves=True)
        self._consenting.end()
        return ""

    def _end_fault(self, sequence: int, end: events_pb2.BatchEnd) -> str:
        fault = self.unfinished()
        if fault:
            return f"the batch ends, and {fault}"
        if end.draws != self.draws:
            return f"the batch claims {end.draws} draws, there were {self.draws}"
        if self._over and not self._closed:
            return "the match is over and not closed"
        fault = self._table.at_end(self.state)
        if fault:
            return fault
        if self.state is not None:
            self._ends[sequence] = self.state
        return claim_fault(end, self._agreed.rules, self.state)
