"""Events in plain words, plays in their written form (rule 9.4)."""

from collections.abc import Iterable

from gammon.match.v1 import events_pb2
from gammon.rules.v1 import fact_pb2, play_pb2
from gammon_audit.table_words import REASONS, table_words
from gammon_engine.game import Game
from gammon_engine.play import Roll
from gammon_wire import words
from gammon_wire.plays import steps_from_proto
from gammon_wire.points import points_from_proto


def event_words(envelope: events_pb2.Envelope, game: Game, dice: Roll | None) -> str:
    """What an event tells, empty if another beside it says it; `dice`: the roll that a play plays."""
    match envelope.WhichOneof("event"):
        case "director_ruled":
            return f"the director rules {REASONS.get(envelope.director_ruled.reason, '')}".rstrip()
        case "record_claimed":
            return _claim_words(envelope.record_claimed)
        case "fact":
            return _fact_words(envelope.fact, game, dice)
        case _:
            return table_words(envelope)


def _fact_words(fact: fact_pb2.Fact, game: Game, dice: Roll | None) -> str:
    match fact.WhichOneof("kind"):
        case "opening_thrown":
            thrown = fact.opening_thrown
            faces = ", ".join(f"seat {s}: {f}" for s, f in zip(thrown.seats, thrown.faces, strict=False))
            return f"opening throw {faces}" + (", tied" if thrown.tied else "")
        case "automatically_doubled":
            return f"the cube goes to {_cube(fact.automatically_doubled.cube_log2)}"
        case "game_opened":
            return f"game {fact.game_opened.game_number}, seat {fact.game_opened.starter} starts"
        case "rolled":
            return "rolls " + "".join(map(str, fact.rolled.dice))
        case "play_made":
            return _rolled(dice) + game.write_play(steps_from_proto(fact.play_made.steps))
        case "illegal_play_recorded":
            illegal = fact.illegal_play_recorded
            played = game.write_play(steps_from_proto(illegal.steps))
            return f"plays against rule {illegal.violation.rule}: {_rolled(dice)}{played}"
        case "turn_passed":
            return f"seat {fact.turn_passed.seat} cannot move"
        case "double_offered":
            return f"doubles to {_cube(fact.double_offered.cube_log2)}"
        case "double_taken":
            return "takes"
        case "double_dropped":
            return "drops"
        case "beavered":
            return f"beavers to {_cube(fact.beavered.cube_log2)}"
        case "raccooned":
            return f"raccoons to {_cube(fact.raccooned.cube_log2)}"
        case "raise_accepted":
            return "accepts"
        case "offer_made":
            return _offer_words(fact.offer_made)
        case "stayed":
            return f"stays at {_cube(fact.stayed.cube_log2)}"
        case "seat_left":
            return f"seat {fact.seat_left.seat} leaves and pays {_points((fact.seat_left.paid,))}"
        case "game_chosen":
            return f"chooses {_game_name(fact.game_chosen.game)}"
        case "offer_closed":
            closed = fact.offer_closed
            return "accepts" if closed.accepted else "withdraws the offer" if closed.withdrawn else "declines"
        case "score_set":
            return f"the score is set to {_points(fact.score_set.score)}"
        case "forfeited":
            return f"seat {fact.forfeited.seat} " + ("lapses" if fact.forfeited.lapse else "forfeits")
        case "game_ended":
            return _game_words(fact.game_ended)
        case "play_ended":
            score = _points(fact.play_ended.score)
            winners = ", ".join(f"seat {seat}" for seat in fact.play_ended.winners)
            return f"{winners} wins the match {score}" if winners else f"the session ends {score}"
        case other:
            return (other or "").replace("_", " ")


def _rolled(dice: Roll | None) -> str:
    return f"{dice[0]}{dice[1]}: " if dice is not None else ""


def _offer_words(made: fact_pb2.OfferMade) -> str:
    if made.HasField("resign"):
        return f"offers to resign at level {made.resign.level}"
    if made.HasField("settle"):
        return f"offers to settle for {made.settle.points} to seat {made.settle.to_seat}"
    return "offers to end without points"


def _game_words(game: fact_pb2.GameEnded) -> str:
    if not game.winners:
        voided = game.end == fact_pb2.GAME_END_VOIDED
        return f"game {game.game_number} " + ("is voided" if voided else "ends without points")
    if len(game.winners) > 1:
        seats = " and ".join(f"seat {seat}" for seat in game.winners)
        return f"{seats} tie: {_points(game.points)}"
    won = max(points_from_proto(game.points), default=0)
    return f"seat {game.winners[0]} wins {won} point{'' if won == 1 else 's'}"


def _points(points: Iterable[play_pb2.Points]) -> str:
    return " : ".join(map(str, points_from_proto(points)))


def _game_name(game: int) -> str:
    known = words.GAME_OF.get(game)
    return known.value if known is not None else str(game)


def _claim_words(claimed: events_pb2.RecordClaimed) -> str:
    winners = ", ".join(f"seat {seat}" for seat in claimed.winners) or "nobody"
    points = _points(claimed.points)
    return f"the record says that {winners} wins {points}"


def _cube(exponent: int) -> str:
    # The law knows no upper bound (6.2); a number of a million digits helps nobody.
    return str(1 << exponent) if exponent < 64 else f"2^{exponent}"
