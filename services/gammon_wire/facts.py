"""Facts of the engine as the contract's."""

from typing import assert_never

from gammon.rules.v1 import fact_pb2 as pb
from gammon.rules.v1 import settings_pb2
from gammon_engine.referee import facts as fact
from gammon_engine.referee.actions import Scope
from gammon_engine.referee.state import Ended
from gammon_wire import words
from gammon_wire.plays import steps_to_proto, violation_to_proto
from gammon_wire.points import points_to_proto


def fact_to_proto(told: fact.Fact) -> pb.Fact:
    """The contract's fact."""
    message = pb.Fact()
    match told:
        case fact.Rolled(seat, dice):
            message.rolled.seat = seat
            message.rolled.dice.extend(dice)
        case fact.PlayMade(seat, play):
            message.play_made.seat = seat
            message.play_made.steps.extend(steps_to_proto(play))
        case fact.IllegalPlayRecorded(seat, play, position, broken):
            recorded = message.illegal_play_recorded
            recorded.seat, recorded.position = seat, position
            recorded.steps.extend(steps_to_proto(play))
            recorded.violation.CopyFrom(violation_to_proto(broken))
        case fact.TurnPassed(seat):
            message.turn_passed.seat = seat
        case fact.OpeningThrown(seats, dice):
            thrown = message.opening_thrown
            thrown.seats.extend(seats)
            thrown.faces.extend(dice)
            thrown.tied = dice.count(max(dice)) > 1
        case fact.AutomaticallyDoubled(exponent):
            message.automatically_doubled.cube_log2 = exponent
        case fact.GameOpened(number, game, starter, position):
            opened = message.game_opened
            opened.game_number, opened.game = number, words.GAMES[game]
            opened.starter, opened.position = starter, position
        case fact.DoubleOffered(seat, exponent):
            message.double_offered.seat, message.double_offered.cube_log2 = seat, exponent
        case fact.DoubleTaken(seat, exponent):
            message.double_taken.seat, message.double_taken.cube_log2 = seat, exponent
        case fact.DoubleDropped(seat, exponent):
            message.double_dropped.seat, message.double_dropped.cube_log2 = seat, exponent
        case fact.Beavered(seat, exponent):
            message.beavered.seat, message.beavered.cube_log2 = seat, exponent
        case fact.Raccooned(seat, exponent):
            message.raccooned.seat, message.raccooned.cube_log2 = seat, exponent
        case fact.RaiseAccepted(seat, exponent):
            message.raise_accepted.seat, message.raise_accepted.cube_log2 = seat, exponent
        case fact.ResignationOffered(seat, level):
            message.offer_made.seat = seat
            message.offer_made.resign.level = level
        case fact.SettlementOffered(seat, points, to):
            message.offer_made.seat = seat
            settle = message.offer_made.settle
            settle.points, settle.to_seat = int(points), to
            settle.SetInParent()
        case fact.OfferAccepted(seat):
            message.offer_closed.seat, message.offer_closed.accepted = seat, True
        case fact.OfferDeclined(seat):
            message.offer_closed.seat = seat
        case fact.Forfeited(seat, level, lapse):
            forfeited = message.forfeited
            forfeited.seat, forfeited.lapse = seat, lapse
            forfeited.forfeit.scope = words.SCOPES[Scope.MATCH if level is None else Scope.GAME]
            forfeited.forfeit.level = level or 0
        case fact.GameEnded():
            _put_game_ended(message.game_ended, told)
        case fact.PlayEnded(kind, winners, score):
            ended = message.play_ended
            ended.winners.extend(winners)
            ended.score.extend(points_to_proto(score))
            ended.match = kind is Ended.MATCH
        case _:
            assert_never(told)
    getattr(message, message.WhichOneof("kind") or _kind_of(told)).SetInParent()
    return message


def _kind_of(told: fact.Fact) -> str:
    """The kind of a fact whose fields are all zero, so that none has set it yet."""
    name = type(told).__name__
    if name == "OfferDeclined":
        return "offer_closed"
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("_")


def _put_game_ended(message: pb.GameEnded, told: fact.GameEnded) -> None:
    message.game_number = told.game_number
    end = words.GAME_ENDS[told.how]
    message.end = pb.GAME_END_REMI if end == pb.GAME_END_PLAYED and not told.winners else end
    message.winners.extend(told.winners)
    message.level = told.level or 0
    message.counted = told.counted
    message.cube_log2 = told.exponent
    message.points.extend(points_to_proto(told.points))
    message.score.extend(points_to_proto(told.score))
    message.position = told.position
    message.game = settings_pb2.Game.ValueType(words.GAMES[told.game])
