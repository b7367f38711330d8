"""Exact points (rule 6.12), and how far the contract's numbers reach."""

from collections.abc import Iterable
from fractions import Fraction

from gammon.rules.v1 import play_pb2 as pb

# The contract counts points in 64 bits, the law without bound (rule 6.2). A stake of 2 ** 40 leaves room for more
# games than anybody plays: a score of less than 2 ** 60, in sixths, and what three or four can win, and it still fits.
MOST_CUBE_LOG2 = 40
MOST_POINTS = 1 << 60

# Two or three winners share (rule 6.12); sums of halves and thirds are sixths.
SHARES = 6


def are_carried(messages: Iterable[pb.Points]) -> bool:
    """Whether these are points that play can lead to, with room for one more game."""
    return all(
        abs(own.numerator) <= MOST_POINTS * (own.denominator or 1) and SHARES % (own.denominator or 1) == 0
        for own in messages
    )


def points_to_proto(points: Iterable[Fraction]) -> list[pb.Points]:
    """One entry a seat; whole points leave the denominator out. Raises ValueError beyond 64 bits."""
    return [
        pb.Points(numerator=own.numerator, denominator=0 if own.denominator == 1 else own.denominator) for own in points
    ]


def points_from_proto(messages: Iterable[pb.Points]) -> tuple[Fraction, ...]:
    """One fraction a seat."""
    return tuple(Fraction(own.numerator, own.denominator or 1) for own in messages)


def whole(points: Fraction) -> int:
    """Points that the contract only has as whole ones (rule 8.6). Raises ValueError for a fraction."""
    if points.denominator != 1:
        raise ValueError(f"{points} points are not whole")
    return points.numerator
