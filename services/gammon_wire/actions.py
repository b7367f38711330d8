"""Actions of the contract to and from the engine's."""

from fractions import Fraction
from typing import assert_never, cast

from gammon.rules.v1 import action_pb2 as pb
from gammon_engine.play import Roll
from gammon_engine.referee import actions as act
from gammon_engine.referee.state import Phase
from gammon_engine.violation import Fault
from gammon_wire import words
from gammon_wire.plays import steps_from_proto, steps_to_proto
from gammon_wire.points import MOST_POINTS, are_carried, points_from_proto, points_to_proto, whole

# A tied opening throw may be thrown again within one action; no ties go on for so long.
MOST_DICE = 100

# What is no seat's own act.
_NOBODYS = (act.Open, act.EndSession, act.VoidGame, act.SetScore)


def action_from_proto(message: pb.Action, phase: Phase) -> act.Action | tuple[Fault, ...]:
    """The action, or all that is wrong with its form; what it may do is for the referee.

    A throw is the opening throw in phase opening, else the roll of a turn. Its dice are not counted here: the phase
    and the turn come first, and the referee knows how many it needs.
    """
    action = _read(message, phase)
    nobodys = isinstance(action, _NOBODYS) or message.WhichOneof("kind") == "set_score"
    if message.HasField("seat") or nobodys:
        return (action,) if isinstance(action, Fault) else action
    missing = Fault("action.seat", "", "1.1", "is required")
    return (missing, action) if isinstance(action, Fault) else (missing,)


def _read(message: pb.Action, phase: Phase) -> act.Action | Fault:
    seat, kind = message.seat, message.WhichOneof("kind")
    match kind:
        case "roll":
            dice = tuple(message.roll.dice)
            if len(dice) > MOST_DICE:
                return Fault("action.roll.dice", f"{len(dice)} dice", "1.7", f"at most {MOST_DICE}")
            return act.Open(dice) if phase is Phase.OPENING else act.RollDice(seat, cast(Roll, dice))
        case "play":
            match message.play.WhichOneof("form"):
                case "steps":
                    return act.MakePlay(seat, steps_from_proto(message.play.steps.steps))
                case "text":
                    return act.MakePlay(seat, message.play.text)
                case None:
                    return Fault("action.play", "", "1.10", "steps or text are required")
        case "double":
            return act.Double(seat)
        case "take":
            return act.Take(seat)
        case "drop":
            return act.Drop(seat)
        case "beaver":
            return act.Beaver(seat)
        case "raccoon":
            return act.Raccoon(seat)
        case "stay":
            return act.Stay(seat)
        case "leave":
            return act.Leave(seat)
        case "accept":
            return act.Accept(seat)
        case "decline":
            return act.Decline(seat)
        case "resign":
            return act.Resign(seat, message.resign.level)
        case "settle":
            return act.Settle(seat, Fraction(message.settle.points), message.settle.to_seat)
        case "no_result":
            return act.OfferNoResult(seat)
        case "withdraw":
            return act.Withdraw(seat)
        case "lapse":
            return act.Lapse(seat)
        case "record_play":
            recorded = message.record_play
            return act.RecordPlay(seat, steps_from_proto(recorded.steps.steps), recorded.position)
        case "choose":
            game = words.GAME_OF.get(message.choose.game)
            if game is None:
                return Fault("action.choose.game", str(message.choose.game), "7.6", "is not known")
            return act.Choose(seat, game)
        case "forfeit":
            scope = words.SCOPE_OF.get(message.forfeit.scope)
            if scope is None:
                return Fault("action.forfeit.scope", str(message.forfeit.scope), "8.3", "a game or the match")
            return act.Forfeit(seat, scope, message.forfeit.level or None)
        case "end_session":
            return act.EndSession()
        case "void_game":
            return act.VoidGame()
        case "set_score":
            if not are_carried(message.set_score.score):
                return Fault("action.set_score.score", "", "7.3", f"is in halves and thirds, up to {MOST_POINTS}")
            return act.SetScore(points_from_proto(message.set_score.score), message.set_score.crawford_played)
        case None:
            return Fault("action.kind", "", "1", "is required")
        case _:
            assert_never(kind)


def action_to_proto(action: act.Action) -> pb.Action:
    """The contract's action. Raises ValueError for a settlement in fractions of a point, which it cannot carry."""
    message = pb.Action()
    match action:
        case act.Open(dice):
            message.roll.dice.extend(dice)
            message.roll.SetInParent()
            return message
        case act.EndSession():
            message.end_session.SetInParent()
            return message
        case act.VoidGame():
            message.void_game.SetInParent()
            return message
        case act.SetScore(score, crawford_played):
            message.set_score.score.extend(points_to_proto(score))
            message.set_score.crawford_played = crawford_played
            message.set_score.SetInParent()
            return message
    message.seat = action.seat
    match action:
        case act.RollDice(_, dice):
            message.roll.dice.extend(dice)
        case act.MakePlay(_, play):
            if isinstance(play, str):
                message.play.text = play
            else:
                message.play.steps.steps.extend(steps_to_proto(play))
                message.play.steps.SetInParent()
        case act.Double():
            message.double.SetInParent()
        case act.Take():
            message.take.SetInParent()
        case act.Drop():
            message.drop.SetInParent()
        case act.Beaver():
            message.beaver.SetInParent()
        case act.Raccoon():
            message.raccoon.SetInParent()
        case act.Stay():
            message.stay.SetInParent()
        case act.Leave():
            message.leave.SetInParent()
        case act.Accept():
            message.accept.SetInParent()
        case act.Decline():
            message.decline.SetInParent()
        case act.OfferNoResult():
            message.no_result.SetInParent()
        case act.Withdraw():
            message.withdraw.SetInParent()
        case act.Lapse():
            message.lapse.SetInParent()
        case act.RecordPlay(_, play, position):
            message.record_play.steps.steps.extend(steps_to_proto(play))
            message.record_play.position = position
        case act.Resign(_, level):
            message.resign.level = level
        case act.Settle(_, points, to):
            message.settle.points, message.settle.to_seat = whole(points), to
            message.settle.SetInParent()
        case act.Choose(_, game):
            message.choose.game = words.GAMES[game]
        case act.Forfeit(_, scope, level):
            message.forfeit.scope, message.forfeit.level = words.SCOPES[scope], level or 0
        case _:
            assert_never(action)
    return message
