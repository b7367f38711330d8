"""The rules service over real gRPC."""

import hashlib
from collections.abc import Sequence
from random import Random

import grpc
import pytest
from tests.e2e.reach import Reachable

from gammon.rules.v1 import rules_service_pb2 as pb
from gammon.rules.v1 import rules_service_pb2_grpc, settings_pb2, state_pb2
from gammon_rules.service.roles import ROLES
from gammon_shell.errors import read_error
from gammon_shell.roles import gaps

BOARD = settings_pb2.Settings(game=settings_pb2.GAME_BACKGAMMON, seats=2)
START = "24:2,13:5,8:3,6:5 24:2,13:5,8:3,6:5"


def backgammon(points: int = 3) -> settings_pb2.Settings:
    settings = settings_pb2.Settings(game=settings_pb2.GAME_BACKGAMMON, seats=2)
    settings.match.points = points
    return settings


def test_every_method_has_its_roles() -> None:
    assert gaps(ROLES, [pb.DESCRIPTOR]) == ()


def question(
    state: bytes, settings: settings_pb2.Settings, *, seat: int = 0, dice: Sequence[int] = (), text: str = ""
) -> pb.Question:
    asked = pb.Question(rules_version="1", settings=settings, state=state)
    asked.action.seat = seat
    if text:
        asked.action.play.text = text
    else:
        asked.action.roll.dice.extend(dice)
    return asked


async def test_a_whole_match_over_one_stream(suite: Reachable) -> None:
    random = Random(3)
    settings = backgammon()
    metadata = suite.metadata("tester", "service")
    async with suite.channel("rules") as channel:
        stub = rules_service_pb2_grpc.RulesServiceStub(channel)
        ruling = (await stub.Begin(pb.BeginRequest(settings=settings), metadata=metadata)).ruling
        stream = stub.RuleStream(metadata=metadata)
        acts = 0
        while not ruling.summary.HasField("result"):
            state = state_pb2.State.FromString(ruling.state)
            seat = ruling.summary.seats_to_act[0]
            if ruling.summary.HasField("draw"):
                dice = [random.randint(1, 6) for _ in range(ruling.summary.draw.count)]
                asked = question(ruling.state, settings, seat=seat, dice=dice)
            else:
                roll = pb.PlayQuestion(settings=settings, position=state.position, seat=seat, roll=state.dice)
                plays = (await stub.ListLegalPlays(pb.ListLegalPlaysRequest(question=roll), metadata=metadata)).plays
                assert plays.count == len(plays.plays) >= 1
                asked = question(ruling.state, settings, seat=seat, text=random.choice(plays.plays).text)
            await stream.write(pb.RuleStreamRequest(question=asked))
            answer = await stream.read()
            assert isinstance(answer, pb.RuleStreamResponse)
            assert answer.WhichOneof("answer") == "ruling", answer
            ruling = answer.ruling
            acts += 1
        assert acts > 50
        assert max(points.numerator for points in ruling.summary.result.score) >= 3
        stream.cancel()


async def test_a_violation_is_an_answer_with_its_rule_and_a_malformed_question_does_not_end_the_stream(
    suite: Reachable,
) -> None:
    settings, metadata = backgammon(), suite.metadata("tester", "service")
    async with suite.channel("rules") as channel:
        stub = rules_service_pb2_grpc.RulesServiceStub(channel)
        ruling = (await stub.Begin(pb.BeginRequest(settings=settings), metadata=metadata)).ruling
        stream = stub.RuleStream(metadata=metadata)

        async def ask(asked: pb.Question) -> pb.RuleStreamResponse:
            await stream.write(pb.RuleStreamRequest(question=asked))
            answer = await stream.read()
            assert isinstance(answer, pb.RuleStreamResponse)
            return answer

        assert (await ask(question(ruling.state, settings, text="8/5 6/5"))).violation.rule == "1.7"
        rubbish = await ask(question(b"\xff\xff", settings, dice=[3, 1]))
        assert rubbish.misunderstanding.reason == "ERROR_REASON_MALFORMED"
        other = question(ruling.state, settings, dice=[3, 1])
        other.rules_version = "0"
        assert (await ask(other)).misunderstanding.reason == "ERROR_REASON_UNKNOWN_RULES_VERSION"
        assert (await ask(question(ruling.state, settings, dice=[3, 1]))).WhichOneof("answer") == "ruling"
        stream.cancel()


async def test_bulk_legal_plays_answer_each_question(suite: Reachable) -> None:
    metadata = suite.metadata("tester", "spectator")
    good = pb.PlayQuestion(settings=BOARD, position=START, roll=[3, 1])
    bad = pb.PlayQuestion(settings=BOARD, position=START, roll=[3, 7])
    async with suite.channel("rules") as channel:
        stub = rules_service_pb2_grpc.RulesServiceStub(channel)
        request = pb.BatchListLegalPlaysRequest(questions=[good, bad, good])
        answers = (await stub.BatchListLegalPlays(request, metadata=metadata)).answers
    assert [answer.WhichOneof("answer") for answer in answers] == ["plays", "violation", "plays"]
    assert answers[1].violation.field == "question.roll"
    plays = answers[0].plays
    texts = [play.position for play in plays.plays]
    assert texts == sorted(texts)
    # Counted by hand for the opening 3-1: a known number of distinct plays.
    assert plays.count == 16
    assert plays.sha256 == hashlib.sha256("\n".join(texts).encode()).digest()


@pytest.mark.parametrize(
    ("change", "field", "reason"),
    [
        ({"game": 99}, "game", "MALFORMED"),
        ({"seats": 3}, "seats", "MALFORMED"),
        ({"centres": 1}, "centres", "MALFORMED"),
    ],
)
async def test_settings_that_do_not_fit_are_refused_by_field(
    suite: Reachable, change: dict[str, int], field: str, reason: str
) -> None:
    settings = backgammon()
    for name, value in change.items():
        setattr(settings, name, value)
    async with suite.channel("rules") as channel:
        stub = rules_service_pb2_grpc.RulesServiceStub(channel)
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await stub.Begin(pb.BeginRequest(settings=settings), metadata=suite.metadata("t", "player"))
    rejection = read_error(refused.value)
    assert rejection.reason == reason
    assert field in {fault.field for fault in rejection.fields}


async def test_text_is_read_into_its_normal_form_and_drawn(suite: Reachable) -> None:
    metadata = suite.metadata("tester", "service")
    asked = pb.PlayQuestion(settings=BOARD, position=START, roll=[6, 5])
    async with suite.channel("rules") as channel:
        stub = rules_service_pb2_grpc.RulesServiceStub(channel)
        read = await stub.ReadPlay(pb.ReadPlayRequest(question=asked, text="24/13"), metadata=metadata)
        assert read.play.text == "24/18 18/13"
        wrong = await stub.ReadPlay(pb.ReadPlayRequest(question=asked, text="24/12"), metadata=metadata)
        assert wrong.violation.rule
        drawn = await stub.DrawPosition(
            pb.DrawPositionRequest(settings=asked.settings, position=START), metadata=metadata
        )
        assert "BAR" in drawn.drawing
        games = await stub.ListGames(pb.ListGamesRequest(), metadata=metadata)
        assert games.games[0].name == "Backgammon"
