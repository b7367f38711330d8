"""Flags that fall by themselves or are claimed, and absences, on the memory store and the real one (rule 8.4)."""

import pytest
from tests.match.in_process import PLAYERS, ROLL, Desk, match_to, state_of
from tests.match.set_time import SetStoreTime
from tests.match.test_clock_tables import ScriptedDice, some_play
from tests.match.test_direct import assert_lawful
from tests.match.test_more_players import session

from gammon.match.v1 import events_pb2
from gammon.match.v1 import settings_pb2 as terms_pb2
from gammon.rules.v1 import settings_pb2, state_pb2
from gammon_match.app.claim import ClaimForSeat
from gammon_match.app.identity import request_digest
from gammon_match.app.live_match import LiveMatch
from gammon_match.app.ports import EventStore, Recorded
from gammon_match.app.writing import Written
from gammon_match.core.events import Status
from gammon_match.core.refusals import (
    MatchIsClosed,
    NoLapse,
    NotYourSeat,
    Overtaken,
    Refusal,
    TimedElsewhere,
)

S = 1_000_000_000
DELAY = terms_pb2.CLOCK_KIND_DELAY


def by_the_clock(*, claimed: bool = False, away_s: int = 0) -> terms_pb2.MatchSettings:
    """Ten seconds, and five a move."""
    terms = terms_pb2.MatchSettings()
    terms.clock.kind, terms.clock.claimed = DELAY, claimed
    terms.clock.reserve.seconds, terms.clock.per_move.seconds = 10, 5
    if away_s:
        terms.absence.abandonment.seconds = away_s
    return terms


def absence(away_s: int) -> terms_pb2.MatchSettings:
    """No clock; who is away so long may lose."""
    terms = terms_pb2.MatchSettings()
    terms.absence.abandonment.seconds = away_s
    return terms


def money() -> settings_pb2.Settings:
    """An open session."""
    rules = settings_pb2.Settings(game=settings_pb2.GAME_BACKGAMMON, seats=2)
    rules.session.SetInParent()
    return rules


async def opened(desk: Desk, terms: terms_pb2.MatchSettings, rules: settings_pb2.Settings | None = None) -> LiveMatch:
    """Seat 0 has to play 3-1."""
    live = await desk.match(rules, terms)
    assert isinstance(await desk.do(live, 1, ROLL), Written)
    assert state_of(live).turn == 0
    return live


def dice() -> ScriptedDice:
    """Seat 0 opens with 3-1, and later seat 1 with 5-2."""
    return ScriptedDice([(3, 1), (6, 4), (5, 2), (2, 1)])


async def claim(desk: Desk, live: LiveMatch, seat: int, request_id: str = "claim") -> Written | Refusal:
    """A seat's claim."""
    digest = request_digest(b"claim", bytes([seat]))
    return await desk.claim(ClaimForSeat(live.match_id, PLAYERS[seat], seat, request_id, live.head, digest))


def status(live: LiveMatch) -> Status:
    """Where the match is in its life."""
    return live.match.status


def absent(live: LiveMatch) -> list[int]:
    """The seats whose absence is timed."""
    return [seat for seat, _ in live.match.table.absent]


async def kinds(desk: Desk, live: LiveMatch, count: int) -> list[str]:
    """What the last events are."""
    recorded = await desk.store.read(live.match_id, live.head.sequence - count)
    assert isinstance(recorded, Recorded)
    envelopes = [events_pb2.Envelope.FromString(event.envelope) for event in recorded.events]
    return [envelope.fact.WhichOneof("kind") or envelope.WhichOneof("event") or "" for envelope in envelopes]


async def test_a_flag_falls_by_itself_at_its_time_and_not_before(either_store: EventStore) -> None:
    desk = Desk(either_store, dice=dice())
    live = await opened(desk, by_the_clock())
    desk.stopwatch.pass_s(14.9)
    await desk.timers.tick(live.match_id)
    assert status(live) is Status.PLAYING
    desk.stopwatch.pass_s(0.1)
    await desk.timers.tick(live.match_id)
    assert status(live) is Status.CLOSED
    assert await kinds(desk, live, 5) == ["flag_fell", "forfeited", "play_ended", "clock_stamped", "match_closed"]
    assert list(state_of(live).result.winners) == [1]
    assert desk.timers.count == 0
    await assert_lawful(desk, live)


async def test_an_act_that_comes_too_late_finds_the_flag_down(either_store: EventStore) -> None:
    desk = Desk(either_store, dice=dice())
    live = await opened(desk, by_the_clock())
    late = some_play(live, 0)
    desk.stopwatch.pass_s(15)
    refused = await desk.do(live, 0, late)
    assert isinstance(refused, MatchIsClosed)
    assert status(live) is Status.CLOSED
    await assert_lawful(desk, live)


async def test_an_act_a_moment_before_the_flag_is_in_time(either_store: EventStore) -> None:
    desk = Desk(either_store, dice=dice())
    live = await opened(desk, by_the_clock())
    desk.stopwatch.ns += 15 * S - 1
    assert isinstance(await desk.do(live, 0, some_play(live, 0)), Written)
    clock = live.match.table.clock
    assert clock is not None
    assert clock.reserves == (1, 10 * S)


async def test_in_a_session_the_game_is_lost_threefold_and_the_next_begins_with_the_whole_reserve(
    either_store: EventStore,
) -> None:
    desk = Desk(either_store, dice=dice())
    live = await opened(desk, by_the_clock(), money())
    desk.stopwatch.pass_s(15)
    late = await desk.do(live, 0, some_play(live, 0))
    assert isinstance(late, Overtaken)
    state = state_of(live)
    assert (state.phase, state.game_number) == (state_pb2.PHASE_OPENING, 2)
    assert [points.numerator for points in state.score] == [-3, 3]
    clock = live.match.table.clock
    assert clock is not None
    assert clock.reserves == (10 * S, 10 * S)
    # Nobody's clock runs before the opening, however long it takes.
    desk.stopwatch.pass_s(1000)
    await desk.timers.tick(live.match_id)
    assert isinstance(await desk.do(live, 0, ROLL), Written)
    assert status(live) is Status.PLAYING
    await assert_lawful(desk, live)


async def test_of_three_players_a_fallen_flag_is_a_leaving(either_store: EventStore) -> None:
    desk = Desk(either_store, seed=4)
    live = await desk.match(session(3), by_the_clock())
    assert isinstance(await desk.do(live, 0, ROLL), Written)
    turn = state_of(live).turn
    desk.stopwatch.pass_s(15)
    await desk.timers.tick(live.match_id)
    assert list(state_of(live).left) == [turn]
    assert status(live) is Status.PLAYING
    await assert_lawful(desk, live)


async def test_a_flag_that_must_be_claimed_falls_by_a_claim_alone(either_store: EventStore) -> None:
    desk = Desk(either_store, dice=dice())
    live = await opened(desk, by_the_clock(claimed=True))
    desk.stopwatch.pass_s(8)
    early = await claim(desk, live, 1)
    assert early == NoLapse("seat 0 has 7.0 s left on its clock", 7 * S)
    desk.stopwatch.pass_s(7)
    await desk.timers.tick(live.match_id)
    assert status(live) is Status.PLAYING
    own = await claim(desk, live, 0, "own")
    assert own == NoLapse("no other seat is late: play waits for none of them, or they are there")
    granted = await claim(desk, live, 1)
    assert isinstance(granted, Written)
    again = await claim(desk, live, 1)
    assert isinstance(again, Written)
    assert again.repeated
    assert again.events == granted.events
    assert (await kinds(desk, live, 5))[0] == "flag_fell"
    assert status(live) is Status.CLOSED
    await assert_lawful(desk, live)


async def test_an_act_before_the_claim_keeps_the_match(either_store: EventStore) -> None:
    desk = Desk(either_store, dice=dice())
    live = await opened(desk, by_the_clock(claimed=True))
    desk.stopwatch.pass_s(20)
    assert isinstance(await desk.do(live, 0, some_play(live, 0)), Written)
    assert isinstance(await claim(desk, live, 1), NoLapse)
    await assert_lawful(desk, live)


async def test_only_a_seat_claims_and_only_where_something_was_agreed(either_store: EventStore) -> None:
    desk = Desk(either_store, dice=dice())
    live = await desk.match()
    assert isinstance(await claim(desk, live, 0), NoLapse)
    digest = request_digest(b"claim", bytes([1]))
    stranger = ClaimForSeat(live.match_id, "mallory", 1, "claim", live.head, digest)
    assert isinstance(await desk.claim(stranger), NotYourSeat)


async def test_the_absence_of_who_has_to_decide_is_timed_and_can_be_claimed(either_store: EventStore) -> None:
    desk = Desk(either_store, dice=dice())
    live = await opened(desk, absence(60))
    desk.presence.arrive(live.match_id, "bob", dict(enumerate(PLAYERS[:2])))
    desk.stopwatch.pass_s(4.9)
    await desk.timers.tick(live.match_id)
    assert absent(live) == []
    desk.stopwatch.pass_s(0.1)
    await desk.timers.tick(live.match_id)
    assert absent(live) == [0]
    desk.stopwatch.pass_s(50)
    assert await claim(desk, live, 1) == NoLapse("seat 0 has been away too long in 10.0 s", 10 * S)
    desk.stopwatch.pass_s(10)
    assert isinstance(await claim(desk, live, 1), Written)
    assert (await kinds(desk, live, 4))[0] == "absence_timed"
    assert status(live) is Status.CLOSED
    await assert_lawful(desk, live)


async def test_who_comes_back_or_acts_is_not_away(either_store: EventStore) -> None:
    desk = Desk(either_store, dice=dice())
    live = await opened(desk, absence(60))
    desk.stopwatch.pass_s(5)
    await desk.timers.tick(live.match_id)
    assert absent(live) == [0]
    desk.presence.arrive(live.match_id, "alice", dict(enumerate(PLAYERS[:2])))
    await desk.timers.tick(live.match_id)
    assert absent(live) == []
    desk.presence.depart(live.match_id, "alice")
    desk.stopwatch.pass_s(4)
    desk.presence.arrive(live.match_id, "alice", dict(enumerate(PLAYERS[:2])))
    desk.presence.depart(live.match_id, "alice")
    await desk.timers.tick(live.match_id)
    # Away anew, for no time yet: a dropped watch that is opened again starts nothing.
    desk.stopwatch.pass_s(4)
    await desk.timers.tick(live.match_id)
    assert absent(live) == []
    desk.stopwatch.pass_s(1)
    await desk.timers.tick(live.match_id)
    assert absent(live) == [0]
    played = await desk.do(live, 0, some_play(live, 0))
    assert isinstance(played, Written)
    # It is not seat 0's decision any more: its absence is of no account, and seat 1's is.
    assert absent(live) == []
    desk.stopwatch.pass_s(5)
    await desk.timers.tick(live.match_id)
    assert absent(live) == [1]
    await assert_lawful(desk, live)


async def test_an_absence_is_timed_on_after_a_restart_and_the_time_between_counts_for_nobody(
    either_store: EventStore,
) -> None:
    first = Desk(either_store, dice=dice())
    live = await opened(first, absence(60))
    first.stopwatch.pass_s(5)
    await first.timers.tick(live.match_id)
    first.stopwatch.pass_s(50)
    second = Desk(either_store, store_time=SetStoreTime())
    await second.timers.take_over(live.match_id)
    there = await second.live.get(live.match_id)
    assert isinstance(there, LiveMatch)
    await second.timers.tick(live.match_id)
    second.stopwatch.pass_s(59)
    assert isinstance(await claim(second, there, 1), NoLapse)
    second.stopwatch.pass_s(1)
    assert isinstance(await claim(second, there, 1), Written)
    await assert_lawful(second, there)


async def test_nothing_is_decided_where_another_measures(either_store: EventStore) -> None:
    desk = Desk(either_store, dice=dice())
    live = await opened(desk, by_the_clock())
    desk.tenure.number = None
    assert await claim(desk, live, 1) == TimedElsewhere("another")
    assert await desk.do(live, 0, some_play(live, 0)) == TimedElsewhere("another")
    desk.stopwatch.pass_s(100)
    await desk.timers.tick(live.match_id)
    assert status(live) is Status.PLAYING
    # It gets the match back, in another term: what it measured before is not known to be so.
    desk.tenure.number = 2
    assert isinstance(await desk.do(live, 0, some_play(live, 0)), Written)


@pytest.mark.parametrize("rules", [match_to(3), money()], ids=["match", "session"])
async def test_two_processes_that_both_find_a_flag_down_store_it_once(
    rules: settings_pb2.Settings, either_store: EventStore
) -> None:
    first, second = Desk(either_store, dice=dice()), Desk(either_store)
    live = await opened(first, by_the_clock(), rules)
    await second.timers.take_over(live.match_id)
    there = await second.live.get(live.match_id)
    assert isinstance(there, LiveMatch)
    await second.timers.tick(live.match_id)
    for desk in (first, second):
        desk.stopwatch.pass_s(15)
    await first.timers.tick(live.match_id)
    await second.timers.tick(live.match_id)
    assert there.head == live.head
    recorded = await kinds(first, live, live.head.sequence)
    assert recorded.count("flag_fell") == 1
    await assert_lawful(first, live)
