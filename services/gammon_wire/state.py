"""The referee's state as bytes to be stored, and back."""

from fractions import Fraction

from google.protobuf.message import DecodeError

from gammon.rules.v1 import state_pb2 as pb
from gammon_engine.outcome import Finished
from gammon_engine.referee.state import Cube, Ended, NoResult, Over, Phase, Resignation, Settlement, State
from gammon_engine.registry import game_of
from gammon_engine.settings import Settings
from gammon_engine.violation import Violation
from gammon_wire import words
from gammon_wire.points import points_from_proto, points_to_proto, whole
from gammon_wire.state_faults import state_faults


def state_to_proto(settings: Settings, state: State) -> pb.State:
    """The contract's state; the position is text (rule 9). Raises ValueError beyond 64 bits of points."""
    message = pb.State(
        phase=words.PHASES[state.phase],
        game_number=state.game_number,
        playing=words.GAMES[state.playing],
        position=game_of(settings, state.playing).text(state.position),
        dice=state.dice or (),
        cube_log2=state.cube.exponent,
        score=points_to_proto(state.score),
        crawford=words.CRAWFORDS[state.crawford],
        raised=state.raised,
        automatic_doubles=state.automatic_doubles,
        rolls=state.rolls,
        left=[seat for seat in range(settings.seats) if seat not in state.seats_in],
        contenders=state.contenders,
        stayed=state.stayed,
        finished=state.finished,
        chosen=[words.GAMES[game] for game in state.chosen],
    )
    if any(state.paid):
        message.paid.extend(points_to_proto(state.paid))
    if state.turn is not None:
        message.turn = state.turn
    if state.starter is not None:
        message.starter = state.starter
    if state.chooser is not None:
        message.chooser = state.chooser
    if state.phase is Phase.DOUBLED and settings.seats > 2 and state.turn is not None:
        message.doubled_by = state.turn
    if state.cube.owner is not None:
        message.cube_owner = state.cube.owner
    if state.cube.last_doubler is not None:
        message.last_doubler = state.cube.last_doubler
    match state.offer:
        case Resignation(seat, level, back):
            message.offer.seat, message.offer.resume = seat, words.PHASES[back]
            message.offer.resign.level = level
        case Settlement(seat, points, to, back):
            message.offer.seat, message.offer.resume = seat, words.PHASES[back]
            settle = message.offer.settle
            settle.points, settle.to_seat = whole(points), to
            settle.SetInParent()
        case NoResult(seat, back, agreed):
            message.offer.seat, message.offer.resume = seat, words.PHASES[back]
            message.offer.no_result.SetInParent()
            message.offer.accepted.extend(agreed)
    if state.over is not None:
        message.result.winners.extend(state.over.winners)
        message.result.score.extend(points_to_proto(state.score))
        message.result.match = state.over.kind is Ended.MATCH
    return message


def state_to_bytes(settings: Settings, state: State) -> bytes:
    """The bytes to store; the same state gives the same bytes."""
    return state_to_proto(settings, state).SerializeToString(deterministic=True)


def state_from_bytes(settings: Settings, stored: bytes) -> State | Violation:
    """The state of bytes that a ruling under these settings returned, or why they are none."""
    try:
        message = pb.State.FromString(stored)
    except DecodeError:
        return Violation("9", "cannot be read", "state", f"{len(stored)} bytes")
    for fault in state_faults(message, settings):
        return Violation(fault.rule, fault.reason, fault.field, fault.value)
    playing = words.GAME_OF[message.playing]
    game = game_of(settings, playing)
    position = game.parse(message.position)
    if isinstance(position, Violation):
        return Violation(position.rule, position.reason, "state.position", message.position)
    if not all(isinstance(game.outcome(position, seat), Finished) for seat in message.finished):
        return Violation("5.13", "have not all discs home", "state.finished", str(list(message.finished)))
    dice = tuple(message.dice)
    return State(
        phase=words.PHASE_OF[message.phase],
        game_number=message.game_number,
        playing=playing,
        position=position,
        seats_in=tuple(seat for seat in range(settings.seats) if seat not in message.left),
        score=points_from_proto(message.score),
        turn=message.turn if message.HasField("turn") else None,
        starter=message.starter if message.HasField("starter") else None,
        dice=(dice[0], dice[1]) if dice else None,
        rolls=tuple(message.rolls),
        cube=Cube(
            message.cube_log2,
            message.cube_owner if message.HasField("cube_owner") else None,
            message.last_doubler if message.HasField("last_doubler") else None,
        ),
        raised=message.raised,
        automatic_doubles=message.automatic_doubles,
        contenders=tuple(message.contenders),
        stayed=tuple(message.stayed),
        finished=tuple(message.finished),
        paid=points_from_proto(message.paid) or (Fraction(0),) * settings.seats,
        crawford=words.CRAWFORD_OF[message.crawford],
        chooser=message.chooser if message.HasField("chooser") else None,
        chosen=tuple(words.GAME_OF[game] for game in message.chosen),
        offer=_offer(message),
        over=_over(message),
    )


def _over(message: pb.State) -> Over | None:
    if not message.HasField("result"):
        return None
    return Over(Ended.MATCH if message.result.match else Ended.SESSION, tuple(message.result.winners))


def _offer(message: pb.State) -> Resignation | Settlement | NoResult | None:
    offer = message.offer
    match offer.WhichOneof("offer"):
        case "resign":
            return Resignation(offer.seat, offer.resign.level, words.PHASE_OF[offer.resume])
        case "settle":
            points = Fraction(offer.settle.points)
            return Settlement(offer.seat, points, offer.settle.to_seat, words.PHASE_OF[offer.resume])
        case "no_result":
            return NoResult(offer.seat, words.PHASE_OF[offer.resume], tuple(offer.accepted))
        case None:
            return None
