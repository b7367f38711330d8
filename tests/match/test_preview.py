"""PreviewAct: what an act would do and cost, and nothing of it stored."""

import pytest
from tests.match.at_the_table import preview
from tests.match.in_process import ROLL, Desk, match_to, state_of
from tests.match.test_direct import law, money
from tests.match.test_more_players import session
from tests.match.test_take_back import acted, opened

from gammon.rules.v1 import action_pb2 as act
from gammon.rules.v1 import play_pb2, settings_pb2, state_pb2
from gammon_engine.referee.actions import VoidGame
from gammon_match.app.direct import Close
from gammon_match.app.live_match import LiveMatch
from gammon_match.app.ports import Head, Recorded
from gammon_match.app.preview import Previewed
from gammon_match.app.writing import Written
from gammon_match.core.refusals import MatchIsClosed, MatchNotFound, NotStarted, NotYourSeat, RulesAway
from gammon_match.service.previewing import preview_of

DOUBLE, TAKE, DROP = act.Action(double=act.OfferDouble()), act.Action(take=act.Take()), act.Action(drop=act.Drop())
LEAVE, STAY = act.Action(leave=act.Leave()), act.Action(stay=act.Stay())
ACCEPT, DECLINE = act.Action(accept=act.Accept()), act.Action(decline=act.Decline())
NO_RESULT = act.Action(no_result=act.OfferNoResult())


def resign(level: int) -> act.Action:
    return act.Action(resign=act.Resign(level=level))


def settle(points: int, to: int) -> act.Action:
    return act.Action(settle=act.Settle(points=points, to_seat=to))


async def cost(desk: Desk, live: LiveMatch, seat: int, action: act.Action) -> list[int]:
    """What each seat would win or lose by a lawful act, whole points; the head stays where it was."""
    before = await desk.store.read(live.match_id)
    previewed = await preview(desk, live, seat, action)
    assert isinstance(previewed, Previewed), previewed
    response = preview_of(previewed)
    assert response.WhichOneof("answer") == "summary", response
    assert await desk.store.read(live.match_id) == before
    return [own.numerator for own in response.points]


async def to_roll(desk: Desk, rules: settings_pb2.Settings) -> tuple[LiveMatch, int]:
    """A match in which the opening roll was played, and who is to roll or double."""
    live = await desk.match(rules)
    await desk.do(live, 0, ROLL)
    await acted(desk, live)
    assert state_of(live).phase == state_pb2.PHASE_TO_ROLL
    return live, state_of(live).turn


async def test_a_drop_costs_the_stake_before_the_double_and_a_take_nothing_yet() -> None:
    desk = Desk()
    live, seat = await to_roll(desk, money(3))
    assert await cost(desk, live, seat, DOUBLE) == []
    await desk.do(live, seat, DOUBLE)
    lost = [1, -1] if seat == 0 else [-1, 1]
    assert await cost(desk, live, 1 - seat, DROP) == lost
    assert await cost(desk, live, 1 - seat, TAKE) == []
    await desk.do(live, 1 - seat, TAKE)
    await acted(desk, live, 2)
    assert (state_of(live).phase, state_of(live).turn) == (state_pb2.PHASE_TO_ROLL, 1 - seat)
    await desk.do(live, 1 - seat, DOUBLE)
    assert await cost(desk, live, seat, DROP) == [-2 * own for own in lost]


@pytest.mark.parametrize("level", [1, 2, 3])
async def test_c19_a_resignation_is_priced_at_its_level_and_only_once_it_is_accepted(level: int) -> None:
    """Also on the first turn: the level is offered, and no formula prices it."""
    desk = Desk()
    live = await desk.match(match_to(7))
    assert await cost(desk, live, 0, resign(level)) == [0, level]
    await desk.do(live, 0, resign(level))
    assert await cost(desk, live, 1, ACCEPT) == [0, level]
    assert await cost(desk, live, 1, DECLINE) == []
    assert [own.numerator for own in state_of(live).score] == [0, 0]
    assert isinstance(await desk.do(live, 1, ACCEPT), Written)
    assert [own.numerator for own in state_of(live).score] == [0, level]


async def test_a_settlement_is_priced_by_its_points_and_an_end_without_points_at_none() -> None:
    desk = Desk()
    live, seat = await to_roll(desk, money(3))
    assert await cost(desk, live, seat, settle(2, 0)) == [2, -2]
    assert await cost(desk, live, 1 - seat, settle(3, 1)) == [-3, 3]
    assert await cost(desk, live, seat, NO_RESULT) == [0, 0]


async def test_an_offer_to_three_is_priced_when_all_others_accept() -> None:
    desk = Desk()
    live, seat = await to_roll(desk, session(3))
    assert await cost(desk, live, seat, NO_RESULT) == [0, 0, 0]
    # Whoever leaves pays the stake at once (rule 6.10), and nobody has won it yet.
    assert await cost(desk, live, seat, LEAVE) == [-1 if own == seat else 0 for own in range(3)]
    await desk.do(live, seat, DOUBLE)
    second, third = (seat + 1) % 3, (seat + 2) % 3
    assert await cost(desk, live, second, LEAVE) == [-1 if own == second else 0 for own in range(3)]
    await desk.do(live, second, LEAVE)
    # The last of the others leaves: the game ends, and both have paid (rule 6.11).
    assert await cost(desk, live, third, LEAVE) == [2 if own == seat else -1 for own in range(3)]
    assert await cost(desk, live, third, STAY) == []


async def test_a_play_that_ends_nothing_costs_nothing_and_the_summary_is_that_after_it() -> None:
    desk = Desk()
    live, _, _ = await opened(desk)
    seat = state_of(live).turn
    action = act.Action(resign=act.Resign(level=1))
    previewed = await preview(desk, live, seat, action)
    assert isinstance(previewed, Previewed)
    assert preview_of(previewed).summary.phase == state_pb2.PHASE_RESIGNING
    head = live.head
    await desk.do(live, seat, action)
    assert live.match.standing is not None
    assert preview_of(previewed).summary == state_pb2.Summary.FromString(live.match.standing.raw)
    assert live.head.sequence == head.sequence + 1


async def test_what_the_law_refuses_is_the_answer_with_its_rule() -> None:
    desk = Desk()
    live, seat = await to_roll(desk, match_to(3))
    for who, action, rule in ((1 - seat, DOUBLE, "6.1"), (seat, settle(1, 0), "8.6"), (seat, resign(4), "8.1")):
        previewed = await preview(desk, live, who, action)
        assert isinstance(previewed, Previewed)
        response = preview_of(previewed)
        assert isinstance(response.violation, play_pb2.Violation)
        assert (response.violation.rule, list(response.points)) == (rule, [])


async def test_only_the_holder_of_the_seat_looks_ahead_and_only_in_a_match_that_runs() -> None:
    desk = Desk()
    waiting = await desk.match_created()
    assert await preview(desk, waiting, 0, DOUBLE) == NotYourSeat(0)
    live, seat = await to_roll(desk, match_to(3))
    assert await preview(desk, live, seat, DOUBLE, player="mallory") == NotYourSeat(seat)
    desk.law.away = True
    assert isinstance(await preview(desk, live, seat, DOUBLE), RulesAway)
    desk.law.away = False
    await desk.rule(live, Close())
    assert await preview(desk, live, seat, DOUBLE) == MatchIsClosed(live.head.sequence)
    unknown = LiveMatch("m_000_AAAAAAAAAAAAAAAAAAAAAAAAAA", head=Head(1, b""))
    assert isinstance(await preview(desk, unknown, seat, DOUBLE), MatchNotFound)


async def test_before_all_sit_there_is_nothing_to_see() -> None:
    desk = Desk()
    live = await desk.match_created()
    await desk.sit(live, "alice", 0)
    assert await preview(desk, live, 0, resign(1)) == NotStarted(1)


async def test_it_is_of_the_head_also_where_another_process_has_stored_it() -> None:
    desk = Desk()
    live, seat = await to_roll(desk, match_to(5))
    elsewhere = Desk(desk.store)
    other = await elsewhere.live.get(live.match_id)
    assert isinstance(other, LiveMatch)
    await desk.do(live, seat, DOUBLE)
    assert other.head.sequence < live.head.sequence
    assert await cost(elsewhere, other, 1 - seat, DROP) == ([1, 0] if seat == 0 else [0, 1])
    # A ruling elsewhere counts too.
    await desk.rule(live, law(VoidGame()))
    previewed = await preview(elsewhere, other, 1 - seat, DROP)
    assert isinstance(previewed, Previewed)
    assert preview_of(previewed).violation.rule == "1.7"


async def test_the_same_preview_twice_is_the_same() -> None:
    desk = Desk()
    live, seat = await to_roll(desk, money(3))
    assert await preview(desk, live, seat, DOUBLE) == await preview(desk, live, seat, DOUBLE)
    recorded = await desk.store.read(live.match_id)
    assert isinstance(recorded, Recorded)
    assert recorded.head == live.head
