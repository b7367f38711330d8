"""The match service's handlers in this process, on the memory store and the law itself, with dice from a seed."""

from dataclasses import dataclass, field
from itertools import count
from random import Random

from gammon.match.v1 import settings_pb2 as match_settings_pb2
from gammon.rules.v1 import action_pb2, rules_service_pb2, settings_pb2, state_pb2
from gammon_engine.referee.state import Phase, State
from gammon_engine.registry import game_of
from gammon_engine.settings import RULES_VERSION, Settings
from gammon_engine.violation import Violation
from gammon_match.adapters.codec import ProtobufCodec, standing_of
from gammon_match.adapters.memory_store import MemoryEventStore
from gammon_match.adapters.rules_client import choice_of
from gammon_match.app.act import ActForSeat, ActHandler
from gammon_match.app.automatic import AutomaticActs
from gammon_match.app.create_match import Created, CreateMatch, CreateMatchHandler
from gammon_match.app.direct import Direct, DirectHandler, Ruling
from gammon_match.app.identity import request_digest
from gammon_match.app.law import Away, Begun, Broken, Faulty, OnlyChoice, Question, Ruled
from gammon_match.app.live_match import LiveMatch
from gammon_match.app.live_matches import LiveMatches
from gammon_match.app.past import Past
from gammon_match.app.ports import EventStore, Head
from gammon_match.app.preferences import SetPreferencesHandler
from gammon_match.app.preview import PreviewHandler
from gammon_match.app.recording import Recorder, Written
from gammon_match.app.take_back import TakeBackHandler
from gammon_match.app.take_seat import Seated, TakeSeat, TakeSeatHandler
from gammon_match.core.refusals import FieldFault, Refusal
from gammon_match.core.table_events import DirectorReason
from gammon_match.service.settings import settings_bytes
from gammon_rules.app.misunderstood import Misunderstood
from gammon_rules.app.rulings import Rulings
from gammon_wire.plays import steps_to_proto
from gammon_wire.settings import settings_from_proto
from gammon_wire.state import state_from_bytes

PARTITIONS = 16
PLAYERS = ("alice", "bob", "carol", "dave")


@dataclass
class LocalLaw:
    """The law without a wire. `away`: it does not answer."""

    rulings: Rulings = field(default_factory=Rulings)
    away: bool = False
    asked_for_choices: int = 0

    async def begin(self, rules: bytes) -> Begun | Faulty | Away:
        if self.away:
            return Away("told to be away")
        ruling = self.rulings.begin(settings_pb2.Settings.FromString(rules))
        if isinstance(ruling, tuple):
            return Faulty(tuple(FieldFault(f.field, f.value, f.rule, f.reason) for f in ruling))
        return Begun(RULES_VERSION, ruling.state, standing_of(ruling.summary))

    async def rule(self, question: Question) -> Ruled | Broken | Faulty | Away:
        if self.away:
            return Away("told to be away")
        action = action_pb2.Action.FromString(question.action)
        if question.seat is not None:
            action.seat = question.seat
        if question.dice is not None:
            action.roll.dice[:] = question.dice
        answer = self.rulings.rule(
            rules_service_pb2.Question(
                rules_version=question.rules_version,
                settings=settings_pb2.Settings.FromString(question.settings),
                state=question.state,
                action=action,
            )
        )
        if isinstance(answer, Violation):
            return Broken(answer.rule, answer.reason, answer.field, answer.value)
        if isinstance(answer, Misunderstood):
            return Faulty(tuple(FieldFault(f.field, f.value, f.rule, f.reason) for f in answer.faults))
        ends = {fact.WhichOneof("kind"): fact.SerializeToString() for fact in answer.facts}
        return Ruled(
            answer.state,
            standing_of(answer.summary),
            tuple(fact.SerializeToString() for fact in answer.facts),
            ends.get("game_ended"),
            ends.get("play_ended"),
        )

    async def only_choice(self, rules_version: str, settings: bytes, state: bytes) -> OnlyChoice | Faulty | Away | None:
        if self.away:
            return Away("told to be away")
        self.asked_for_choices += 1
        asked = rules_service_pb2.Question(
            rules_version=rules_version,
            settings=settings_pb2.Settings.FromString(settings),
            state=state,
            name_only_choice=True,
        )
        answer = self.rulings.rule(asked)
        assert isinstance(answer, rules_service_pb2.Ruling), answer
        return choice_of(answer)


class SeededDice:
    """Dice that a seed decides."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def throw(self, count: int) -> tuple[int, ...]:
        return tuple(self._random.randint(1, 6) for _ in range(count))


class SetClock:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.ns = 1_700_000_000_000_000_000

    def now_ns(self) -> int:
        return self.ns


class Desk:
    """All handlers over one store; another desk on the same store is another process."""

    def __init__(self, store: EventStore | None = None, seed: int = 1) -> None:
        self.store: EventStore = store or MemoryEventStore()
        self.law = LocalLaw()
        self.codec = ProtobufCodec()
        self.clock = SetClock()
        self.live = LiveMatches(self.store, self.codec)
        self.recorder = Recorder(self.store, self.codec, self.clock, self.live)
        self.create = CreateMatchHandler(self.law, self.live, self.recorder, PARTITIONS)
        self.dice = SeededDice(seed)
        self.automatic = AutomaticActs(self.law, self.recorder, self.dice)
        self.take_seat = TakeSeatHandler(self.law, self.live, self.recorder, self.automatic)
        self.act = ActHandler(self.law, self.live, self.recorder, self.dice, self.automatic)
        past = Past(self.store, self.codec)
        self.direct = DirectHandler(self.law, self.live, self.recorder, past, self.automatic)
        self.preview = PreviewHandler(self.law, self.live)
        self.preferences = SetPreferencesHandler(self.live, self.recorder, self.automatic)
        self.take_back = TakeBackHandler(self.live, self.recorder, past, self.automatic)
        self._numbers = count(1)
        self.seed = seed

    async def match(self, rules: settings_pb2.Settings | None = None, *, take_backs: bool = False) -> LiveMatch:
        """A match that has just started; alice has seat 0, bob seat 1, and carol and dave the others if there are."""
        live = await self.match_created(rules, take_backs=take_backs)
        for seat, player in enumerate(PLAYERS[: live.terms().seats]):
            taken = await self.take_seat(
                TakeSeat(live.match_id, player, seat, f"seat-{next(self._numbers)}", b"", None)
            )
            assert isinstance(taken, Seated)
        return live

    async def match_created(self, rules: settings_pb2.Settings | None = None, *, take_backs: bool = False) -> LiveMatch:
        """A match whose seats are open."""
        settings = match_settings_pb2.MatchSettings(rules=rules or match_to(3), take_backs=take_backs)
        created = await self.create(
            CreateMatch(
                "alice",
                f"create-{next(self._numbers)}",
                settings.rules.SerializeToString(),
                lambda version: settings_bytes(settings, version),
                None,
            )
        )
        assert isinstance(created, Created)
        return created.live

    async def do(
        self, live: LiveMatch, seat: int, action: action_pb2.Action, request_id: str = "", seen: Head | None = None
    ) -> Written | Refusal:
        """An act of a seat."""
        encoded = action.SerializeToString(deterministic=True)
        return await self.act(
            ActForSeat(
                match_id=live.match_id,
                player=PLAYERS[seat],
                seat=seat,
                request_id=request_id or f"act-{next(self._numbers)}",
                seen=seen or live.head,
                action=encoded,
                roll=action.WhichOneof("kind") == "roll",
                digest=request_digest(bytes([seat]), encoded),
                level=None,
            )
        )

    async def rule(
        self,
        live: LiveMatch,
        ruling: Ruling,
        request_id: str = "",
        seen: Head | None = None,
        reason: DirectorReason = DirectorReason.TECHNICAL,
    ) -> Written | Refusal:
        """A director's ruling."""
        return await self.direct(
            Direct(
                match_id=live.match_id,
                operator="director",
                request_id=request_id or f"rule-{next(self._numbers)}",
                seen=seen or live.head,
                reason=reason,
                ruling=ruling,
                digest=request_digest(bytes([reason]), repr(ruling).encode()),
            )
        )

    async def play_out(self, live: LiveMatch, most_acts: int = 10_000) -> None:
        """Random plays, and now and then a double or a resignation, to the end."""
        random = Random(self.seed)
        settings = settings_from_proto(settings_pb2.Settings.FromString(live.terms().rules))
        assert isinstance(settings, Settings)
        for _ in range(most_acts):
            state = state_from_bytes(settings, live.match.state)
            assert isinstance(state, State)
            if state.phase is Phase.OVER:
                return
            assert live.match.standing is not None
            seat = live.match.standing.seats_to_act[0]
            done = await self.do(live, seat, some_action(random, settings, state, seat))
            if not isinstance(done, Written):
                # Doubling is not always allowed; rolling then is.
                done = await self.do(live, seat, ROLL)
            assert isinstance(done, Written), done


ROLL = action_pb2.Action(roll=action_pb2.Roll())


def match_to(points: int) -> settings_pb2.Settings:
    """Backgammon to a number of points."""
    rules = settings_pb2.Settings(game=settings_pb2.GAME_BACKGAMMON, seats=2)
    rules.match.points = points
    return rules


def some_action(random: Random, settings: Settings, state: State, seat: int) -> action_pb2.Action:
    """Something to try."""
    match state.phase:
        case Phase.TO_PLAY:
            assert state.dice is not None
            plays = game_of(settings, state.playing).legal_plays(state.position, seat, state.dice)
            steps = steps_to_proto(plays.way(random.choice(list(plays))))
            action = action_pb2.Action()
            action.play.steps.steps.extend(steps)
            action.play.steps.SetInParent()
            return action
        case Phase.TO_ROLL:
            pick = random.random()
            if pick < 0.06:
                return action_pb2.Action(double=action_pb2.OfferDouble())
            if pick > 0.99 and settings.seats > 2:
                return action_pb2.Action(no_result=action_pb2.OfferNoResult())
            return action_pb2.Action(resign=action_pb2.Resign(level=1)) if pick < 0.07 else ROLL
        case Phase.CHOOSING:
            chosen = random.choice((settings_pb2.GAME_CATCHGAMMON, settings_pb2.GAME_RUNGAMMON))
            return action_pb2.Action(choose=action_pb2.ChooseGame(game=chosen))
        case Phase.DOUBLED if settings.seats > 2:
            stays = random.random() < 0.7
            return action_pb2.Action(stay=action_pb2.Stay()) if stays else action_pb2.Action(leave=action_pb2.Leave())
        case Phase.DOUBLED:
            take = random.random() < 0.7
            return action_pb2.Action(take=action_pb2.Take()) if take else action_pb2.Action(drop=action_pb2.Drop())
        case Phase.RESIGNING:
            accept = random.random() < 0.5
            if accept:
                return action_pb2.Action(accept=action_pb2.Accept())
            return action_pb2.Action(decline=action_pb2.Decline())
    return ROLL


def state_of(live: LiveMatch) -> state_pb2.State:
    """The referee's state."""
    return state_pb2.State.FromString(live.match.state)
