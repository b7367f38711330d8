"""Each kind of clock against a table of 20 turns over three games of a match, computed by hand.

In the middle the service restarts, and later another process takes the match over; the services' wall clocks are an
hour off, one way and then the other.
"""

from collections.abc import Sequence

import pytest
from tests.match.in_process import ROLL, Desk, match_to, state_of
from tests.match.set_time import SetStoreTime
from tests.match.test_direct import assert_lawful

from gammon.match.v1 import settings_pb2 as terms_pb2
from gammon.rules.v1 import action_pb2, settings_pb2
from gammon_engine.referee.state import State
from gammon_engine.registry import game_of
from gammon_engine.settings import Settings
from gammon_match.app.live_match import LiveMatch
from gammon_match.app.ports import EventStore
from gammon_match.app.writing import Written
from gammon_match.core.events import Status
from gammon_match.core.refusals import TimedElsewhere
from gammon_wire.plays import steps_to_proto
from gammon_wire.settings import settings_from_proto
from gammon_wire.state import state_from_bytes

NS = 1_000_000_000
HOUR_NS = 3600 * NS
DOUBLE = action_pb2.Action(double=action_pb2.OfferDouble())
DROP = action_pb2.Action(drop=action_pb2.Drop())
RESIGN = action_pb2.Action(resign=action_pb2.Resign(level=1))
ACCEPT = action_pb2.Action(accept=action_pb2.Accept())
DECLINE = action_pb2.Action(decline=action_pb2.Decline())
WITHDRAW = action_pb2.Action(withdraw=action_pb2.Withdraw())


class ScriptedDice:
    """Throws what the script says."""

    def __init__(self, throws: Sequence[tuple[int, ...]]) -> None:
        self._throws = list(throws)

    def throw(self, count: int) -> tuple[int, ...]:
        faces = self._throws.pop(0)
        assert len(faces) == count
        return faces


# Who opens each game, and with what, is in the opening throws: seat 0 with 3-1, seat 1 with 5-2, seat 0 with 6-4.
THROWS = [
    *((3, 1), (4, 2), (6, 1), (5, 3), (3, 2), (6, 4)),
    *((2, 5), (4, 3), (2, 1), (6, 5), (3, 1), (5, 4)),
    *((6, 4), (5, 3), (4, 1), (3, 2), (6, 2), (5, 1)),
]


Act = tuple[int, float, action_pb2.Action | None]


def turn(seat: int, roll: float, play: float) -> Sequence[Act]:
    """A roll and its play."""
    return ((seat, roll, ROLL), (seat, play, None))


# The acts of the turns: seat, time before the act, act (None: the play of the roll). Between the roll and the play of
# turn 10 the service restarts, of turn 17 another takes over.
TURNS: list[Sequence[Act]] = [
    [(0, 8, None)],
    turn(1, 2, 2),
    turn(0, 1, 9),
    turn(1, 6, 1),
    turn(0, 5, 0),
    turn(1, 0, 20),
    [(0, 7, DOUBLE), (1, 9, DROP)],
    [(1, 5.5, None)],
    turn(0, 3, 3),
    turn(1, 4, 4),
    turn(0, 0, 5),
    turn(1, 10, 1),
    turn(0, 1, 1),
    [(1, 2, RESIGN), (0, 6, ACCEPT)],
    [(0, 5, None)],
    turn(1, 1, 3),
    turn(0, 6, 2),
    turn(1, 2, 2),
    turn(0, 4, 4),
    turn(1, 5, 10),
]
OPENINGS = {0: 0, 7: 1, 14: 0}
RESTART, TAKE_OVER = 9, 16

# A reserve of 60 and 5 free a move: what a move takes beyond 5 comes off. Turn 7 is a double after 7 and a drop after
# 9; of turn 14 the resignation took 2, all free, and the acceptance 6. Down time (between roll and play of turns 10
# and 17) is charged to nobody: turn 10 took 4 + 4, so 3; turn 17 took 6 + 2, so 3.
DELAY = [
    *((57, 60), (57, 60), (52, 60), (52, 58), (52, 58), (52, 43), (50, 39)),
    *((50, 38.5), (49, 38.5), (49, 35.5), (49, 35.5), (49, 29.5), (49, 29.5), (48, 29.5)),
    *((48, 29.5), (48, 29.5), (45, 29.5), (45, 29.5), (42, 29.5), (42, 19.5)),
]
# A reserve of 70 that grows by 3 with each finished move: 70 - 8 + 3 = 65, and so on. The resignation and the
# acceptance of turn 14 are no moves and give nothing: 26.5 - 2 and 48 - 6.
FISCHER = [
    *((65, 70), (65, 69), (58, 69), (58, 65), (56, 65), (56, 48), (52, 42)),
    *((52, 39.5), (49, 39.5), (49, 34.5), (47, 34.5), (47, 26.5), (48, 26.5), (42, 24.5)),
    *((40, 24.5), (40, 23.5), (35, 23.5), (35, 22.5), (30, 22.5), (30, 10.5)),
]
# Hours by the store's time, 5 free a move and 60 over all. Here the time goes on while nobody is there: 2 hours in
# turn 10 (4 + 2 + 4, so 5) and 1 hour in turn 17 (6 + 1 + 2, so 4).
DAYS = [
    *((57, 60), (57, 60), (52, 60), (52, 58), (52, 58), (52, 43), (50, 39)),
    *((50, 38.5), (49, 38.5), (49, 33.5), (49, 33.5), (49, 27.5), (49, 27.5), (48, 27.5)),
    *((48, 27.5), (48, 27.5), (44, 27.5), (44, 27.5), (41, 27.5), (41, 17.5)),
]
KINDS = {
    "delay": (terms_pb2.CLOCK_KIND_DELAY, 60, 5, NS, 1000.0, 50.0, DELAY),
    "fischer": (terms_pb2.CLOCK_KIND_FISCHER, 70, 3, NS, 1000.0, 50.0, FISCHER),
    "days": (terms_pb2.CLOCK_KIND_DAYS, 60, 5, HOUR_NS, 2.0, 1.0, DAYS),
}


class Table:
    """A match at a desk, with time that passes everywhere alike; `unit_ns`: what 1 is in the tables."""

    def __init__(self, store: EventStore, unit_ns: int, throws: Sequence[tuple[int, ...]] = THROWS) -> None:
        self.store, self.unit_ns = store, unit_ns
        self.dice, self.store_time = ScriptedDice(throws), SetStoreTime()
        self.desk = self.another_desk()

    def another_desk(self) -> Desk:
        """Another process on the same store, which knows nothing."""
        return Desk(self.store, store_time=self.store_time, dice=self.dice)

    def pass_time(self, units: float) -> None:
        """Time passes."""
        ns = round(units * self.unit_ns)
        self.desk.stopwatch.ns += ns
        self.desk.clock.ns += ns
        self.store_time.ns += ns

    async def act(self, live: LiveMatch, seat: int, action: action_pb2.Action | None) -> None:
        """An act; None: a play of the roll."""
        done = await self.desk.do(live, seat, action or some_play(live, seat), f"act-at-{live.head.sequence}")
        assert isinstance(done, Written), done

    async def restarted(self, live: LiveMatch, down: float) -> LiveMatch:
        """The service ends and another process starts, some time later, with its wall clock an hour early."""
        self.pass_time(down)
        wall = self.desk.clock.ns - HOUR_NS
        self.desk = self.another_desk()
        self.desk.clock.ns = wall
        await self.desk.timers.take_over(live.match_id)
        return await found(self.desk, live)

    async def taken_over(self, live: LiveMatch, gap: float) -> LiveMatch:
        """Another process takes the match over after a while, its wall clock an hour late."""
        before = self.desk
        before.tenure.number = None
        self.pass_time(gap)
        if live.terms().is_measured:
            assert isinstance(await before.do(live, 0, some_play(live, 0)), TimedElsewhere)
        self.desk = self.another_desk()
        self.desk.clock.ns = before.clock.ns + HOUR_NS
        await self.desk.timers.take_over(live.match_id)
        return await found(self.desk, live)


async def found(desk: Desk, live: LiveMatch) -> LiveMatch:
    """The same match at another desk."""
    there = await desk.live.get(live.match_id)
    assert isinstance(there, LiveMatch)
    assert there is not live
    return there


def some_play(live: LiveMatch, seat: int) -> action_pb2.Action:
    """A legal play of the roll."""
    settings = settings_from_proto(settings_pb2.Settings.FromString(live.terms().rules))
    assert isinstance(settings, Settings)
    state = state_from_bytes(settings, live.match.state)
    assert isinstance(state, State)
    assert state.dice is not None
    plays = game_of(settings, state.playing).legal_plays(state.position, seat, state.dice)
    action = action_pb2.Action()
    action.play.steps.steps.extend(steps_to_proto(plays.way(list(plays)[-1])))
    return action


@pytest.mark.parametrize("kind", KINDS)
async def test_twenty_turns(kind: str, either_store: EventStore) -> None:
    clock_kind, reserve, per_move, unit_ns, down, gap, expected = KINDS[kind]
    terms = terms_pb2.MatchSettings()
    terms.clock.kind = clock_kind
    terms.clock.reserve.FromNanoseconds(reserve * unit_ns)
    terms.clock.per_move.FromNanoseconds(per_move * unit_ns)
    table = Table(either_store, unit_ns)
    live = await table.desk.match(match_to(5), terms)
    games = set()
    for index, (acts, left) in enumerate(zip(TURNS, expected, strict=True)):
        if index in OPENINGS:
            # Nobody's clock runs while the opening is to be thrown.
            table.pass_time(100)
            await table.act(live, 1, ROLL)
            assert state_of(live).turn == OPENINGS[index]
        for place, (seat, time, action) in enumerate(acts):
            if place == 1 and index == RESTART:
                live = await table.restarted(live, down)
            if place == 1 and index == TAKE_OVER:
                live = await table.taken_over(live, gap)
            table.pass_time(time)
            await table.act(live, seat, action)
        clock = live.match.table.clock
        assert clock is not None
        assert tuple(ns / unit_ns for ns in clock.reserves) == left, f"turn {index + 1}"
        games.add(state_of(live).game_number)
    assert games == {1, 2, 3}
    assert live.match.status is Status.PLAYING


@pytest.mark.parametrize(("act", "answer"), [(RESIGN, ACCEPT), (DOUBLE, DROP)], ids=["resigned", "dropped"])
async def test_c25_an_unused_delay_is_lost_with_the_game_however_it_ended(
    act: action_pb2.Action, answer: action_pb2.Action, either_store: EventStore
) -> None:
    """60 in reserve and 5 free a move: 4 of 5 left unused give nothing to the next game, whose 9 cost 4."""
    terms = terms_pb2.MatchSettings()
    terms.clock.kind = terms_pb2.CLOCK_KIND_DELAY
    terms.clock.reserve.seconds, terms.clock.per_move.seconds = 60, 5
    table = Table(either_store, NS, [(3, 1), (2, 5)])
    live = await table.desk.match(match_to(5), terms)

    async def reserves_after(units: float, seat: int, done: action_pb2.Action | None) -> tuple[float, ...]:
        table.pass_time(units)
        await table.act(live, seat, done)
        assert live.match.table.clock is not None
        return tuple(ns / NS for ns in live.match.table.clock.reserves)

    await table.act(live, 1, ROLL)
    assert await reserves_after(1, 0, None) == (60, 60)
    assert await reserves_after(1, 1, act) == (60, 60)
    assert await reserves_after(1, 0, answer) == (60, 60)
    assert state_of(live).game_number == 2
    await table.act(live, 0, ROLL)
    assert state_of(live).turn == 1
    assert await reserves_after(9, 1, None) == (60, 56)


@pytest.mark.parametrize("end", [(1, DECLINE), (0, WITHDRAW)], ids=["declined", "withdrawn"])
@pytest.mark.parametrize("meanwhile", ["nothing", "restart", "change of owner"])
@pytest.mark.parametrize("kind", ["delay", "days"])
async def test_a_move_that_an_offer_interrupts_goes_on_with_what_was_left(
    kind: str, meanwhile: str, end: tuple[int, action_pb2.Action], either_store: EventStore
) -> None:
    """60 in reserve and 5 free a move: 2 before the offer and 4 after make 6, so 1; the answer's 2 + 1 are free."""
    clock_kind, _, _, unit_ns, *_ = KINDS[kind]
    terms = terms_pb2.MatchSettings()
    terms.clock.kind = clock_kind
    terms.clock.reserve.FromNanoseconds(60 * unit_ns)
    terms.clock.per_move.FromNanoseconds(5 * unit_ns)
    table = Table(either_store, unit_ns, [(3, 1)])
    live = await table.desk.match(match_to(5), terms)
    await table.act(live, 1, ROLL)
    table.pass_time(2)
    await table.act(live, 0, RESIGN)
    if meanwhile == "restart":
        live = await table.restarted(live, 2)
    elif meanwhile == "change of owner":
        live = await table.taken_over(live, 2)
    table.pass_time(1)
    await table.act(live, *end)
    table.pass_time(4)
    await table.act(live, 0, None)
    assert live.match.table.clock is not None
    assert tuple(ns / unit_ns for ns in live.match.table.clock.reserves) == (59, 60)
    await assert_lawful(table.desk, live)
