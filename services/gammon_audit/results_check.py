"""Results from first principles, without the referee: the cube counted, stakes, sums, and who reached the points."""

from dataclasses import dataclass, replace
from fractions import Fraction

from gammon.rules.v1 import action_pb2, fact_pb2
from gammon_audit.envelopes import Reading
from gammon_audit.pot import Pot, count, end_fault
from gammon_audit.report import Check, failed, not_checked, passed
from gammon_engine.settings import MatchPlay, Settings
from gammon_wire.points import points_from_proto

RESULTS = "results"

# What each fact adds to the cube, as a power of two (6.2, 6.6 to 6.8).
RAISES = {"automatically_doubled": 1, "double_taken": 1, "beavered": 2, "raccooned": 1}

# How nobody wins (1.11, 7.4).
WITHOUT_WINNERS = (fact_pb2.GAME_END_REMI, fact_pb2.GAME_END_AGREED, fact_pb2.GAME_END_VOIDED)


@dataclass(frozen=True, slots=True)
class Tally:
    """What has been counted so far. Cube, `taken` and `pending` are of the game being played.

    `taken`: a double was taken (6.5). `pending`: a beaver or raccoon is not answered yet. `forfeited_by`: the seat
    that gave up the match. `pot`: the stake of a game for three or four. `ended_at`: the event that ended it all.
    """

    score: tuple[Fraction, ...]
    games: int = 0
    exponent: int = 0
    taken: bool = False
    pending: bool = False
    forfeited_by: int | None = None
    pot: Pot = Pot()  # noqa: RUF009 - frozen
    ended_at: int = 0


def check_results(reading: Reading) -> Check:
    """Each game's points are its stake times its level, scores are their sums, and a match ends when it is won."""
    if isinstance(reading.agreed, str):
        none = not reading.parsed and not reading.whole
        return not_checked(RESULTS, reading.judged) if none else failed(RESULTS, 1, reading.agreed)
    rules = reading.agreed.rules
    tally = Tally((Fraction(0),) * rules.seats)
    ends: dict[int, Tally] = {}
    for event in reading.parsed:
        envelope = event.envelope
        if event.kind == "fact":
            counted = _count(rules, tally, envelope.fact, event.sequence)
            if isinstance(counted, str):
                return failed(RESULTS, event.sequence, counted)
            tally = counted
        elif event.kind == "taken_back":
            # Where to is the law check's to judge.
            tally = ends.get(envelope.taken_back.to_sequence, tally)
        if envelope.HasField("batch_end"):
            ends[event.sequence] = tally
    if not reading.whole:
        return not_checked(RESULTS, reading.judged)
    target = _target(rules)
    if target is not None and not tally.ended_at and max(tally.score) >= target:
        return failed(RESULTS, len(reading.parsed) + 1, f"a seat has {target} points, and the match has no end")
    return passed(RESULTS, f"{tally.games} games, score {_shown(tally.score)}")


def _count(rules: Settings, tally: Tally, fact: fact_pb2.Fact, sequence: int) -> Tally | str:
    if tally.ended_at:
        return f"the match ended with event {tally.ended_at}"
    kind = fact.WhichOneof("kind") or ""
    target = _target(rules)
    if target is not None and max(tally.score) >= target and kind != "play_ended":
        return f"a seat has {target} points and the match goes on"
    if kind in RAISES:
        return replace(
            tally,
            exponent=tally.exponent + RAISES[kind],
            taken=tally.taken or kind != "automatically_doubled",
            pending=kind in ("beavered", "raccooned"),
        )
    if rules.seats > 2:
        pot = count(tally.pot, fact, rules.seats)
        if isinstance(pot, str):
            return pot
        tally = replace(tally, pot=pot)
    match kind:
        case "raise_accepted":
            return replace(tally, pending=False)
        case "forfeited" if fact.forfeited.forfeit.scope == action_pb2.FORFEIT_SCOPE_MATCH:
            return replace(tally, forfeited_by=fact.forfeited.seat)
        case "score_set":
            return _set_score(rules, tally, points_from_proto(fact.score_set.score))
        case "game_ended":
            return _count_game(rules, tally, fact.game_ended)
        case "play_ended":
            return _end_fault(rules, tally, fact.play_ended) or replace(tally, ended_at=sequence)
    return tally


def _set_score(rules: Settings, tally: Tally, score: tuple[Fraction, ...]) -> Tally | str:
    """Rule 8.5: a ruling puts the score right; it is one that play can lead to, and ends nothing."""
    target = _target(rules)
    possible = len(score) == rules.seats and (
        not sum(score) if target is None else all(0 <= own < target and own.denominator == 1 for own in score)
    )
    return replace(tally, score=score) if possible else f"the score is set to {_shown(score)}"


def _count_game(rules: Settings, tally: Tally, game: fact_pb2.GameEnded) -> Tally | str:
    points = points_from_proto(game.points)
    fault = _game_fault(rules, tally, game, points)
    if fault:
        return fault
    score = tuple(own + won for own, won in zip(tally.score, points, strict=True))
    games = tally.games + 1
    if points_from_proto(game.score) != score:
        return f"the score after game {games} is {_shown(score)}"
    return Tally(score, games)


def _game_fault(rules: Settings, tally: Tally, game: fact_pb2.GameEnded, points: tuple[Fraction, ...]) -> str:
    seats, winners = rules.seats, tuple(game.winners)
    if len(points) != seats:
        return f"points for {len(points)} seats"
    if (not winners) != (game.end in WITHOUT_WINNERS):
        return "a game ends without a winner by a remi, by agreement or void, and so only"
    if not winners:
        return "nobody won, and there are points" if any(points) else ""
    if seats > 2:
        return end_fault(tally.pot, game, points)
    if winners == (0, 1) and game.end == fact_pb2.GAME_END_PLAYED:
        # A tie (7.4).
        tied = not any(points) and (game.cube_log2, game.level, game.counted) == (tally.exponent, 1, 1)
        return "" if tied else f"a tie scores nothing, not {_shown(points)}"
    if len(winners) != 1 or winners[0] >= seats:
        return f"winners {list(winners)[:8]} of {seats} seats"
    if game.end == fact_pb2.GAME_END_SETTLED:
        # The points are what was agreed (8.6); the law check knows the offer.
        settled = _target(rules) is None and not sum(points) and points[winners[0]] >= 0
        return "" if settled else f"{_shown(points)} is no settlement"
    dropped = game.end == fact_pb2.GAME_END_DROPPED
    exponent = tally.exponent - (dropped and tally.pending)
    if game.cube_log2 != exponent:
        return f"the game counts a cube of 2 to the power of {game.cube_log2}, it was raised {exponent} times"
    if not dropped and game.level not in (1, 2, 3):
        return f"no game is won at level {game.level}"
    counted = 1 if dropped or _gammons_do_not_count(rules, tally) else game.level
    if game.counted != counted:
        return f"level {game.level} was counted {game.counted} times, not {counted}"
    stake = Fraction((1 << exponent) * counted)
    expected = [Fraction(0) if _target(rules) is not None else -stake] * seats
    expected[winners[0]] = stake
    return "" if points == tuple(expected) else f"the game is worth {_shown(tuple(expected))}, not {_shown(points)}"


def _gammons_do_not_count(rules: Settings, tally: Tally) -> bool:
    """Rule 6.5."""
    return not isinstance(rules.play, MatchPlay) and rules.play.jacoby and not tally.taken


def _end_fault(rules: Settings, tally: Tally, end: fact_pb2.PlayEnded) -> str:
    score, target = tally.score, _target(rules)
    if points_from_proto(end.score) != score:
        return f"the final score is {_shown(score)}, not {_shown(points_from_proto(end.score))}"
    if end.match != (target is not None):
        return "a session ended as a match" if end.match else "a match ended as a session"
    winners = list(end.winners)
    if target is None:
        return "a session has no winner but its score" if winners else ""
    reached = [seat for seat, own in enumerate(score) if own >= target]
    if not reached and tally.forfeited_by is None:
        return f"nobody has reached {target} points or given up"
    expected = reached or [seat for seat in range(rules.seats) if seat != tally.forfeited_by]
    return "" if winners == expected else f"the match is won by seats {expected}, not by {winners[:8]}"


def _target(rules: Settings) -> int | None:
    """The points of a match; None for a session."""
    return rules.play.points if isinstance(rules.play, MatchPlay) else None


def _shown(points: tuple[Fraction, ...]) -> str:
    return " : ".join(map(str, points[:8]))
