"""Facts of the engine to and from the contract's."""

from fractions import Fraction
from typing import assert_never

from gammon.rules.v1 import fact_pb2 as pb
from gammon_engine.referee import facts as fact
from gammon_engine.referee.actions import Scope
from gammon_engine.referee.state import Ended
from gammon_engine.violation import Fault
from gammon_wire import words
from gammon_wire.plays import steps_from_proto, steps_to_proto, violation_from_proto, violation_to_proto
from gammon_wire.points import points_from_proto, points_to_proto, whole


def fact_to_proto(told: fact.Fact) -> pb.Fact:
    """The contract's fact. Raises ValueError for what its numbers cannot carry: more than 64 bits of points."""
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
        case fact.Stayed(seat, exponent):
            message.stayed.seat, message.stayed.cube_log2 = seat, exponent
        case fact.SeatLeft(seat, paid):
            message.seat_left.seat = seat
            message.seat_left.paid.CopyFrom(points_to_proto((paid,))[0])
        case fact.GameChosen(seat, game):
            message.game_chosen.seat, message.game_chosen.game = seat, words.GAMES[game]
        case fact.ResignationOffered(seat, level):
            message.offer_made.seat = seat
            message.offer_made.resign.level = level
        case fact.SettlementOffered(seat, points, to):
            message.offer_made.seat = seat
            settle = message.offer_made.settle
            settle.points, settle.to_seat = whole(points), to
        case fact.NoResultOffered(seat):
            message.offer_made.seat = seat
            message.offer_made.no_result.SetInParent()
        case fact.OfferAccepted(seat):
            message.offer_closed.seat, message.offer_closed.accepted = seat, True
        case fact.OfferDeclined(seat):
            message.offer_closed.seat, message.offer_closed.accepted = seat, False
        case fact.OfferWithdrawn(seat):
            message.offer_closed.seat, message.offer_closed.withdrawn = seat, True
        case fact.Forfeited(seat, level, lapse):
            forfeited = message.forfeited
            forfeited.seat, forfeited.lapse = seat, lapse
            forfeited.forfeit.scope = words.SCOPES[Scope.MATCH if level is None else Scope.GAME]
            forfeited.forfeit.level = level or 0
        case fact.ScoreSet(score, crawford_played):
            message.score_set.score.extend(points_to_proto(score))
            message.score_set.crawford_played = crawford_played
        case fact.GameEnded():
            _put_game_ended(message.game_ended, told)
        case fact.PlayEnded(kind, winners, score):
            ended = message.play_ended
            ended.winners.extend(winners)
            ended.score.extend(points_to_proto(score))
            ended.match = kind is Ended.MATCH
        case _:
            assert_never(told)
    return message


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
    message.game = words.GAMES[told.game]


def fact_from_proto(message: pb.Fact) -> fact.Fact | Fault:
    """The engine's fact, or what about its form is wrong; whether it is true is for the referee."""
    kind = message.WhichOneof("kind")
    match kind:
        case None:
            return Fault("fact.kind", "", "1", "is required")
        case "rolled":
            dice = tuple(message.rolled.dice)
            if len(dice) != 2:
                return Fault("fact.rolled.dice", str(list(dice)), "1.1", "a roll is two dice")
            return fact.Rolled(message.rolled.seat, (dice[0], dice[1]))
        case "play_made":
            return fact.PlayMade(message.play_made.seat, steps_from_proto(message.play_made.steps))
        case "illegal_play_recorded":
            recorded = message.illegal_play_recorded
            broken = violation_from_proto(recorded.violation)
            return fact.IllegalPlayRecorded(recorded.seat, steps_from_proto(recorded.steps), recorded.position, broken)
        case "turn_passed":
            return fact.TurnPassed(message.turn_passed.seat)
        case "opening_thrown":
            return fact.OpeningThrown(tuple(message.opening_thrown.seats), tuple(message.opening_thrown.faces))
        case "automatically_doubled":
            return fact.AutomaticallyDoubled(message.automatically_doubled.cube_log2)
        case "game_opened":
            return _game_opened(message.game_opened)
        case "double_offered":
            return fact.DoubleOffered(message.double_offered.seat, message.double_offered.cube_log2)
        case "double_taken":
            return fact.DoubleTaken(message.double_taken.seat, message.double_taken.cube_log2)
        case "double_dropped":
            return fact.DoubleDropped(message.double_dropped.seat, message.double_dropped.cube_log2)
        case "beavered":
            return fact.Beavered(message.beavered.seat, message.beavered.cube_log2)
        case "raccooned":
            return fact.Raccooned(message.raccooned.seat, message.raccooned.cube_log2)
        case "raise_accepted":
            return fact.RaiseAccepted(message.raise_accepted.seat, message.raise_accepted.cube_log2)
        case "stayed":
            return fact.Stayed(message.stayed.seat, message.stayed.cube_log2)
        case "seat_left":
            (paid,) = points_from_proto((message.seat_left.paid,))
            return fact.SeatLeft(message.seat_left.seat, paid)
        case "game_chosen":
            return _game_chosen(message.game_chosen)
        case "offer_made":
            return _offer_made(message.offer_made)
        case "offer_closed":
            return _offer_closed(message.offer_closed)
        case "forfeited":
            return _forfeited(message.forfeited)
        case "score_set":
            return fact.ScoreSet(points_from_proto(message.score_set.score), message.score_set.crawford_played)
        case "game_ended":
            return _game_ended(message.game_ended)
        case "play_ended":
            ended = message.play_ended
            kind_of_play = Ended.MATCH if ended.match else Ended.SESSION
            return fact.PlayEnded(kind_of_play, tuple(ended.winners), points_from_proto(ended.score))
        case _:
            assert_never(kind)


def _game_opened(opened: pb.GameOpened) -> fact.GameOpened | Fault:
    game = words.GAME_OF.get(opened.game)
    if game is None:
        return Fault("fact.game_opened.game", str(opened.game), "1", "is not known")
    return fact.GameOpened(opened.game_number, game, opened.starter, opened.position)


def _game_chosen(chosen: pb.GameChosen) -> fact.GameChosen | Fault:
    game = words.GAME_OF.get(chosen.game)
    if game is None:
        return Fault("fact.game_chosen.game", str(chosen.game), "7.6", "is not known")
    return fact.GameChosen(chosen.seat, game)


def _offer_made(made: pb.OfferMade) -> fact.ResignationOffered | fact.SettlementOffered | fact.NoResultOffered | Fault:
    kind = made.WhichOneof("offer")
    match kind:
        case "resign":
            return fact.ResignationOffered(made.seat, made.resign.level)
        case "settle":
            return fact.SettlementOffered(made.seat, Fraction(made.settle.points), made.settle.to_seat)
        case "no_result":
            return fact.NoResultOffered(made.seat)
        case None:
            return Fault("fact.offer_made.offer", "", "8.1", "is required")
        case _:
            assert_never(kind)


def _offer_closed(closed: pb.OfferClosed) -> fact.OfferAccepted | fact.OfferDeclined | fact.OfferWithdrawn | Fault:
    if closed.withdrawn:
        if closed.accepted:
            return Fault("fact.offer_closed.withdrawn", "true", "8.1", "is not accepted as well")
        return fact.OfferWithdrawn(closed.seat)
    return fact.OfferAccepted(closed.seat) if closed.accepted else fact.OfferDeclined(closed.seat)


def _forfeited(forfeited: pb.Forfeited) -> fact.Forfeited | Fault:
    match words.SCOPE_OF.get(forfeited.forfeit.scope):
        case Scope.GAME:
            return fact.Forfeited(forfeited.seat, forfeited.forfeit.level, forfeited.lapse)
        case Scope.MATCH:
            return fact.Forfeited(forfeited.seat, None, forfeited.lapse)
        case None:
            return Fault("fact.forfeited.forfeit.scope", str(forfeited.forfeit.scope), "8.3", "a game or the match")


def _game_ended(ended: pb.GameEnded) -> fact.GameEnded | Fault:
    how = fact.How.BOARD if ended.end == pb.GAME_END_REMI else words.HOW_OF.get(ended.end)
    game = words.GAME_OF.get(ended.game)
    if how is None:
        return Fault("fact.game_ended.end", str(ended.end), "1.8", "is not known")
    if game is None:
        return Fault("fact.game_ended.game", str(ended.game), "1", "is not known")
    return fact.GameEnded(
        ended.game_number,
        game,
        tuple(ended.winners),
        how,
        ended.level or None,
        ended.counted,
        ended.cube_log2,
        points_from_proto(ended.points),
        points_from_proto(ended.score),
        ended.position,
    )
