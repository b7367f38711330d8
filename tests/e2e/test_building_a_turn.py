"""A turn built step by step by a client: nothing of it is stored before it is whole, and then all of it at once."""

from collections.abc import Sequence
from random import Random

import pytest
from tests.e2e.play import ROLL, audited, backgammon, table
from tests.e2e.reach import Reachable

from gammon.match.v1 import events_pb2
from gammon.rules.v1 import action_pb2, play_pb2, state_pb2
from gammon.rules.v1 import settings_pb2 as rules_pb2
from gammon_client.errors import AgainstTheLaw
from gammon_client.rules_client import RulesClient


def whole(steps: Sequence[play_pb2.Step]) -> action_pb2.Action:
    """The turn as one act."""
    return action_pb2.Action(play=action_pb2.MakePlay(steps=play_pb2.Play(steps=steps)))


@pytest.mark.parametrize(
    "game",
    [rules_pb2.GAME_BACKGAMMON, rules_pb2.GAME_CATCHGAMMON, rules_pb2.GAME_RUNGAMMON, rules_pb2.GAME_TRACKGAMMON],
)
async def test_a_turn_is_built_undone_rebuilt_and_committed_whole(
    suite: Reachable, game: rules_pb2.Game.ValueType
) -> None:
    random = Random(7)
    settings = backgammon()
    settings.rules.game = game
    async with table(suite, settings) as at, suite.channel("rules") as channel:
        rules = RulesClient(channel, suite.token("alice", "player"))
        await at.clients[0].act(at.match_id, 0, ROLL)
        match = await at.clients[0].get_match(at.match_id)
        state = state_pb2.State.FromString(match.state)
        seat, dice = state.turn, list(state.dice)
        await at.clients[seat].get_match(at.match_id)

        async def build() -> list[play_pb2.Step]:
            chosen: list[play_pb2.Step] = []
            while True:
                found = await rules.next_steps(match.settings.rules, state.position, seat, dice, chosen)
                if found.complete:
                    return chosen
                assert found.steps
                chosen.append(random.choice(found.steps))
                # What is built so far, or undone again, is the client's own; half a turn is no act.
                if len(chosen) == 1:
                    with pytest.raises(AgainstTheLaw) as refused:
                        await at.clients[seat].act(at.match_id, seat, whole(chosen))
                    assert refused.value.metadata["rule"] in ("1.4", "5.10")

        await build()
        chosen = await build()
        assert (await at.clients[seat].get_match(at.match_id)).head == match.head
        end = await rules.next_steps(match.settings.rules, state.position, seat, dice, chosen)
        done = await at.clients[seat].act(at.match_id, seat, whole(chosen))
        first = events_pb2.Envelope.FromString(done.events[0].envelope)
        assert [(step.number, step.origin, step.target) for step in first.fact.play_made.steps] == [
            (step.number, step.origin, step.target) for step in chosen
        ]
        assert [event.sequence for event in done.events] == [match.head.sequence + 1]
        after = await at.clients[seat].get_match(at.match_id)
        assert state_pb2.State.FromString(after.state).position == end.position
        report = await audited(at.clients[0], at.match_id)
        assert report.first_wrong is None, report
