"""The track of Trackgammon (5.1 to 5.3), and its discs packed into one int.

Each seat has five points of four bits in its own numbering, from disc 1 to disc 5; seat 0's lie lowest. So a step is
one addition whatever the position, and equal positions are equal ints.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from gammon_engine.play import Roll
from gammon_engine.position import Position
from gammon_engine.settings import Centres

SIZES = (1, 2, 3, 4, 5)
FIRST, LAST = 1, 14
POINTS = tuple(range(FIRST, LAST + 1))

# 5.3
CENTRES: dict[Centres, tuple[int, ...]] = {Centres.FOUR: (3, 6, 9, 12), Centres.TWO: (5, 10)}

POINT_BITS = 4
SEAT_BITS = len(SIZES) * POINT_BITS
# The discs of one seat all on 14.
HOME = 0xEEEEE

_SEAT_MASK = (1 << SEAT_BITS) - 1
_HEX_VALUE = bytes(int(chr(byte), 16) if chr(byte) in "0123456789abcdef" else 0 for byte in range(256))


class Track(NamedTuple):
    """A track of so many legs, with the centre points of each in its owners' numbering."""

    seats: int
    centres: tuple[int, ...]

    def meeting(self, seat: int, point: int) -> tuple[int, int]:
        """The neighbour on whose leg a point of `seat` lies, and their number for it (5.2)."""
        neighbour = seat + 1 if point <= 7 else seat - 1
        return neighbour % self.seats, 15 - point


@cache
def shared_points(track: Track, seat: int) -> tuple[tuple[int, dict[int, int]], ...]:
    """Each neighbour with the centre points they share with `seat`: what they call a point, and what `seat` does."""
    found: dict[int, dict[int, int]] = {}
    for point in track.centres:
        neighbour, theirs = track.meeting(seat, point)
        found.setdefault(neighbour, {})[theirs] = point
    return tuple(found.items())


def numbers_of(roll: Roll) -> tuple[int, ...]:
    """The numbers a roll gives: a and b, or a twice and its reverse side twice (5.5)."""
    a, b = roll
    return (a, a, 7 - a, 7 - a) if a == b else (a, b)


def shift_of(seat: int, size: int) -> int:
    """How far left in a position the point of a disc lies."""
    return seat * SEAT_BITS + (size - 1) * POINT_BITS


def pack(discs: Iterable[Iterable[int]]) -> Position:
    """The position with these points of discs 1 to 5, seat by seat."""
    return sum(
        point << shift_of(seat, size) for seat, points in enumerate(discs) for size, point in enumerate(points, start=1)
    )


def own_of(position: Position, seat: int) -> int:
    """The discs of one seat, packed alone."""
    return position >> seat * SEAT_BITS & _SEAT_MASK


def discs_of(position: Position, seat: int) -> bytes:
    """The points of discs 1 to 5 of one seat, in its own numbering."""
    return (b"%05x" % own_of(position, seat)).translate(_HEX_VALUE)[::-1]
