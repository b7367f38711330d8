"""The client of the rules service against the real one."""

from collections.abc import AsyncIterator

import pytest
from tests.e2e.reach import Reachable

from gammon.rules.v1 import play_pb2, settings_pb2, state_pb2
from gammon.rules.v1 import rules_service_pb2 as pb
from gammon_client.calls import open_channel
from gammon_client.errors import Malformed, Unauthenticated
from gammon_client.rules_client import RulesClient

START = "24:2,13:5,8:3,6:5 24:2,13:5,8:3,6:5"
BACKGAMMON = settings_pb2.Settings(game=settings_pb2.GAME_BACKGAMMON, seats=2, match=settings_pb2.MatchPlay(points=5))


@pytest.fixture
async def rules(suite: Reachable) -> AsyncIterator[RulesClient]:
    async with open_channel(suite.target("rules")) as channel:
        yield RulesClient(channel, suite.token("reader", "spectator"))


async def test_a_match_begins_with_the_opening_throw(rules: RulesClient) -> None:
    begun = await rules.begin(BACKGAMMON)
    assert begun.ruling.summary.phase == state_pb2.PHASE_OPENING
    assert state_pb2.State.FromString(begun.ruling.state).position == START


async def test_legal_plays_are_distinct_results(rules: RulesClient) -> None:
    plays = await rules.legal_plays(BACKGAMMON, START, 0, (3, 1))
    assert plays.count == len({play.position for play in plays.plays}) == 16


async def test_a_play_is_read_or_refused_with_its_rule(rules: RulesClient) -> None:
    play = await rules.read_play(BACKGAMMON, START, 0, (3, 1), "6/5 8/5")
    assert isinstance(play, pb.LegalPlay)
    assert play.position == "24:2,13:5,8:2,6:4,5:2 24:2,13:5,8:3,6:5"
    refused = await rules.read_play(BACKGAMMON, START, 0, (3, 1), "8/5")
    assert isinstance(refused, play_pb2.Violation)
    assert refused.rule == "1.4"


async def test_a_play_is_built_step_by_step(rules: RulesClient) -> None:
    found = await rules.next_steps(BACKGAMMON, START, 0, (3, 1), [play_pb2.Step(number=3, origin=8, target=5)])
    assert play_pb2.Step(number=1, origin=6, target=5) in found.steps
    assert found.position == "24:2,13:5,8:2,6:5,5:1 24:2,13:5,8:3,6:5"
    with pytest.raises(Malformed) as malformed:
        await rules.next_steps(BACKGAMMON, START, 0, (3, 1), [play_pb2.Step(number=2, origin=8, target=6)])
    assert [fault.field for fault in malformed.value.fields] == ["chosen[0]"]


async def test_a_position_is_drawn_as_text_and_as_svg(rules: RulesClient) -> None:
    assert "BAR" in await rules.draw(BACKGAMMON, START)
    assert START in await rules.draw(BACKGAMMON, START, seat=1, form=pb.DRAWING_FORM_SVG)


async def test_refusals_come_by_reason(rules: RulesClient) -> None:
    with pytest.raises(Malformed) as malformed:
        await rules.legal_plays(BACKGAMMON, "24:3", 0, (3, 1))
    assert malformed.value.fields
    with pytest.raises(Unauthenticated):
        await RulesClient(rules.channel, "rubbish").begin(BACKGAMMON)
