"""What is left to a seat on turn, named with a ruling or asked for alone, over calls and streams."""

from tests.rules.conftest import Law, refusal
from tests.rules.test_streams import MATCH, asked, roll, text

from gammon.rules.v1 import action_pb2, state_pb2
from gammon.rules.v1 import rules_service_pb2 as pb
from gammon.rules.v1.settings_pb2 import GAME_BACKGAMMON, MatchPlay, Settings

NO_CUBE = Settings(game=GAME_BACKGAMMON, seats=2, match=MatchPlay(points=1))
# Seat 0 has two on the bar and seat 1 holds its 6 point, which is seat 0's 19: a 6-5 enters one.
ON_THE_BAR = "bar:2,6:13 24:2,13:5,8:3,6:5"


def naming(question: pb.Question) -> pb.Question:
    """The question with the only choice asked for."""
    question.name_only_choice = True
    return question


async def test_it_is_named_where_it_is_asked_for_and_only_there(law: Law) -> None:
    async with law.stream() as stream:
        opened = await stream.ruled(asked(await law.begin(NO_CUBE), NO_CUBE, seat=0, roll=roll(3, 1)))
        played = asked(opened, NO_CUBE, seat=0, play=text("8/5 6/5"))
        assert not (await stream.ruled(played)).HasField("only_choice")
        ruling = await stream.ruled(naming(played))
        told = (await law.stub.Rule(pb.RuleRequest(question=played), metadata=law.asks)).ruling
        assert told == ruling
    assert ruling.only_choice == pb.OnlyChoice(
        action=action_pb2.Action(seat=1, roll=action_pb2.Roll()), reason=pb.ONLY_CHOICE_REASON_NO_DOUBLE
    )


async def test_a_choice_is_not_named_where_there_are_several(law: Law) -> None:
    async with law.stream() as stream:
        begun = await law.begin(MATCH)
        opened = await stream.ruled(naming(asked(begun, MATCH, seat=0, roll=roll(3, 1))))
        assert not opened.HasField("only_choice")
        played = await stream.ruled(naming(asked(opened, MATCH, seat=0, play=text("8/5 6/5"))))
        # Seat 1 may double.
        assert not played.HasField("only_choice")


async def test_without_an_action_the_state_stays_and_its_only_choice_is_a_legal_action(law: Law) -> None:
    set_up = pb.SetUpRequest(settings=MATCH, position=ON_THE_BAR, turn=0)
    begun = (await law.stub.SetUp(set_up, metadata=law.asks)).ruling
    async with law.stream() as stream:
        rolled = await stream.ruled(asked(begun, MATCH, seat=0, roll=roll(6, 5)))
        question = pb.Question(rules_version="1", settings=MATCH, state=rolled.state, name_only_choice=True)
        alone = await stream.ruled(question)
        assert (alone.state, alone.summary, list(alone.facts)) == (rolled.state, rolled.summary, [])
        assert alone.only_choice.reason == pb.ONLY_CHOICE_REASON_FORCED
        done = await stream.ruled(
            pb.Question(rules_version="1", settings=MATCH, state=rolled.state, action=alone.only_choice.action)
        )
    after = state_pb2.State.FromString(done.state)
    assert after.position.split()[0] == "bar:1,20:1,6:13"


async def test_an_action_is_required_where_nothing_else_is_asked_for(law: Law) -> None:
    begun = await law.begin(MATCH)
    question = pb.Question(rules_version="1", settings=MATCH, state=begun.state)
    refused = await refusal(law.stub.Rule(pb.RuleRequest(question=question), metadata=law.asks))
    assert {fault.field for fault in refused.fields} == {"question.action.kind", "question.action.seat"}
