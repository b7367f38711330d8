"""The referee's state as bytes to be stored, and back."""

from fractions import Fraction

from google.protobuf.message import DecodeError

from gammon.rules.v1 import state_pb2 as pb
from gammon_engine.referee.state import Cube, Ended, Over, Phase, Resignation, Settlement, State
from gammon_engine.registry import game_of
from gammon_engine.settings import Settings
from gammon_engine.violation import Violation
from gammon_wire import words
from gammon_wire.points import points_from_proto, points_to_proto


def state_to_proto(settings: Settings, state: State) -> pb.State:
    """The contract's state; the position is text (rule 9)."""
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
        contenders=state.tied,
    )
    if state.turn is not None:
        message.turn = state.turn
    if state.starter is not None:
        message.starter = state.starter
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
            settle.points, settle.to_seat = int(points), to
            settle.SetInParent()
    if state.over is not None:
        message.result.winners.extend(state.over.winners)
        message.result.score.extend(points_to_proto(state.score))
        message.result.match = state.over.kind is Ended.MATCH
    return message


def state_to_bytes(settings: Settings, state: State) -> bytes:
    """The bytes to store; the same state gives the same bytes."""
    return state_to_proto(settings, state).SerializeToString(deterministic=True)


def state_from_bytes(settings: Settings, stored: bytes) -> State | Violation:
    """The state of bytes that a ruling returned, or why they are none."""
    try:
        message = pb.State.FromString(stored)
    except DecodeError as error:
        return Violation("9", f"is no state: {error}", "state", stored[:16].hex())
    phase, playing = words.PHASE_OF.get(message.phase), words.GAME_OF.get(message.playing)
    crawford = words.CRAWFORD_OF.get(message.crawford)
    if phase is None or playing is None or message.crawford not in words.CRAWFORD_OF:
        return Violation("9", "is no state of these rules", "state", stored[:16].hex())
    dice = tuple(message.dice)
    score = points_from_proto(message.score)
    if len(dice) not in (0, 2) or len(score) != settings.seats or not message.game_number:
        return Violation("9", "is no state of these settings", "state", stored[:16].hex())
    try:
        position = game_of(settings, playing).parse(message.position)
    except KeyError:
        return Violation("9", "is a state of a game that is not played here", "state", playing.value)
    if isinstance(position, Violation):
        return position
    offer = _offer(message)
    if isinstance(offer, Violation):
        return offer
    return State(
        phase=phase,
        game_number=message.game_number,
        playing=playing,
        position=position,
        seats_in=tuple(seat for seat in range(settings.seats) if seat not in message.left),
        score=score,
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
        tied=tuple(message.contenders),
        crawford=crawford,
        offer=offer,
        over=_over(message, phase),
    )


def _over(message: pb.State, phase: Phase) -> Over | None:
    if phase is not Phase.OVER:
        return None
    result = message.result
    return Over(Ended.MATCH if result.match else Ended.SESSION, tuple(result.winners))


def _offer(message: pb.State) -> Resignation | Settlement | Violation | None:
    if not message.HasField("offer"):
        return None
    offer = message.offer
    back = words.PHASE_OF.get(offer.resume)
    if back is None:
        return Violation("8.1", "has no phase to return to", "state.offer", str(offer.resume))
    match offer.WhichOneof("offer"):
        case "resign":
            return Resignation(offer.seat, offer.resign.level, back)
        case "settle":
            return Settlement(offer.seat, Fraction(offer.settle.points), offer.settle.to_seat, back)
    return Violation("8.1", "is not known", "state.offer", str(offer.WhichOneof("offer")))
