"""Exact points (rule 6.12)."""

from collections.abc import Iterable
from fractions import Fraction

from gammon.rules.v1 import play_pb2 as pb


def points_to_proto(points: Iterable[Fraction]) -> list[pb.Points]:
    """One entry a seat; whole points leave the denominator out."""
    return [
        pb.Points(numerator=own.numerator, denominator=0 if own.denominator == 1 else own.denominator) for own in points
    ]


def points_from_proto(messages: Iterable[pb.Points]) -> tuple[Fraction, ...]:
    """One fraction a seat."""
    return tuple(Fraction(own.numerator, own.denominator or 1) for own in messages)
