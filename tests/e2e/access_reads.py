"""One well-formed request for each call of the rules and the rating service: none of them stores anything."""

from typing import Any

from tests.e2e.access_asks import Asked

from gammon.rating.v1 import rating_service_pb2 as rating_pb
from gammon.rules.v1 import rules_service_pb2 as rules_pb
from gammon.rules.v1 import settings_pb2 as law_pb
from gammon_engine.settings import RULES_VERSION
from gammon_rules.app.rulings import Rulings

LAW = law_pb.Settings(game=law_pb.GAME_BACKGAMMON, seats=2, match=law_pb.MatchPlay(points=3))
POSITION = "24:2,13:5,8:3,6:5 24:2,13:5,8:3,6:5"
BOARD = rules_pb.PlayQuestion(settings=LAW, position=POSITION, roll=[3, 1])


def games(_asked: Asked) -> Any:
    return rules_pb.ListGamesRequest()


def begin(_asked: Asked) -> Any:
    return rules_pb.BeginRequest(settings=LAW)


def set_up(_asked: Asked) -> Any:
    return rules_pb.SetUpRequest(settings=LAW, position=POSITION)


def rule(_asked: Asked) -> Any:
    return rules_pb.RuleRequest(question=_question())


def rule_stream(_asked: Asked) -> Any:
    return [rules_pb.RuleStreamRequest(question=_question())]


def legal_plays(_asked: Asked) -> Any:
    return rules_pb.ListLegalPlaysRequest(question=BOARD)


def batch(_asked: Asked) -> Any:
    return rules_pb.BatchListLegalPlaysRequest(questions=[BOARD])


def next_steps(_asked: Asked) -> Any:
    return rules_pb.ListNextStepsRequest(question=BOARD)


def read_play(_asked: Asked) -> Any:
    return rules_pb.ReadPlayRequest(question=BOARD, text="8/5 6/5")


def draw(_asked: Asked) -> Any:
    return rules_pb.DrawPositionRequest(settings=LAW, position=POSITION)


def rating(asked: Asked) -> Any:
    return rating_pb.GetRatingRequest(player=asked.scene.person("alice"))


def leaders(_asked: Asked) -> Any:
    return rating_pb.ListLeadersRequest()


def changes(_asked: Asked) -> Any:
    return rating_pb.ListRatingChangesRequest()


def _question() -> rules_pb.Question:
    begun = Rulings().begin(LAW)
    assert not isinstance(begun, tuple)
    return rules_pb.Question(rules_version=RULES_VERSION, settings=LAW, state=begun.state, name_only_choice=True)
