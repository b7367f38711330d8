"""What is at stake in a game for three or four, counted from its facts alone (6.10 to 6.12)."""

from dataclasses import dataclass, field, replace
from fractions import Fraction

from gammon.rules.v1 import fact_pb2
from gammon_wire.points import points_from_proto


@dataclass(frozen=True, slots=True)
class Pot:
    """The stake is 2 ** `exponent`. `paid`: what each leaver paid; `doubler`: whose double waits for answers."""

    exponent: int = 0
    paid: dict[int, Fraction] = field(default_factory=dict)
    doubler: int | None = None
    stayed: frozenset[int] = frozenset()


def count(pot: Pot, fact: fact_pb2.Fact, seats: int) -> Pot | str:
    """The pot after a fact, or what is wrong with it."""
    match fact.WhichOneof("kind"):
        case "double_offered":
            return replace(pot, doubler=fact.double_offered.seat, stayed=frozenset())
        case "stayed":
            if fact.stayed.cube_log2 != pot.exponent + 1:
                return (
                    f"seat {fact.stayed.seat} stays at 2^{fact.stayed.cube_log2}, the double is to 2^{pot.exponent + 1}"
                )
            return _answered(replace(pot, stayed=pot.stayed | {fact.stayed.seat}), seats)
        case "seat_left":
            seat, (paid,) = fact.seat_left.seat, points_from_proto((fact.seat_left.paid,))
            if paid != 1 << pot.exponent:
                return f"seat {seat} left and paid {paid}, the stake was {1 << pot.exponent}"
            left = replace(pot, paid={**pot.paid, seat: paid}, stayed=pot.stayed - {seat})
            # A double whose maker leaves is withdrawn (8.3).
            return replace(left, doubler=None) if seat == pot.doubler else _answered(left, seats)
    return pot


def _answered(pot: Pot, seats: int) -> Pot:
    others = {seat for seat in range(seats) if seat not in pot.paid and seat != pot.doubler}
    if pot.doubler is None or not others or others != pot.stayed:
        return pot
    return replace(pot, exponent=pot.exponent + 1, doubler=None, stayed=frozenset())


def end_fault(pot: Pot, game: fact_pb2.GameEnded, points: tuple[Fraction, ...]) -> str:
    """What is wrong with how a game says that it was won."""
    seats, winners = len(points), set(game.winners)
    still_in = set(range(seats)) - set(pot.paid)
    played = game.end == fact_pb2.GAME_END_PLAYED
    if not winners <= still_in:
        return f"winners {list(game.winners)[:8]} are not all in the game"
    if not played and winners != still_in:
        return "the game is won by who is left alone, and others are in it"
    if (game.cube_log2, game.level, game.counted) != (pot.exponent, int(played), 1):
        return f"the game counts the cube at 2^{game.cube_log2} times {game.counted}, it was 2^{pot.exponent}, single"
    stake = Fraction(1 << pot.exponent)
    paid = [Fraction(0) if seat in winners else pot.paid.get(seat, stake) for seat in range(seats)]
    share = sum(paid, Fraction(0)) / len(winners)
    expected = tuple(share if seat in winners else -own for seat, own in enumerate(paid))
    if points == expected:
        return ""
    told, right = (" : ".join(map(str, each)) for each in (points, expected))
    return f"the game is worth {right}, not {told}"
