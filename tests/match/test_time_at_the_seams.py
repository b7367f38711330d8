"""Time where it meets the rest: take-backs, new players, stores that fail, processes that hold old copies."""

import asyncio

import pytest
from tests.match.at_the_table import ROLLS, prefer, say
from tests.match.in_process import PLAYERS, ROLL, Desk, state_of
from tests.match.test_act import FlakyStore
from tests.match.test_clock_tables import some_play
from tests.match.test_direct import assert_lawful
from tests.match.test_lapses import absence, absent, by_the_clock, claim, dice, opened, status
from tests.match.test_more_players import session
from tests.match.test_pausing import Pauser

from gammon.match.v1 import settings_pb2 as terms_pb2
from gammon.rules.v1 import action_pb2, settings_pb2, state_pb2
from gammon_match.adapters.memory_store import MemoryEventStore
from gammon_match.app import timers
from gammon_match.app.identity import request_digest
from gammon_match.app.live_match import LiveMatch
from gammon_match.app.pausing import PauseForSeat
from gammon_match.app.ports import AppendResult, DurabilityLevel, NotConfirmed, OutcomeUnknown
from gammon_match.app.table_rulings import Replace
from gammon_match.app.take_back import Answer, Propose
from gammon_match.app.take_seat import Seated
from gammon_match.app.writing import Written
from gammon_match.core.events import Status
from gammon_match.core.refusals import NoLapse, Overtaken

S = 1_000_000_000
RESIGN = action_pb2.Action(resign=action_pb2.Resign(level=1))
WITHDRAW = action_pb2.Action(withdraw=action_pb2.Withdraw())
DECLINE = action_pb2.Action(decline=action_pb2.Decline())


def fischer() -> terms_pb2.MatchSettings:
    """A minute, and three seconds with each finished move; take-backs by consent."""
    terms = terms_pb2.MatchSettings(take_backs=True)
    terms.clock.kind = terms_pb2.CLOCK_KIND_FISCHER
    terms.clock.reserve.seconds, terms.clock.per_move.seconds = 60, 3
    return terms


def running(live: LiveMatch) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The reserves in seconds, and whose clocks run."""
    clock = live.match.table.clock
    assert clock is not None
    return tuple(ns // S for ns in clock.reserves), clock.running


async def test_who_consents_to_a_take_back_has_not_moved_and_gets_no_increment() -> None:
    desk = Desk(dice=dice())
    live = await opened(desk, fischer())
    before = live.head.sequence
    assert isinstance(await desk.do(live, 0, some_play(live, 0)), Written)
    assert running(live) == ((63, 60), (1,))
    assert isinstance(await say(desk, live, 0, Propose(before)), Written)
    assert isinstance(await say(desk, live, 1, Answer(accept=True)), Written)
    assert running(live) == ((63, 60), (0,))
    await assert_lawful(desk, live)


@pytest.mark.parametrize("answer", [(0, WITHDRAW), (1, DECLINE)])
async def test_an_offer_and_its_end_are_no_moves(answer: tuple[int, action_pb2.Action]) -> None:
    """60 and 3 with each move; or 10 and 5 free a move, of which seat 0 has used 2 and 2, and then 4: 3 of its 10."""
    for terms, left in ((fischer(), (60 - 8 + 3, 60)), (by_the_clock(), (10 - 3, 10))):
        desk = Desk(dice=dice())
        live = await opened(desk, terms)
        for _ in range(2):
            desk.stopwatch.pass_s(2)
            assert isinstance(await desk.do(live, 0, RESIGN), Written)
            assert running(live)[1] == (1,)
            assert isinstance(await desk.do(live, *answer), Written)
            assert running(live)[1] == (0,)
        desk.stopwatch.pass_s(4)
        assert isinstance(await desk.do(live, 0, some_play(live, 0)), Written)
        assert running(live) == (left, (1,))
        await assert_lawful(desk, live)


async def test_a_process_that_takes_over_times_a_match_that_it_knew_before_its_start() -> None:
    store = MemoryEventStore()
    first, second = Desk(store, dice=dice()), Desk(store)
    live = await first.match_created(None, by_the_clock())
    known = await second.live.get(live.match_id)
    for seat in (0, 1):
        assert isinstance(await first.sit(live, PLAYERS[seat], seat), Seated)
    assert isinstance(await first.do(live, 1, ROLL), Written)
    await second.timers.take_over(live.match_id)
    second.stopwatch.pass_s(15)
    await second.timers.tick(live.match_id)
    assert isinstance(known, LiveMatch)
    assert status(known) is Status.CLOSED


async def test_a_process_that_takes_over_asks_until_the_store_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timers, "AGAIN_NS", 1_000_000)
    store = FlakyStore()
    live = await opened(Desk(store, dice=dice()), by_the_clock())
    second = Desk(store)
    store.readable = False
    taking_over = asyncio.create_task(second.timers.take_over(live.match_id))
    await asyncio.sleep(0.01)
    assert second.timers.count == 0
    store.readable = True
    await taking_over
    assert second.timers.count == 1


@pytest.mark.parametrize("answer", [NotConfirmed(DurabilityLevel.ACCEPTED), OutcomeUnknown("lost")])
async def test_a_batch_that_is_not_confirmed_or_found_later_starts_the_timer(answer: AppendResult) -> None:
    store = FlakyStore()
    desk = Desk(store, dice=dice())
    live = await desk.match(None, by_the_clock())
    ticking = asyncio.create_task(desk.timers.run())
    store.answers = [(answer, True)]
    assert not isinstance(await desk.do(live, 1, ROLL, "roll"), Written)
    assert isinstance(await desk.do(live, 1, ROLL, "roll"), Written)
    desk.stopwatch.pass_s(15)
    # Time passes for the timers when they look: what they wait for is real.
    desk.timers.look_at(live.match_id)
    await asyncio.sleep(0.01)
    ticking.cancel()
    assert status(live) is Status.CLOSED


async def test_who_is_given_a_seat_has_not_been_away_from_it() -> None:
    desk = Desk(dice=dice())
    live = await opened(desk, absence(60))
    desk.stopwatch.pass_s(5)
    await desk.timers.tick(live.match_id)
    desk.stopwatch.pass_s(60)
    assert isinstance(await desk.rule(live, Replace(0, "erin")), Written)
    assert absent(live) == []
    assert isinstance(await claim(desk, live, 1, "early"), NoLapse)
    # Erin has to come as well, and has all of the time that was agreed.
    await desk.timers.tick(live.match_id)
    desk.stopwatch.pass_s(59)
    assert isinstance(await claim(desk, live, 1, "still early"), NoLapse)
    desk.stopwatch.pass_s(1)
    assert isinstance(await claim(desk, live, 1), Written)
    await assert_lawful(desk, live)


async def test_who_is_given_a_seat_asks_for_a_pause_anew() -> None:
    desk = Desk(dice=dice())
    live = await opened(desk, by_the_clock())
    pause = Pauser(desk, live)
    assert isinstance(await pause(0), Written)
    assert isinstance(await desk.rule(live, Replace(0, "erin")), Written)
    assert isinstance(await pause(1), Written)
    assert status(live) is Status.PLAYING
    digest = request_digest(b"pause", bytes([0, False]))
    assert isinstance(await desk.pause(PauseForSeat(live.match_id, "erin", 0, "erin's", False, digest)), Written)
    assert status(live) is Status.PAUSED
    await assert_lawful(desk, live)


@pytest.mark.parametrize("claimed", [True, False])
async def test_after_a_lapse_the_service_acts_for_the_next_seat_that_lets_it(claimed: bool) -> None:
    rules = session(3)
    rules.cube = settings_pb2.CUBE_OFF
    desk = Desk(seed=4)
    live = await desk.match(rules, by_the_clock(claimed=claimed))
    assert isinstance(await desk.do(live, 0, ROLL), Written)
    late = state_of(live).turn
    for seat in {0, 1, 2} - {late}:
        assert isinstance(await prefer(desk, live, seat, ROLLS), Written)
    desk.stopwatch.pass_s(15)
    if claimed:
        assert isinstance(await claim(desk, live, (late + 1) % 3), Written)
    else:
        assert isinstance(await desk.do(live, late, some_play(live, late)), Overtaken)
    assert list(state_of(live).left) == [late]
    assert state_of(live).phase == state_pb2.PHASE_TO_PLAY
    await assert_lawful(desk, live)


async def test_matches_that_another_process_measures_leave_memory_when_there_is_no_room() -> None:
    store = MemoryEventStore()
    here, elsewhere = Desk(store), Desk(store)
    for desk in (here, elsewhere):
        desk.live._capacity = 2
    elsewhere.tenure.number = None
    ids = [(await here.match(None, by_the_clock())).match_id for _ in range(4)]

    async def kept(desk: Desk) -> int:
        read = [await desk.live.get(match_id) for match_id in ids]
        return sum([await desk.live.get(match_id) is live for match_id, live in zip(ids, read, strict=True)])

    assert await kept(elsewhere) < 4
    # Where they are measured they stay: since when their clocks run would be lost.
    assert await kept(here) == 4


async def test_a_fault_in_one_match_leaves_the_timers_of_all_running(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk(dice=dice())
    live = await opened(desk, by_the_clock())
    looked: list[str] = []

    async def faulty(match_id: str) -> None:
        looked.append(match_id)
        raise RuntimeError("a fault")

    monkeypatch.setattr(desk.timers, "tick", faulty)
    running = asyncio.create_task(desk.timers.run())
    desk.timers.look_at(live.match_id)
    async with asyncio.timeout(5):
        while not looked:
            await asyncio.sleep(0.01)
    await asyncio.sleep(0.05)
    assert not running.done()
    # It is looked at again, after a while.
    monkeypatch.undo()
    desk.stopwatch.pass_s(20)
    desk.timers.look_at(live.match_id)
    async with asyncio.timeout(5):
        while live.match.status is not Status.CLOSED:
            await asyncio.sleep(0.01)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
