"""What stored bytes say against being a state that the referee gave. A ruling on a state relies on its shape."""

from collections.abc import Iterator
from typing import Literal

from gammon.rules.v1 import state_pb2 as pb
from gammon_engine.referee.stakes import has_crawford
from gammon_engine.settings import Settings, games_of
from gammon_engine.violation import Fault
from gammon_wire import words
from gammon_wire.points import MOST_CUBE_LOG2, are_carried

# Room for one more in the contract's 32 bits.
MOST_COUNT = (1 << 31) - 1

_SEATS = ("turn", "starter", "cube_owner", "last_doubler", "doubled_by", "chooser")
_LISTS_OF_SEATS = ("left", "contenders", "stayed", "finished")
# What belongs to a game of two alone, and to one of three or four alone (rule 6.10).
_Holder = Literal["cube_owner", "last_doubler", "doubled_by"]
_OF_TWO: tuple[_Holder, ...] = ("cube_owner",)
_OF_MORE: tuple[_Holder, ...] = ("last_doubler", "doubled_by")

# A beaver stands on a double, a raccoon on both: the cube has been turned so often at least.
_LEAST_CUBE_LOG2 = {pb.PHASE_BEAVERED: 2, pb.PHASE_RACCOONED: 3}
_OFFERS = {pb.PHASE_RESIGNING: ("resign", "no_result"), pb.PHASE_SETTLING: ("settle",)}
_RESUMED = (pb.PHASE_OPENING, pb.PHASE_TO_ROLL, pb.PHASE_TO_PLAY)
_NOBODY_ON_TURN = (pb.PHASE_OPENING, pb.PHASE_CHOOSING, pb.PHASE_OVER)


def state_faults(message: pb.State, settings: Settings) -> Iterator[Fault]:
    """What is wrong with the shape of a state of these settings, the position's text apart; found as asked for."""
    yield from _of_counts(message, settings)
    yield from _of_games(message, settings)
    yield from _of_seats(message, settings.seats)
    yield from _of_phase(message, settings.seats)


def _of_counts(message: pb.State, settings: Settings) -> Iterator[Fault]:
    seats = settings.seats
    if message.phase not in words.PHASE_OF:
        yield Fault("state.phase", str(message.phase), "9", "is not known")
    crawford = words.CRAWFORD_OF.get(message.crawford)
    if message.crawford not in words.CRAWFORD_OF or (crawford is None) == has_crawford(settings):
        yield Fault("state.crawford", str(message.crawford), "7.2", "does not fit the settings")
    if not 1 <= message.game_number <= MOST_COUNT:
        yield Fault("state.game_number", str(message.game_number), "7.3", "games are numbered from 1")
    if len(message.score) != seats or not are_carried(message.score):
        yield Fault("state.score", str(len(message.score)), "7.3", f"has {seats} entries of points that games give")
    if len(message.paid) not in (0, seats) or not are_carried(message.paid):
        yield Fault("state.paid", str(len(message.paid)), "6.10", f"has {seats} entries of points, or none")
    if len(message.rolls) != seats or max(message.rolls) > MOST_COUNT:
        yield Fault("state.rolls", str(list(message.rolls)), "6.9", f"has {seats} entries below 2 ** 31")
    if max(message.cube_log2, message.automatic_doubles) > MOST_CUBE_LOG2:
        yield Fault("state.cube_log2", str(message.cube_log2), "6.2", f"stakes are served to 2 ** {MOST_CUBE_LOG2}")


def _of_games(message: pb.State, settings: Settings) -> Iterator[Fault]:
    games = games_of(settings.game)
    if words.GAME_OF.get(message.playing) not in games:
        yield Fault("state.playing", str(message.playing), "1", "is not played in this match")
    mixed, choosing = len(games) > 1, message.phase == pb.PHASE_CHOOSING
    left = [words.GAME_OF.get(game) for game in message.chosen]
    if len(left) > 1 or any(game not in games[1:] for game in left):
        yield Fault("state.chosen", str(list(message.chosen)), "7.6", "is the game left of a mixed match, or none")
    if choosing != message.HasField("chooser") or (choosing and not mixed):
        yield Fault("state.chooser", str(message.chooser), "7.6", "belongs to the choice in a mixed match")


def _of_seats(message: pb.State, seats: int) -> Iterator[Fault]:
    for name in _SEATS:
        if getattr(message, name) >= seats:
            yield Fault(f"state.{name}", str(getattr(message, name)), "1.1", f"seats are 0 to {seats - 1}")
    for name in _OF_MORE if seats == 2 else _OF_TWO:
        if message.HasField(name):
            yield Fault(f"state.{name}", str(getattr(message, name)), "6.10", "is for another number of players")
    for name in _LISTS_OF_SEATS:
        listed = list(getattr(message, name))
        if not _ascend(listed, seats):
            yield Fault(f"state.{name}", str(listed), "1.1", f"seats are 0 to {seats - 1}, ascending, each once")
        elif name != "left" and set(listed) & set(message.left):
            yield Fault(f"state.{name}", str(listed), "8.3", "names a seat that has left")
    # 6.11: who is alone has won.
    if len(message.left) > seats - 2 and message.phase != pb.PHASE_OVER:
        yield Fault("state.left", str(list(message.left)), "6.11", "leaves nobody to play")


def _ascend(listed: list[int], seats: int) -> bool:
    return listed == sorted(set(listed)) and all(seat < seats for seat in listed)


def _of_phase(message: pb.State, seats: int) -> Iterator[Fault]:
    phase = message.phase
    if (phase in _OFFERS) != message.HasField("offer"):
        yield Fault("state.offer", "", "8.1", "belongs to an offer that waits, and to nothing else")
    elif phase in _OFFERS:
        yield from _of_offer(message, seats)
        # What it goes back to when it is declined must be whole too.
        phase = message.offer.resume
    if (phase == pb.PHASE_OVER) != message.HasField("result"):
        yield Fault("state.result", "", "7", "belongs to the end, and to nothing else")
    on_turn = phase not in _NOBODY_ON_TURN
    if on_turn != message.HasField("turn") or (on_turn and message.turn in message.left):
        yield Fault("state.turn", str(message.turn), "1.3", "is set between the opening and the end, and only then")
    if phase != pb.PHASE_OVER and on_turn != message.HasField("starter"):
        yield Fault("state.starter", str(message.starter), "5.14", "is set from the opening to the end")
    dice = list(message.dice)
    if len(dice) != (2 if phase == pb.PHASE_TO_PLAY else 0) or any(not 1 <= die <= 6 for die in dice):
        yield Fault("state.dice", str(dice), "1.3", "are the two dice of a roll to be played, and only then")
    if message.contenders and phase != pb.PHASE_OPENING:
        yield Fault("state.contenders", str(list(message.contenders)), "1.7", "throw again for the opening only")
    if phase in _LEAST_CUBE_LOG2 and (
        message.cube_log2 < _LEAST_CUBE_LOG2[phase] or not message.HasField("cube_owner")
    ):
        yield Fault("state.cube_log2", str(message.cube_log2), "6.6", "has been turned and has an owner by now")
    yield from _of_answers(message, seats)
    if message.finished and (not on_turn or message.turn in message.finished) and phase != pb.PHASE_OVER:
        yield Fault("state.finished", str(list(message.finished)), "5.14", "have no turn, and others have")


def _of_answers(message: pb.State, seats: int) -> Iterator[Fault]:
    """The answers to a double of three or four."""
    answered = message.phase == pb.PHASE_DOUBLED and seats > 2
    doubler = message.turn if answered else 0
    if answered != message.HasField("doubled_by") or message.doubled_by != doubler:
        yield Fault("state.doubled_by", str(message.doubled_by), "6.10", "is the seat on turn while a double is open")
    others = seats - len(message.left) - 1
    if message.stayed and (not answered or message.turn in message.stayed or len(message.stayed) >= others):
        yield Fault("state.stayed", str(list(message.stayed)), "6.10", "are some of those who answer a double")


def _of_offer(message: pb.State, seats: int) -> Iterator[Fault]:
    offer = message.offer
    kind = offer.WhichOneof("offer")
    if kind not in _OFFERS[message.phase] or (seats > 2 and kind != "no_result"):
        yield Fault("state.offer", str(kind), "8.1", "is not what the phase says")
    if offer.resume not in _RESUMED:
        yield Fault("state.offer.resume", str(offer.resume), "8.1", "is no phase to return to")
    if max(offer.seat, offer.settle.to_seat) >= seats or offer.seat in message.left:
        yield Fault("state.offer.seat", str(offer.seat), "1.1", f"seats are 0 to {seats - 1}")
    if offer.HasField("resign") and not 1 <= offer.resign.level <= 3:
        yield Fault("state.offer.resign.level", str(offer.resign.level), "8.1", "a level is from 1 to 3")
    accepted = list(offer.accepted)
    others = set(range(seats)) - {offer.seat, *message.left}
    if accepted and (kind != "no_result" or not _ascend(accepted, seats) or not set(accepted) < others):
        yield Fault("state.offer.accepted", str(accepted), "1.11", "are some of those who answer, ascending")
