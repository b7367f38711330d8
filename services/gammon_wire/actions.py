"""Actions of the contract to and from the engine's."""

from fractions import Fraction
from typing import assert_never

from gammon.rules.v1 import action_pb2 as pb
from gammon_engine.referee import actions as act
from gammon_engine.referee.state import Phase
from gammon_engine.violation import Violation
from gammon_wire import words
from gammon_wire.plays import steps_from_proto, steps_to_proto

# Kinds of the contract that wait for a later issue, with the paragraph they belong to.
LATER = {
    "no_result": "1.11",
    "withdraw": "8.1",
    "void_game": "8.5",
    "set_score": "8.5",
}


def action_from_proto(message: pb.Action, phase: Phase) -> act.Action | Violation:
    """The action; a throw is the opening throw in phase opening, else the roll of a turn."""
    kind = message.WhichOneof("kind")
    if kind is None:
        return Violation("1", "is required", "action.kind", "")
    if kind in LATER:
        return Violation(LATER[kind], "is not served yet", "action.kind", kind)
    if kind == "roll" and phase is Phase.OPENING:
        return act.Open(tuple(message.roll.dice))
    if kind == "end_session":
        return act.EndSession()
    if not message.HasField("seat"):
        return Violation("1.1", "is required", "action.seat", "")
    return _of_seat(message, kind, message.seat)


def _of_seat(message: pb.Action, kind: str, seat: int) -> act.Action | Violation:
    match kind:
        case "roll":
            dice = tuple(message.roll.dice)
            if len(dice) != 2 or any(not 1 <= die <= 6 for die in dice):
                # What the phase says comes first; the referee refuses an empty roll by rule 1.3.
                return Violation("1.3", "a turn's roll has two dice from 1 to 6", "action.roll.dice", str(list(dice)))
            return act.RollDice(seat, (dice[0], dice[1]))
        case "play":
            match message.play.WhichOneof("form"):
                case "steps":
                    return act.MakePlay(seat, steps_from_proto(message.play.steps.steps))
                case "text":
                    return act.MakePlay(seat, message.play.text)
                case None:
                    return Violation("1.10", "steps or text are required", "action.play", "")
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
        case "lapse":
            return act.Lapse(seat)
        case "record_play":
            recorded = message.record_play
            return act.RecordPlay(seat, steps_from_proto(recorded.steps.steps), recorded.position)
        case "choose":
            game = words.GAME_OF.get(message.choose.game)
            if game is None:
                return Violation("7.6", "is not known", "action.choose.game", str(message.choose.game))
            return act.Choose(seat, game)
        case "forfeit":
            scope = words.SCOPE_OF.get(message.forfeit.scope)
            if scope is None:
                return Violation("8.3", "is required", "action.forfeit.scope", str(message.forfeit.scope))
            return act.Forfeit(seat, scope, message.forfeit.level or None)
    return Violation("1", "is not known", "action.kind", kind)


def action_to_proto(action: act.Action) -> pb.Action:
    """The contract's action."""
    message = pb.Action()
    match action:
        case act.Open(dice):
            message.roll.dice.extend(dice)
            message.roll.SetInParent()
            return message
        case act.EndSession():
            message.end_session.SetInParent()
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
        case act.Lapse():
            message.lapse.SetInParent()
        case act.RecordPlay(_, play, position):
            message.record_play.steps.steps.extend(steps_to_proto(play))
            message.record_play.position = position
        case act.Resign(_, level):
            message.resign.level = level
        case act.Settle(_, points, to):
            message.settle.points, message.settle.to_seat = int(points), to
            message.settle.SetInParent()
        case act.Choose(_, game):
            message.choose.game = words.GAMES[game]
        case act.Forfeit(_, scope, level):
            message.forfeit.scope, message.forfeit.level = words.SCOPES[scope], level or 0
        case _:
            assert_never(action)
    return message
