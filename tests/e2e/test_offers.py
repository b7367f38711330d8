"""Resignations, settlements, ends without points: open until answered or withdrawn, countered, kept over a restart."""

import pytest
from tests.e2e.play import ROLL, Table, audited, backgammon, table
from tests.e2e.reach import Reachable
from tests.e2e.suite import Suite

from gammon.match.v1 import events_pb2, settings_pb2
from gammon.match.v1 import match_service_pb2 as pb
from gammon.rules.v1 import action_pb2 as act
from gammon.rules.v1 import fact_pb2, state_pb2
from gammon.rules.v1 import settings_pb2 as rules_pb2
from gammon_client.errors import AgainstTheLaw

ACCEPT, DECLINE = act.Action(accept=act.Accept()), act.Action(decline=act.Decline())
WITHDRAW, NO_RESULT = act.Action(withdraw=act.Withdraw()), act.Action(no_result=act.OfferNoResult())


def resign(level: int) -> act.Action:
    return act.Action(resign=act.Resign(level=level))


def settle(points: int, to: int) -> act.Action:
    return act.Action(settle=act.Settle(points=points, to_seat=to))


def money() -> settings_pb2.MatchSettings:
    """A session of two games of Backgammon."""
    settings = backgammon()
    settings.rules.session.games = 2
    return settings


def track() -> settings_pb2.MatchSettings:
    """A session of two games of Trackgammon for three."""
    settings = money()
    settings.rules.game, settings.rules.seats = rules_pb2.GAME_TRACKGAMMON, 3
    return settings


async def do(at: Table, seat: int, action: act.Action) -> pb.Match:
    """An act of a seat on the match as it stands, and the match after it."""
    await at.clients[seat].get_match(at.match_id)
    await at.clients[seat].act(at.match_id, seat, action)
    return await at.clients[seat].get_match(at.match_id)


async def facts(at: Table) -> list[fact_pb2.Fact]:
    """All facts on record."""
    stored = (await at.clients[0].list_events(at.match_id)).events
    events = [events_pb2.Envelope.FromString(event.envelope) for event in stored]
    return [event.fact for event in events if event.HasField("fact")]


async def lawful(at: Table) -> None:
    report = await audited(at.clients[0], at.match_id)
    assert report.first_wrong is None, report


def score(match: pb.Match) -> list[int]:
    return [own.numerator for own in match.summary.score]


async def test_of_two_an_offer_waits_is_withdrawn_declined_countered_and_accepted(suite: Reachable) -> None:
    async with table(suite, money()) as at:
        before = await do(at, 0, ROLL)
        turn = before.summary.seats_to_act[0]
        other = 1 - turn
        offered = await do(at, other, resign(1))
        # Also on the other's turn (rule 8.1), and nothing else can be done until it is answered.
        assert (offered.summary.phase, list(offered.summary.seats_to_act)) == (state_pb2.PHASE_RESIGNING, [turn])
        with pytest.raises(AgainstTheLaw) as refused:
            await do(at, turn, settle(1, turn))
        assert refused.value.metadata["rule"] == "8.1"
        with pytest.raises(AgainstTheLaw):
            await do(at, other, ACCEPT)
        with pytest.raises(AgainstTheLaw):
            await do(at, turn, WITHDRAW)
        withdrawn = await do(at, other, WITHDRAW)
        assert withdrawn.state == before.state
        # Declined, and countered by the other: a settlement, declined too, and another one.
        await do(at, other, resign(1))
        declined = await do(at, turn, DECLINE)
        assert declined.state == before.state
        countered = await do(at, turn, settle(3, turn))
        assert list(countered.summary.seats_to_act) == [other]
        await do(at, other, DECLINE)
        await do(at, other, settle(2, turn))
        settled = await do(at, turn, ACCEPT)
        assert score(settled) == ([2, -2] if turn == 0 else [-2, 2])
        assert settled.summary.game_number == 2
        offers = [fact.WhichOneof("kind") for fact in await facts(at)]
        # Every step is an event.
        assert (offers.count("offer_made"), offers.count("offer_closed")) == (4, 4)
        await lawful(at)


async def test_of_three_all_others_accept_and_one_refusal_or_its_maker_ends_it(suite: Reachable) -> None:
    async with table(suite, track()) as at:
        before = await do(at, 0, ROLL)
        turn = before.summary.seats_to_act[0]
        second, third = (turn + 1) % 3, (turn + 2) % 3
        offered = await do(at, second, NO_RESULT)
        assert set(offered.summary.seats_to_act) == {turn, third}
        waiting = await do(at, third, ACCEPT)
        assert list(waiting.summary.seats_to_act) == [turn]
        assert (await do(at, second, WITHDRAW)).state == before.state
        await do(at, second, NO_RESULT)
        await do(at, third, ACCEPT)
        assert (await do(at, turn, DECLINE)).state == before.state
        await do(at, turn, NO_RESULT)
        await do(at, third, ACCEPT)
        ended = await do(at, second, ACCEPT)
        assert (score(ended), ended.summary.game_number) == ([0, 0, 0], 2)
        await lawful(at)


@pytest.mark.parametrize("seats", [2, 3])
async def test_an_offer_outlives_a_restart_and_is_answered_after_it(own_suite: Suite, seats: int) -> None:
    async with table(own_suite, money() if seats == 2 else track()) as at:
        before = await do(at, 0, ROLL)
        turn = before.summary.seats_to_act[0]
        offered = await do(at, turn, NO_RESULT)
        own_suite.restart("match")
        found = await at.clients[0].get_match(at.match_id)
        assert (found.state, found.head) == (offered.state, offered.head)
        assert set(found.summary.seats_to_act) == set(range(seats)) - {turn}
        # It may still be withdrawn, and the next one answered.
        assert (await do(at, turn, WITHDRAW)).state == before.state
        await do(at, turn, NO_RESULT)
        own_suite.restart("match")
        for seat in sorted(set(range(seats)) - {turn}):
            ended = await do(at, seat, ACCEPT)
        assert ended.summary.game_number == 2
        await lawful(at)


async def test_a_resignation_caps_nothing_unless_it_is_accepted(suite: Reachable) -> None:
    """Nobody has to take one point where a gammon is coming."""
    async with table(suite, money()) as at:
        before = await do(at, 0, ROLL)
        await do(at, 0, resign(1))
        assert (await do(at, 1, DECLINE)).state == before.state
        assert score(before) == [0, 0]
