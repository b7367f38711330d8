"""Pauses: on a seat's budget, of all seats, and a director's; and players who are replaced."""

import pytest
from tests.match.in_process import PLAYERS, ROLL, Desk, match_to
from tests.match.test_clock_tables import some_play
from tests.match.test_direct import assert_lawful, law, points
from tests.match.test_lapses import by_the_clock, claim, dice, opened, status
from tests.match.test_more_players import session

from gammon.match.v1 import settings_pb2 as terms_pb2
from gammon_engine.referee.actions import SetScore, VoidGame
from gammon_match.app.identity import request_digest
from gammon_match.app.live_match import LiveMatch
from gammon_match.app.pausing import PauseForSeat
from gammon_match.app.ports import EventStore
from gammon_match.app.table_rulings import Pause, Replace, Resume
from gammon_match.app.writing import Written
from gammon_match.core.events import Status
from gammon_match.core.refusals import (
    MatchIsPaused,
    NoPause,
    NotStarted,
    NotYourSeat,
    Refusal,
    RequestIdReused,
    SeatUnavailable,
)
from gammon_match.core.sight import Viewer

S = 1_000_000_000


def with_budget(seconds: int) -> terms_pb2.MatchSettings:
    """A clock, and so much to pause for each seat."""
    terms = by_the_clock()
    terms.absence.pause_budget.seconds = seconds
    return terms


class Pauser:
    """Asks for pauses, each with a request id of its own."""

    def __init__(self, desk: Desk, live: LiveMatch) -> None:
        self.desk, self.live, self.requests = desk, live, 0

    async def __call__(self, seat: int, *, resume: bool = False, request_id: str = "") -> Written | Refusal:
        """What comes of a request of a seat."""
        self.requests += 1
        digest = request_digest(b"pause", bytes([seat, resume]))
        name = request_id or f"pause-{self.requests}"
        return await self.desk.pause(PauseForSeat(self.live.match_id, PLAYERS[seat], seat, name, resume, digest))


async def test_a_pause_stops_the_clock_and_play_and_costs_its_budget(either_store: EventStore) -> None:
    desk = Desk(either_store, dice=dice())
    live = await opened(desk, with_budget(60))
    pause = Pauser(desk, live)
    desk.stopwatch.pass_s(7)
    assert isinstance(await pause(0), Written)
    assert status(live) is Status.PAUSED
    desk.stopwatch.pass_s(40)
    assert await desk.do(live, 0, some_play(live, 0)) == MatchIsPaused("seat 0")
    assert await claim(desk, live, 1) == MatchIsPaused("seat 0")
    assert await pause(1, resume=True) == NoPause("the match is paused by seat 0, who alone ends that")
    assert isinstance(await pause(0, resume=True), Written)
    assert status(live) is Status.PLAYING
    assert live.match.table.budgets == (20 * S, 60 * S)
    desk.stopwatch.pass_s(1)
    assert isinstance(await desk.do(live, 0, some_play(live, 0)), Written)
    clock = live.match.table.clock
    assert clock is not None
    # Seven seconds before the pause, one after it: three more than the move's five.
    assert clock.reserves == (7 * S, 10 * S)
    await assert_lawful(desk, live)


async def test_a_pause_ends_by_itself_when_its_budget_is_spent(either_store: EventStore) -> None:
    desk = Desk(either_store, dice=dice())
    live = await opened(desk, with_budget(60))
    pause = Pauser(desk, live)
    await pause(1)
    desk.stopwatch.pass_s(59)
    await desk.timers.tick(live.match_id)
    assert status(live) is Status.PAUSED
    desk.stopwatch.pass_s(1)
    await desk.timers.tick(live.match_id)
    assert status(live) is Status.PLAYING
    assert live.match.table.budgets == (60 * S, 0)
    # Nothing is left, so it asks, and the other seat may agree.
    assert isinstance(await pause(1), Written)
    assert status(live) is Status.PLAYING
    assert live.match.table.asking == (1,)
    assert await pause(1) == NoPause("this seat asks for a pause already; it begins when all seats do")
    assert isinstance(await pause(0), Written)
    assert status(live) is Status.PAUSED
    desk.stopwatch.pass_s(10_000)
    await desk.timers.tick(live.match_id)
    assert status(live) is Status.PAUSED
    assert await pause(0) == NoPause("the match is paused by all seats")
    assert isinstance(await pause(0, resume=True), Written)
    assert status(live) is Status.PLAYING
    await assert_lawful(desk, live)


async def test_a_pause_goes_on_after_a_restart_and_the_time_between_costs_nothing(either_store: EventStore) -> None:
    first = Desk(either_store, dice=dice())
    live = await opened(first, with_budget(60))
    await Pauser(first, live)(0)
    first.stopwatch.pass_s(30)
    second = Desk(either_store)
    await second.timers.take_over(live.match_id)
    there = await second.live.get(live.match_id)
    assert isinstance(there, LiveMatch)
    await second.timers.tick(live.match_id)
    second.stopwatch.pass_s(59)
    await second.timers.tick(live.match_id)
    assert status(there) is Status.PAUSED
    second.stopwatch.pass_s(1)
    await second.timers.tick(live.match_id)
    assert status(there) is Status.PLAYING
    await assert_lawful(second, there)


async def test_three_seats_pause_when_all_of_them_ask(either_store: EventStore) -> None:
    desk = Desk(either_store, seed=4)
    live = await desk.match(session(3))
    assert isinstance(await desk.do(live, 0, ROLL), Written)
    pause = Pauser(desk, live)
    for seat in (0, 2):
        assert isinstance(await pause(seat), Written)
    assert isinstance(await pause(0, resume=True), Written)
    assert isinstance(await pause(1), Written)
    assert status(live) is Status.PLAYING
    assert isinstance(await pause(0), Written)
    assert status(live) is Status.PAUSED
    await assert_lawful(desk, live)


async def test_a_request_for_a_pause_is_answered_once(either_store: EventStore) -> None:
    desk = Desk(either_store, dice=dice())
    live = await opened(desk, with_budget(60))
    pause = Pauser(desk, live)
    first = await pause(0, request_id="once")
    again = await pause(0, request_id="once")
    assert isinstance(first, Written)
    assert isinstance(again, Written)
    assert (again.repeated, again.events) == (True, first.events)
    assert isinstance(await pause(0, resume=True, request_id="once"), RequestIdReused)
    assert await pause(0) == NoPause("this seat has paused the match")
    stranger = PauseForSeat(live.match_id, "mallory", 0, "mine", True, b"")
    assert isinstance(await desk.pause(stranger), NotYourSeat)
    open_match = await desk.match_created()
    assert isinstance(await Pauser(desk, open_match)(0), NotYourSeat)


async def test_a_director_pauses_rules_meanwhile_and_resumes(either_store: EventStore) -> None:
    desk = Desk(either_store, dice=dice())
    live = await opened(desk, by_the_clock())
    assert isinstance(await desk.rule(live, Resume()), NoPause)
    assert isinstance(await desk.rule(live, Pause()), Written)
    assert isinstance(await desk.rule(live, Pause()), NoPause)
    pause = Pauser(desk, live)
    assert await pause(0) == NoPause("the match is paused by a director")
    assert await pause(0, resume=True) == NoPause("the match is paused by a director, who alone ends that")
    desk.stopwatch.pass_s(1000)
    await desk.timers.tick(live.match_id)
    assert isinstance(await desk.rule(live, law(SetScore(points(1, 1)))), Written)
    assert status(live) is Status.PAUSED
    assert isinstance(await desk.rule(live, law(VoidGame())), Written)
    assert status(live) is Status.PAUSED
    assert await desk.do(live, 0, ROLL) == MatchIsPaused("a director")
    assert isinstance(await desk.rule(live, Resume()), Written)
    assert isinstance(await desk.do(live, 0, ROLL), Written)
    await assert_lawful(desk, live)


async def test_a_director_ends_any_pause(either_store: EventStore) -> None:
    desk = Desk(either_store, dice=dice())
    live = await opened(desk, with_budget(60))
    pause = Pauser(desk, live)
    assert isinstance(await pause(0), Written)
    desk.stopwatch.pass_s(10)
    assert isinstance(await desk.rule(live, Resume()), Written)
    assert (status(live), live.match.table.budgets) == (Status.PLAYING, (50 * S, 60 * S))
    assert isinstance(await pause(0), Written)
    desk.stopwatch.pass_s(10)
    # A director's pause in the place of the seat's: no budget runs any more.
    assert isinstance(await desk.rule(live, Pause()), Written)
    desk.stopwatch.pass_s(1000)
    assert isinstance(await desk.rule(live, Resume()), Written)
    assert live.match.table.budgets == (40 * S, 60 * S)
    await assert_lawful(desk, live)


async def test_a_player_is_replaced_and_only_the_new_one_acts(either_store: EventStore) -> None:
    desk = Desk(either_store, dice=dice())
    live = await opened(desk, by_the_clock())
    assert isinstance(await desk.rule(live, Replace(0, "alice")), SeatUnavailable)
    assert isinstance(await desk.rule(live, Replace(3, "erin")), SeatUnavailable)
    assert isinstance(await desk.rule(live, Replace(0, "erin")), Written)
    holder = live.match.holder(0)
    assert holder is not None
    assert holder.player == "erin"
    play = some_play(live, 0)
    assert isinstance(await desk.do(live, 0, play), NotYourSeat)
    assert isinstance(await desk.do(live, 0, play, player="erin"), Written)
    await assert_lawful(desk, live)


@pytest.mark.parametrize("ruling", [Pause(), Resume(), Replace(0, "erin")])
async def test_before_the_start_there_is_nothing_to_rule_on(ruling: Pause | Resume | Replace) -> None:
    desk = Desk()
    live = await desk.match_created(match_to(3))
    head = live.head
    assert isinstance(await desk.rule(live, ruling), NotStarted | SeatUnavailable)
    assert live.head == head


async def test_what_is_shown_of_the_past_shows_the_clock_as_it_was_told_then(either_store: EventStore) -> None:
    desk = Desk(either_store, dice=dice())
    live = await opened(desk, by_the_clock())
    sequence = live.head.sequence
    desk.stopwatch.pass_s(9)
    assert (look := await desk.recorder.time.shown(live)) is not None
    assert look.clock is not None
    assert look.clock.reserves == (6 * S, 10 * S)
    then = await desk.reader.match(live.match_id, Viewer("auditor", official=True), sequence)
    assert isinstance(then, LiveMatch)
    assert await desk.recorder.time.shown(then) is None
