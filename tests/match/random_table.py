"""Everything that can be done at a table, by lot: the same lot does the same to the same match, whoever serves it."""

import asyncio
from dataclasses import dataclass, field, replace
from random import Random

from tests.match.in_process import Desk, some_action

from gammon.match.v1 import settings_pb2 as terms_pb2
from gammon.rules.v1 import settings_pb2
from gammon_engine.referee.state import State
from gammon_engine.settings import Settings
from gammon_match.app.act import ActForSeat
from gammon_match.app.claim import ClaimForSeat
from gammon_match.app.direct import Direct, Ruling, TakeBackTo
from gammon_match.app.identity import request_digest
from gammon_match.app.live_match import LiveMatch
from gammon_match.app.pausing import PauseForSeat
from gammon_match.app.ports import Head
from gammon_match.app.preferences import SetPreferences
from gammon_match.app.table_rulings import Pause, Replace, Resume
from gammon_match.app.take_back import Answer, Propose, TakeBack
from gammon_match.app.writing import Written
from gammon_match.core.refusals import Refusal
from gammon_match.core.table_events import DirectorReason, Preferences
from gammon_wire.settings import settings_from_proto
from gammon_wire.state import state_from_bytes

NS = 1_000_000_000
Command = ActForSeat | ClaimForSeat | Direct | PauseForSeat | SetPreferences | TakeBack
Outcome = Written | Refusal

DELAY, FISCHER, DAYS = terms_pb2.CLOCK_KIND_DELAY, terms_pb2.CLOCK_KIND_FISCHER, terms_pb2.CLOCK_KIND_DAYS


def session_of(game: settings_pb2.Game.ValueType, seats: int = 2) -> settings_pb2.Settings:
    """An open session."""
    rules = settings_pb2.Settings(game=game, seats=seats)
    rules.session.SetInParent()
    return rules


def terms(clock: terms_pb2.ClockKind.ValueType) -> terms_pb2.MatchSettings:
    """Time that is not used up, absences, pauses and take-backs."""
    agreed = terms_pb2.MatchSettings(take_backs=True)
    agreed.clock.kind = clock
    if clock == DAYS:
        agreed.clock.per_move.seconds = 3 * 86_400
    else:
        agreed.clock.reserve.seconds, agreed.clock.per_move.seconds = 7_200, 5
    agreed.absence.abandonment.seconds = 10_000
    agreed.absence.pause_budget.seconds = 30
    return agreed


GAMMON = settings_pb2.Settings(game=settings_pb2.GAME_GAMMON, seats=2, match=settings_pb2.MatchPlay(points=15))
KINDS = {
    "backgammon": (session_of(settings_pb2.GAME_BACKGAMMON), terms(DELAY)),
    "trackgammon": (session_of(settings_pb2.GAME_TRACKGAMMON), terms(FISCHER)),
    "trackgammon of three": (session_of(settings_pb2.GAME_TRACKGAMMON, 3), terms(DAYS)),
    "trackgammon of four": (session_of(settings_pb2.GAME_TRACKGAMMON, 4), terms(DELAY)),
    "catchgammon": (session_of(settings_pb2.GAME_CATCHGAMMON), terms(DAYS)),
    "rungammon": (session_of(settings_pb2.GAME_RUNGAMMON), terms_pb2.MatchSettings(take_backs=True)),
    "mixed": (GAMMON, terms(FISCHER)),
}


@dataclass
class RandomTable:
    """One match that all kinds of requests are made on. `sent`: all that were; `ends`: the heads that were seen."""

    match_id: str
    random: Random
    sent: list[Command] = field(default_factory=list)
    ends: list[Head] = field(default_factory=list)

    async def step(self, desk: Desk) -> Outcome | None:
        """Does one thing at a desk, and tells what came of it; None: time went by."""
        # Nothing in memory waits, and what is done in the background gets its turn.
        await asyncio.sleep(0)
        live = await desk.live.current(self.match_id)
        assert isinstance(live, LiveMatch), live
        if not self.ends or self.ends[-1] != live.head:
            self.ends.append(live.head)
        lot = self.random.random()
        if lot < 0.08:
            await self._let_time_pass(desk)
            return None
        if lot < 0.16 and self.sent:
            return await send(desk, self._said_before())
        command = self._something_else(live) if lot < 0.4 else self.act(live)
        self.sent.append(command)
        return await send(desk, command)

    async def _let_time_pass(self, desk: Desk) -> None:
        seconds = self.random.randint(1, 20)
        desk.stopwatch.pass_s(seconds)
        desk.store_time.ns += seconds * NS
        desk.clock.ns += seconds * NS
        await desk.timers.tick(self.match_id)

    def _said_before(self) -> Command:
        """An earlier request again: the very same, or for something else, or as a new one on what was seen then."""
        command = self.random.choice(self.sent)
        match self.random.randrange(4):
            case 0:
                return replace(command, digest=request_digest(b"something else"))
            case 1:
                return replace(command, request_id=self._name())
            case _:
                return command

    def act(self, live: LiveMatch) -> ActForSeat:
        """Something that a seat to act may try, mostly on what stands now."""
        settings = settings_from_proto(settings_pb2.Settings.FromString(live.terms().rules))
        assert isinstance(settings, Settings)
        state = state_from_bytes(settings, live.match.state)
        assert isinstance(state, State)
        standing = live.match.standing
        assert standing is not None
        seat = self.random.choice(standing.seats_to_act or (0,))
        action = some_action(self.random, settings, state, seat)
        roll = action.WhichOneof("kind") == "roll"
        encoded = action.SerializeToString(deterministic=True)
        seen = live.head if self.random.random() < 0.9 else self.random.choice(self.ends[-12:])
        digest = request_digest(bytes([seat]), encoded)
        return ActForSeat(live.match_id, _player(live, seat), seat, self._name(), seen, encoded, roll, digest, None)

    def _something_else(self, live: LiveMatch) -> Command:
        random, of, name = self.random, live.match_id, self._name()
        seat = random.randrange(live.terms().seats)
        player = _player(live, seat)
        digest = request_digest(name.encode())
        back = random.choice(self.ends[-20:]).sequence
        proposal = live.match.table.proposal
        match random.randrange(6):
            case 0:
                allowed = Preferences(random.random() < 0.3, random.random() < 0.3)
                return SetPreferences(of, player, seat, name, allowed, digest)
            case 1:
                return PauseForSeat(of, player, seat, name, random.random() < 0.5, digest)
            case 2 | 3:
                word = Propose(back) if proposal is None else Answer(random.random() < 0.7)
                return TakeBack(of, player, seat, name, live.head, word, digest)
            case 4:
                return ClaimForSeat(of, player, seat, name, live.head, digest)
            case _:
                rulings: tuple[Ruling, ...] = (TakeBackTo(back), Pause(), Resume(), Resume(), Replace(seat, name))
                ruling = random.choice(rulings)
                return Direct(of, "director", name, live.head, DirectorReason.TECHNICAL, ruling, digest)

    def _name(self) -> str:
        return f"request-{self.random.getrandbits(64):016x}"


async def send(desk: Desk, command: Command) -> Outcome:
    """What a desk answers to a request."""
    match command:
        case ActForSeat():
            return await desk.act(command)
        case ClaimForSeat():
            return await desk.claim(command)
        case Direct():
            return await desk.direct(command)
        case PauseForSeat():
            return await desk.pause(command)
        case SetPreferences():
            return await desk.preferences(command)
        case TakeBack():
            return await desk.take_back(command)


def _player(live: LiveMatch, seat: int) -> str:
    holder = live.match.holder(seat)
    assert holder is not None
    return holder.player
