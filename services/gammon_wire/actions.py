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
from gammon_wire.points import whole

# Kinds of the contract that no engine of ours knows yet, with the paragraph they belong to.
LATER = {
    "no_result": "1.11",
    "withdraw": "8.1",
    "void_game": "8.5",
    "set_score": "8.5",
}

# A tied opening throw may be thrown again within one action; no ties go on for so long.
MOST_DICE = 100


def action_from_proto(message: pb.Action, phase: Phase) -> act.Action | tuple[Fault, ...]:
    """The action, or all that is wrong with its form; what it may do is for the referee.

    A throw is the opening throw in phase opening, else the roll of a turn. Its dice are not counted here: the phase
    and the turn come first, and the referee knows how many it needs.
    """
    action = _read(message, phase)
    if message.HasField("seat") or isinstance(action, act.Open | act.EndSession):
        return (action,) if isinstance(action, Fault) else action
    missing = Fault("action.seat", "", "1.1", "is required")
    if not isinstance(action, Fault):
        return (missing,)
    return (action,) if is_unsupported((action,)) else (missing, action)


def is_unsupported(wrong: tuple[Fault, ...]) -> bool:
    """Whether all that is wrong is that the kind of action is not served yet."""
    return all(fault.field == "action.kind" and fault.value in LATER for fault in wrong)


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
        case "no_result" | "withdraw" | "void_game" | "set_score":
            return Fault("action.kind", kind, LATER[kind], "is not served yet")
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
            message.settle.points, message.settle.to_seat = whole(points), to
            message.settle.SetInParent()
        case act.Choose(_, game):
            message.choose.game = words.GAMES[game]
        case act.Forfeit(_, scope, level):
            message.forfeit.scope, message.forfeit.level = words.SCOPES[scope], level or 0
        case _:
            assert_never(action)
    return message
