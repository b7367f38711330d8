"""Results from first principles, without the referee: stakes, sums, and who has reached the points of the match."""

from fractions import Fraction

from google.protobuf.message import DecodeError

from gammon.match.v1 import settings_pb2
from gammon.rules.v1 import fact_pb2
from gammon.rules.v1 import settings_pb2 as rules_settings_pb2
from gammon_audit.envelopes import Parsed
from gammon_audit.report import Check, failed, passed
from gammon_wire.points import points_from_proto

RESULTS = "results"


def check_results(parsed: list[Parsed]) -> Check:
    """Each game's points are its stake times its level, scores are their sums, and a match ends when it is won."""
    rules = _rules(parsed)
    if rules is None:
        return failed(RESULTS, 1, "there are no settings to count by")
    target = rules.match.points if rules.HasField("match") else None
    score = tuple(Fraction(0) for _ in range(rules.seats))
    games, ended_at = 0, 0
    for event in parsed:
        if event.kind != "fact":
            continue
        fact, sequence = event.envelope.fact, event.sequence
        if fact.HasField("game_ended"):
            game = fact.game_ended
            if ended_at:
                return failed(RESULTS, sequence, f"the match ended with event {ended_at}")
            points = points_from_proto(game.points)
            fault = _game_fault(game, points, target is not None, rules.seats)
            if fault:
                return failed(RESULTS, sequence, fault)
            score = tuple(a + b for a, b in zip(score, points, strict=True))
            games += 1
            if points_from_proto(game.score) != score:
                return failed(RESULTS, sequence, f"the score after game {games} is {_shown(score)}")
        elif fact.HasField("play_ended"):
            ended_at = sequence
            fault = _end_fault(fact.play_ended, score, target)
            if fault:
                return failed(RESULTS, sequence, fault)
    if target is not None and not ended_at and max(score, default=Fraction(0)) >= target:
        return failed(RESULTS, parsed[-1].sequence, f"a seat has {target} points and the match goes on")
    return passed(RESULTS, f"{games} games, score {_shown(score)}")


def _game_fault(game: fact_pb2.GameEnded, points: tuple[Fraction, ...], is_match: bool, seats: int) -> str:
    if len(points) != seats:
        return f"points for {len(points)} seats"
    winners = tuple(game.winners)
    if not winners:
        return "nobody won, and there are points" if any(points) else ""
    if game.end == fact_pb2.GAME_END_SETTLED:
        return ""
    if len(winners) != 1 or seats != 2 or winners[0] >= seats:
        return f"winners {list(winners)} of {seats} seats"
    stake = Fraction((1 << game.cube_log2) * game.counted)
    if game.counted not in (1, 2, 3) or (game.level and game.counted > game.level):
        return f"level {game.level} counted {game.counted} times"
    expected = [Fraction(0) if is_match else -stake] * seats
    expected[winners[0]] = stake
    return "" if points == tuple(expected) else f"the game is worth {_shown(tuple(expected))}, not {_shown(points)}"


def _end_fault(end: fact_pb2.PlayEnded, score: tuple[Fraction, ...], target: int | None) -> str:
    if points_from_proto(end.score) != score:
        return f"the final score is {_shown(score)}, not {_shown(points_from_proto(end.score))}"
    if target is None:
        return "" if not end.match else "a session ended as a match"
    reached = [seat for seat, own in enumerate(score) if own >= target]
    winners = list(end.winners)
    if reached and winners != reached:
        return f"seat {reached[0]} has reached {target} points, the winner is {winners}"
    return ""


def _rules(parsed: list[Parsed]) -> rules_settings_pb2.Settings | None:
    if not parsed or parsed[0].kind != "match_created":
        return None
    try:
        agreed = settings_pb2.MatchSettings.FromString(parsed[0].envelope.match_created.settings)
    except DecodeError:
        return None
    return agreed.rules


def _shown(points: tuple[Fraction, ...]) -> str:
    return " : ".join(map(str, points))
