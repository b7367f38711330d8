"""What stored bytes say against being a state that the referee gave. A ruling on a state relies on its shape."""

from collections.abc import Iterator

from gammon.rules.v1 import state_pb2 as pb
from gammon_engine.referee.stakes import has_crawford
from gammon_engine.settings import Settings
from gammon_engine.violation import Fault
from gammon_wire import words
from gammon_wire.points import MOST_CUBE_LOG2, MOST_POINTS

# Room for one more in the contract's 32 bits.
MOST_COUNT = (1 << 31) - 1

_SEATS = ("turn", "starter", "cube_owner", "last_doubler")
_LISTS_OF_SEATS = ("left", "contenders")
# Parts of the contract's state that belong to games, or to rulings, that no engine of ours knows yet.
_LATER = ("finished", "stayed", "paid", "chosen")

# A beaver stands on a double, a raccoon on both: the cube has been turned so often at least.
_LEAST_CUBE_LOG2 = {pb.PHASE_BEAVERED: 2, pb.PHASE_RACCOONED: 3}
_OFFERS = {pb.PHASE_RESIGNING: "resign", pb.PHASE_SETTLING: "settle"}
_RESUMED = (pb.PHASE_OPENING, pb.PHASE_TO_ROLL, pb.PHASE_TO_PLAY)


def state_faults(message: pb.State, settings: Settings) -> Iterator[Fault]:
    """What is wrong with the shape of a state of these settings, the position's text apart; found as asked for."""
    yield from _of_counts(message, settings)
    yield from _of_seats(message, settings.seats)
    yield from _of_phase(message)


def _of_counts(message: pb.State, settings: Settings) -> Iterator[Fault]:
    seats = settings.seats
    if message.phase not in words.PHASE_OF:
        yield Fault("state.phase", str(message.phase), "9", "is not known")
    if message.playing not in words.GAME_OF:
        yield Fault("state.playing", str(message.playing), "1", "is not known")
    crawford = words.CRAWFORD_OF.get(message.crawford)
    if message.crawford not in words.CRAWFORD_OF or (crawford is None) == has_crawford(settings):
        yield Fault("state.crawford", str(message.crawford), "7.2", "does not fit the settings")
    if not 1 <= message.game_number <= MOST_COUNT:
        yield Fault("state.game_number", str(message.game_number), "7.3", "games are numbered from 1")
    if len(message.score) != seats or any(abs(own.numerator) > MOST_POINTS for own in message.score):
        yield Fault("state.score", str(len(message.score)), "7.3", f"has {seats} entries below 2 ** 62")
    if len(message.rolls) != seats or max(message.rolls) > MOST_COUNT:
        yield Fault("state.rolls", str(list(message.rolls)), "6.9", f"has {seats} entries below 2 ** 31")
    if max(message.cube_log2, message.automatic_doubles) > MOST_CUBE_LOG2:
        yield Fault("state.cube_log2", str(message.cube_log2), "6.2", f"stakes are served to 2 ** {MOST_CUBE_LOG2}")


def _of_seats(message: pb.State, seats: int) -> Iterator[Fault]:
    for name in _SEATS:
        if getattr(message, name) >= seats:
            yield Fault(f"state.{name}", str(getattr(message, name)), "1.1", f"seats are 0 to {seats - 1}")
    for name in _LISTS_OF_SEATS:
        listed = list(getattr(message, name))
        if listed and (listed != sorted(set(listed)) or listed[-1] >= seats or len(listed) > seats - (name == "left")):
            yield Fault(f"state.{name}", str(listed), "1.1", f"seats are 0 to {seats - 1}, ascending, each once")
    for name in _LATER:
        if len(getattr(message, name)):
            yield Fault(f"state.{name}", str(len(getattr(message, name))), "9", "is of a game not played here")
    if message.HasField("doubled_by"):
        yield Fault("state.doubled_by", str(message.doubled_by), "6.10", "is of a game not played here")
    if message.HasField("chooser"):
        yield Fault("state.chooser", str(message.chooser), "7.6", "is of a game not played here")


def _of_phase(message: pb.State) -> Iterator[Fault]:
    phase = message.phase
    if (phase in _OFFERS) != message.HasField("offer"):
        yield Fault("state.offer", "", "8.1", "belongs to an offer that waits, and to nothing else")
    elif phase in _OFFERS:
        yield from _of_offer(message)
        # What it goes back to when it is declined must be whole too.
        phase = message.offer.resume
    if (phase == pb.PHASE_OVER) != message.HasField("result"):
        yield Fault("state.result", "", "7", "belongs to the end, and to nothing else")
    if (phase in (pb.PHASE_OPENING, pb.PHASE_OVER)) == message.HasField("turn"):
        yield Fault("state.turn", str(message.turn), "1.3", "is set between the opening and the end, and only then")
    dice = list(message.dice)
    if len(dice) != (2 if phase == pb.PHASE_TO_PLAY else 0) or any(not 1 <= die <= 6 for die in dice):
        yield Fault("state.dice", str(dice), "1.3", "are the two dice of a roll to be played, and only then")
    if message.contenders and phase != pb.PHASE_OPENING:
        yield Fault("state.contenders", str(list(message.contenders)), "1.7", "throw again for the opening only")
    if phase in _LEAST_CUBE_LOG2 and (
        message.cube_log2 < _LEAST_CUBE_LOG2[phase] or not message.HasField("cube_owner")
    ):
        yield Fault("state.cube_log2", str(message.cube_log2), "6.6", "has been turned and has an owner by now")


def _of_offer(message: pb.State) -> Iterator[Fault]:
    offer = message.offer
    if offer.WhichOneof("offer") != _OFFERS[message.phase]:
        yield Fault("state.offer", str(offer.WhichOneof("offer")), "8.1", "is not what the phase says")
    if offer.resume not in _RESUMED:
        yield Fault("state.offer.resume", str(offer.resume), "8.1", "is no phase to return to")
    seats = len(message.score)
    if max(offer.seat, offer.settle.to_seat) >= seats:
        yield Fault("state.offer.seat", str(offer.seat), "1.1", f"seats are 0 to {seats - 1}")
    if offer.HasField("resign") and not 1 <= offer.resign.level <= 3:
        yield Fault("state.offer.resign.level", str(offer.resign.level), "8.1", "a level is from 1 to 3")
