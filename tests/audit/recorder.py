"""A second hand that records: matches as they are stored, made with the law and the wire codec alone.

It shares no code with the match service, so that a misreading there and here would have to agree to go unseen; and it
records what that service does not serve yet, such as rulings and take-backs.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from hashlib import sha256
from random import Random

from gammon.match.v1 import events_pb2, settings_pb2
from gammon.rules.v1 import state_pb2
from gammon_audit.record import MatchRecord, RawEvent
from gammon_engine.referee import actions as act
from gammon_engine.referee import begin, rule, summary
from gammon_engine.referee.state import Phase, State
from gammon_engine.referee.summary import Purpose
from gammon_engine.registry import game_of
from gammon_engine.settings import RULES_VERSION, GameId, SessionPlay, Settings
from gammon_engine.violation import Violation
from gammon_proofs.chain import event_hash, genesis_hash
from gammon_wire.facts import fact_to_proto
from gammon_wire.settings import settings_to_proto
from gammon_wire.state import state_to_bytes
from gammon_wire.summary import summary_to_proto

PLAYERS = ("alice", "bob", "carol", "dave")
MATCH_ID = "m_005_RECORDEDBYTHETESTSTHEMSELV"
START_S = 1_800_000_000

Choice = Callable[[State, int], act.Action]


def seat_actor(seat: int) -> events_pb2.Actor:
    """A seat as an actor."""
    return events_pb2.Actor(seat=seat)


OPERATOR = events_pb2.Actor(operator="director")
SYSTEM = events_pb2.Actor(system=events_pb2.SystemActor())


def directed(reason: events_pb2.DirectorReason.ValueType) -> events_pb2.Envelope:
    """A director's word, which comes before what follows from it."""
    return events_pb2.Envelope(director_ruled=events_pb2.DirectorRuled(reason=reason))


@dataclass
class Recorder:
    """Records one match between players who act at random, with dice from a seed.

    `choice`: what a seat does in a state, instead of acting at random. `faces`: the first faces to be thrown. `terms`:
    what else was agreed. Where that is a clock, no time passes but what a test says (`spent`).
    """

    rules: Settings
    seed: int = 1
    imported: bool = False
    choice: Choice | None = None
    faces: Sequence[int] = ()
    terms: settings_pb2.MatchSettings = field(default_factory=settings_pb2.MatchSettings)
    events: list[events_pb2.Envelope] = field(default_factory=list)
    states: dict[int, State] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.random = Random(self.seed)
        self.next_faces = list(self.faces)
        self.draws = 0
        self.requests = 0
        self.seats_sequence = 0
        self.status = events_pb2.MATCH_STATUS_SEATING
        self.state: State | None = None
        agreed = settings_pb2.MatchSettings(
            rules=settings_to_proto(self.rules), rules_version=RULES_VERSION, dice=self.source, take_backs=True
        )
        agreed.MergeFrom(self.terms)
        self.settings = agreed.SerializeToString(deterministic=True)
        self.reserves = [agreed.clock.reserve.ToNanoseconds()] * self.rules.seats
        self.store_ns = START_S * 1_000_000_000
        self._start()

    @property
    def source(self) -> settings_pb2.DiceSource.ValueType:
        """Where its dice come from."""
        return settings_pb2.DICE_SOURCE_RECORDED if self.imported else settings_pb2.DICE_SOURCE_SERVICE

    @property
    def now(self) -> State:
        """The referee's state."""
        assert self.state is not None
        return self.state

    def batch(self, actor: events_pb2.Actor, events: Sequence[events_pb2.Envelope]) -> int:
        """Appends events as one request's batch, and gives the sequence of its end."""
        self.requests += 1
        events = self._stamped(events)
        for event in events:
            event.schema_version = 1
            event.actor.CopyFrom(OPERATOR if self.imported else actor)
            event.request_id = f"request-{self.requests}"
            event.record_time.seconds, event.record_time.nanos = START_S + self.requests, 500
            if self.imported:
                event.source_line = self.requests
            self.events.append(event)
            if event.HasField("seat_taken") or event.HasField("player_replaced"):
                self.seats_sequence = len(self.events)
        end = self.events[-1].batch_end
        end.request_digest = sha256(str(self.requests).encode()).digest()[:16]
        end.status, end.draws, end.seats_sequence = self.status, self.draws, self.seats_sequence
        if self.state is not None:
            end.state = state_to_bytes(self.rules, self.state)
            end.summary.CopyFrom(summary_to_proto(self.state))
            self.states[len(self.events)] = self.state
        return len(self.events)

    def _stamped(self, events: Sequence[events_pb2.Envelope]) -> Sequence[events_pb2.Envelope]:
        """The events with what the clock shows after them, before the match is closed."""
        clock = self.terms.clock
        if not clock.kind or self.state is None or any(event.HasField("clock_stamped") for event in events):
            return events
        stamp = self.stamp()
        if events[-1].HasField("match_closed"):
            return [*events[:-1], stamp, events[-1]]
        return [*events, stamp]

    def spend(self, seat: int, seconds: int) -> int:
        """Time comes off a reserve; gives what is left, in ns."""
        self.reserves[seat] -= seconds * 1_000_000_000
        return self.reserves[seat]

    def unstamped(self) -> int:
        """Records a play of seat 0 without what the clock shows."""
        kind, self.terms.clock.kind = self.terms.clock.kind, settings_pb2.CLOCK_KIND_UNSPECIFIED
        try:
            return self.do(seat_actor(0), act.MakePlay(0, "8/5 6/5"))
        finally:
            self.terms.clock.kind = kind

    def stamp(self) -> events_pb2.Envelope:
        """What the clock shows: the reserves, and all of the delays, of who decides next or is stopped by an offer."""
        clock, told = self.terms.clock, events_pb2.Envelope()
        told.clock_stamped.SetInParent()
        stamped = told.clock_stamped
        for reserve in self.reserves:
            stamped.reserves.add().FromNanoseconds(reserve)
        needed = summary(self.now).draw
        if needed is None or len(needed.seats) == 1:
            stamped.running.extend(summary(self.now).seats_to_act)
        if clock.kind != settings_pb2.CLOCK_KIND_FISCHER:
            for _ in stamped.running:
                stamped.delays.add().CopyFrom(clock.per_move)
            for seat in self._interrupted(set(stamped.running)):
                stamped.interrupted.append(seat)
                stamped.interrupted_delays.add().CopyFrom(clock.per_move)
        if clock.kind == settings_pb2.CLOCK_KIND_DAYS:
            stamped.store_time.FromNanoseconds(self.store_ns)
        return told

    def _interrupted(self, running: set[int]) -> list[int]:
        if self.now.phase not in (Phase.RESIGNING, Phase.SETTLING):
            return []
        told = (event.clock_stamped for event in reversed(self.events) if event.HasField("clock_stamped"))
        before = next(told, events_pb2.ClockStamped())
        return sorted(set(before.interrupted) | (set(before.running) - running))

    def _start(self) -> None:
        created = events_pb2.Envelope()
        created.match_created.settings = self.settings
        created.match_created.creator = OPERATOR.operator if self.imported else PLAYERS[0]
        taken = []
        for seat, player in enumerate(PLAYERS[: self.rules.seats]):
            envelope = events_pb2.Envelope()
            envelope.seat_taken.seat, envelope.seat_taken.player = seat, player
            envelope.seat_taken.accepted_settings = sha256(self.settings).digest()
            taken.append(envelope)
        started = events_pb2.Envelope(match_started=events_pb2.MatchStarted(rules_version=RULES_VERSION))
        if self.imported:
            self._begin()
            self.batch(OPERATOR, [created, *taken, started])
            return
        self.batch(events_pb2.Actor(player=PLAYERS[0]), [created])
        for player, seated in zip(PLAYERS, taken[:-1], strict=False):
            self.batch(events_pb2.Actor(player=player), [seated])
        self._begin()
        self.batch(events_pb2.Actor(player=PLAYERS[len(taken) - 1]), [taken[-1], started])

    def _begin(self) -> None:
        self.state, self.status = begin(self.rules), events_pb2.MATCH_STATUS_PLAYING

    def do(self, actor: events_pb2.Actor, action: act.Action) -> int:
        """Records an action that needs no dice, and gives the sequence of the batch's end."""
        by_director = actor == OPERATOR and not self.imported
        word = [directed(events_pb2.DIRECTOR_REASON_CORRECTION)] if by_director else []
        return self.batch(actor, [*word, *self.ruled(action), *self.closing()])

    def close(self) -> MatchRecord:
        """Records that a director closes the match as it stands."""
        self.status = events_pb2.MATCH_STATUS_CLOSED
        closed = events_pb2.MatchClosed(reason=events_pb2.CLOSE_REASON_OPERATOR)
        word = directed(events_pb2.DIRECTOR_REASON_ABSENCE)
        self.batch(OPERATOR, [word, events_pb2.Envelope(match_closed=closed)])
        return self.record()

    def throw(self, seat: int) -> int:
        """Records the throw that a seat asks for, and those that follow at once from a tied opening."""
        return self.batch(seat_actor(seat), self.thrown(seat))

    def thrown(self, seat: int) -> list[events_pb2.Envelope]:
        """The events of that throw, which is done with that."""
        events: list[events_pb2.Envelope] = []
        asker: int | None = seat
        while asker is not None or self._throws_at_once():
            needed = summary(self.now).draw
            assert needed is not None
            self.draws += 1
            faces = tuple(self._face() for _ in range(needed.count))
            asked, drawn = events_pb2.Envelope(), events_pb2.Envelope()
            asked.draw_requested.draw, asked.draw_requested.count = self.draws, needed.count
            opening = needed.purpose is Purpose.OPENING
            asked.draw_requested.purpose = state_pb2.DRAW_PURPOSE_OPENING if opening else state_pb2.DRAW_PURPOSE_TURN
            if asker is not None:
                asked.draw_requested.seat = asker
            drawn.dice_drawn.draw, drawn.dice_drawn.source = self.draws, self.source
            drawn.dice_drawn.faces.extend(faces)
            opens = self.now.phase is Phase.OPENING
            action = act.Open(faces) if opens else act.RollDice(seat, (faces[0], faces[1]))
            events += [asked, drawn, *self.ruled(action)]
            asker = None
        return events

    def _face(self) -> int:
        return self.next_faces.pop(0) if self.next_faces else self.random.randint(1, 6)

    def _throws_at_once(self) -> bool:
        needed = summary(self.now).draw
        return needed is not None and needed.at_once

    def ruled(self, action: act.Action) -> list[events_pb2.Envelope]:
        """The facts that an action leads to, which is done with that."""
        ruling = rule(self.rules, self.now, action)
        assert not isinstance(ruling, Violation), (action, ruling)
        self.state = ruling.state
        return [events_pb2.Envelope(fact=fact_to_proto(fact)) for fact in ruling.facts]

    def closing(self) -> list[events_pb2.Envelope]:
        """What closes a match that is over."""
        if self.now.phase is not Phase.OVER:
            return []
        self.status = events_pb2.MATCH_STATUS_CLOSED
        closed = events_pb2.MatchClosed(reason=events_pb2.CLOSE_REASON_PLAYED)
        return [events_pb2.Envelope(match_closed=closed)]

    def take_back(self, to_sequence: int) -> int:
        """Records a director's take-back to an earlier batch end."""
        self.state = self.states[to_sequence]
        back = events_pb2.TakenBack(to_sequence=to_sequence, reason=events_pb2.DIRECTOR_REASON_TECHNICAL)
        return self.batch(OPERATOR, [events_pb2.Envelope(taken_back=back)])

    def play(self, turns: int = 10_000) -> MatchRecord:
        """Plays on to the end, or for so many batches."""
        for _ in range(turns):
            acting = summary(self.now).seats_to_act
            if not acting:
                break
            seat = acting[0]
            action = (self.choice or self.at_random)(self.now, seat)
            if isinstance(action, act.RollDice):
                self.throw(seat)
            else:
                self.do(seat_actor(seat), action)
        return self.record()

    def at_random(self, state: State, seat: int) -> act.Action:
        """Something the law allows; RollDice stands for asking for whatever dice are due."""
        roll = act.RollDice(seat, (1, 1))
        if state.phase is Phase.TO_PLAY:
            assert state.dice is not None
            plays = game_of(self.rules, state.playing).legal_plays(state.position, seat, state.dice)
            return act.MakePlay(seat, plays.way(self.random.choice(sorted(plays))))
        allowed = [action for action in self._rare(seat) if not isinstance(rule(self.rules, state, action), Violation)]
        throws = summary(state).draw is not None
        if throws and (not allowed or self.random.random() > 0.12):
            return roll
        return self.random.choice(allowed)

    def _rare(self, seat: int) -> tuple[act.Action, ...]:
        return (
            act.Double(seat),
            act.Take(seat),
            act.Drop(seat),
            act.Beaver(seat),
            act.Raccoon(seat),
            act.Stay(seat),
            act.Leave(seat),
            act.Accept(seat),
            act.Decline(seat),
            act.OfferNoResult(seat),
            act.Choose(seat, self.random.choice((GameId.CATCHGAMMON, GameId.RUNGAMMON))),
            act.Resign(seat, self.random.randint(1, 3)),
            act.Settle(seat, Fraction(self.random.randint(0, 3)), self.random.randint(0, 1)),
        )

    def claim(self, claimed: events_pb2.RecordClaimed) -> int:
        """Records what an imported record says of a game's end."""
        return self.batch(OPERATOR, [events_pb2.Envelope(record_claimed=claimed)])

    def record_ends(self) -> MatchRecord:
        """Closes an imported match that its record leaves unfinished."""
        self.status = events_pb2.MATCH_STATUS_CLOSED
        closed = events_pb2.MatchClosed(reason=events_pb2.CLOSE_REASON_RECORD_ENDS)
        self.batch(OPERATOR, [events_pb2.Envelope(match_closed=closed)])
        return self.record()

    def record(self) -> MatchRecord:
        """The match as it is stored."""
        current = genesis_hash(MATCH_ID, self.settings)
        events = []
        for sequence, envelope in enumerate(self.events, 1):
            stored = envelope.SerializeToString(deterministic=True)
            current = event_hash(current, sequence, stored)
            events.append(RawEvent(sequence, stored, current))
        return MatchRecord(MATCH_ID, tuple(events), len(events), current)


def money(games: int = 4) -> Settings:
    """A session with every option on the cube."""
    play = SessionPlay(games=games, jacoby=True, beavers=True, raccoons=True, automatic_doubles=2)
    return Settings(GameId.BACKGAMMON, play)
