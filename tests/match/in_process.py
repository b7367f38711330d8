"""The match service's handlers in this process, on the memory store and the law itself, with dice from a seed."""

from hashlib import sha256
from itertools import count
from random import Random

from tests.match.local_law import LocalLaw
from tests.match.set_time import SeededDice, SetClock, SetStopwatch, SetStoreTime, SetTenure

from gammon.match.v1 import settings_pb2 as match_settings_pb2
from gammon.rules.v1 import action_pb2, settings_pb2, state_pb2
from gammon_engine.referee.state import Phase, State
from gammon_engine.registry import game_of
from gammon_engine.settings import Settings
from gammon_match.adapters.codec import ProtobufCodec
from gammon_match.adapters.memory_checkpoints import MemoryCheckpoints
from gammon_match.adapters.memory_store import MemoryEventStore
from gammon_match.app.act import ActForSeat, ActHandler
from gammon_match.app.automatic import AutomaticActs
from gammon_match.app.checkpoints import Checkpointing
from gammon_match.app.claim import ClaimHandler
from gammon_match.app.create_match import Created, CreateMatch, CreateMatchHandler
from gammon_match.app.deciding import Decider
from gammon_match.app.direct import Direct, DirectHandler, Ruling
from gammon_match.app.identity import request_digest
from gammon_match.app.invitations import Invitations
from gammon_match.app.invite import InviteHandler
from gammon_match.app.lapse import Lapses
from gammon_match.app.live_match import LiveMatch
from gammon_match.app.live_matches import LiveMatches
from gammon_match.app.past import Past
from gammon_match.app.pausing import PauseHandler
from gammon_match.app.ports import DiceBox, EventStore, Head
from gammon_match.app.preferences import SetPreferencesHandler
from gammon_match.app.presence import Presence
from gammon_match.app.preview import PreviewHandler
from gammon_match.app.read_match import Reader
from gammon_match.app.recording import Recorder
from gammon_match.app.rematch import RematchHandler
from gammon_match.app.seeing import Seeing
from gammon_match.app.take_back import TakeBackHandler
from gammon_match.app.take_seat import Seated, TakeSeat, TakeSeatHandler
from gammon_match.app.timekeeper import Timekeeper
from gammon_match.app.timers import Timers
from gammon_match.app.writing import Written
from gammon_match.core.refusals import Refusal
from gammon_match.core.table_events import NO_PREFERENCES, DirectorReason, Preferences
from gammon_match.service.requests import level_of
from gammon_match.service.settings import check_settings, settings_bytes
from gammon_match.service.timing import LAPSE
from gammon_wire.plays import steps_to_proto
from gammon_wire.settings import settings_from_proto
from gammon_wire.state import state_from_bytes

PARTITIONS = 16
PLAYERS = ("alice", "bob", "carol", "dave")
SECRET = bytes(range(32))


class Desk:
    """All handlers over one store; another desk on the same store is another process."""

    def __init__(
        self,
        store: EventStore | None = None,
        seed: int = 1,
        store_time: SetStoreTime | None = None,
        dice: DiceBox | None = None,
        checkpointing: Checkpointing | None = None,
    ) -> None:
        """`checkpointing`: over the checkpoints beside the store; None: over some that no other desk knows."""
        self.store: EventStore = store or MemoryEventStore()
        self.law = LocalLaw()
        self.codec = ProtobufCodec()
        self.clock = SetClock()
        self.stopwatch, self.tenure, self.presence = SetStopwatch(), SetTenure(), Presence()
        self.checkpointing = checkpointing or Checkpointing(MemoryCheckpoints())
        self.live = LiveMatches(
            self.store, self.codec, self.checkpointing, measures=lambda of: self.tenure.term(of) is not None
        )
        self.store_time = store_time or SetStoreTime()
        time = Timekeeper(self.stopwatch, self.store_time, self.tenure)
        self.recorder = Recorder(self.store, self.codec, self.clock, self.live, time)
        lapses = Lapses(self.law, self.recorder, LAPSE)
        self.dice = dice or SeededDice(seed)
        self.automatic = AutomaticActs(self.law, self.recorder, self.dice)
        self.timers = Timers(self.live, self.recorder, lapses, self.presence, self.automatic, self.stopwatch)
        self.invitations = Invitations(SECRET)
        self.seeing = Seeing(self.store, self.live, self.codec)
        self.create = CreateMatchHandler(self.law, self.live, self.recorder, PARTITIONS)
        self.take_seat = TakeSeatHandler(self.law, self.live, self.recorder, self.invitations, self.automatic)
        self.invite = InviteHandler(self.live, self.invitations)
        self.rematch = RematchHandler(self.law, self.live, self.recorder, PARTITIONS)
        decider = Decider(self.live, self.recorder, self.automatic)
        self.act = ActHandler(decider, self.recorder, self.law, self.dice, lapses)
        self.pause = PauseHandler(decider, self.recorder)
        self.claim = ClaimHandler(decider, self.recorder, lapses)
        past = Past(self.store, self.live, self.codec)
        self.direct = DirectHandler(decider, self.recorder, self.law, past)
        self.preview = PreviewHandler(self.law, self.live)
        self.preferences = SetPreferencesHandler(decider, self.recorder)
        self.take_back = TakeBackHandler(decider, self.recorder, past)
        self.reader = Reader(self.store, self.seeing, self.codec)
        self._numbers = count(1)
        self.seed = seed

    async def match(
        self, rules: settings_pb2.Settings | None = None, terms: match_settings_pb2.MatchSettings | None = None
    ) -> LiveMatch:
        """A match that has just started; alice has seat 0, bob seat 1, and carol and dave the others if there are.

        `terms`: what else was agreed.
        """
        live = await self.match_created(rules, terms)
        for seat, player in enumerate(PLAYERS[: live.terms().seats]):
            taken = await self.sit(live, player, seat)
            assert isinstance(taken, Seated)
        return live

    async def match_created(
        self, rules: settings_pb2.Settings | None = None, terms: match_settings_pb2.MatchSettings | None = None
    ) -> LiveMatch:
        """A match whose seats are open."""
        settings = match_settings_pb2.MatchSettings(rules=rules or match_to(3))
        if terms is not None:
            settings.MergeFrom(terms)
        created = await self.created(settings)
        assert isinstance(created, Created), created
        return created.live

    async def created(self, settings: match_settings_pb2.MatchSettings, request_id: str = "") -> Created | Refusal:
        """A match that alice creates, as the service would do it on such a request."""
        faults = check_settings(settings, recorded=False)
        return await self.create(
            CreateMatch(
                "alice",
                request_id or f"create-{next(self._numbers)}",
                settings.rules.SerializeToString(),
                lambda version: settings_bytes(settings, version),
                level_of(settings.durability),
                tuple(faults.malformed),
                tuple(faults.unsupported),
            )
        )

    async def sit(
        self,
        live: LiveMatch,
        player: str,
        seat: int | None = None,
        *,
        request_id: str = "",
        invitation: str = "",
        accepted: bytes | None = None,
        preferences: Preferences = NO_PREFERENCES,
    ) -> Seated | Refusal:
        """A player takes a seat, on the settings as they are unless told otherwise."""
        return await self.take_seat(
            TakeSeat(
                live.match_id,
                player,
                seat,
                request_id or f"seat-{next(self._numbers)}",
                sha256(live.match.settings).digest() if accepted is None else accepted,
                None,
                invitation,
                preferences,
            )
        )

    async def do(
        self,
        live: LiveMatch,
        seat: int,
        action: action_pb2.Action,
        request_id: str = "",
        seen: Head | None = None,
        player: str = "",
    ) -> Written | Refusal:
        """An act of a seat, by its player unless another is named."""
        encoded = action.SerializeToString(deterministic=True)
        return await self.act(
            ActForSeat(
                match_id=live.match_id,
                player=player or PLAYERS[seat],
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
