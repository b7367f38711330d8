"""The board of the 24-point games, packed into one int.

Each seat has 26 counts of four bits in its own numbering: off (0), points 1 to 24, bar (25). Seat 0's lie
in the low 104 bits, seat 1's above them. So a step or a hit is one addition whatever the position, and
equal positions are equal ints. Where the opponent's points lie on the own ones is the game's to say:
CONTRARY or PARALLEL.
"""

from __future__ import annotations

from collections.abc import Sequence

from gammon_engine.play import BAR, OFF
from gammon_engine.position import Position
from gammon_engine.view import GammonBoard, Pile

SEATS = (0, 1)
POINTS = tuple(range(1, 25))

# The number that the opponent gives to each own point; entry 0 is no point. The players move against each
# other (2, 3), or the same way round from opposite corners (4).
CONTRARY = (0, *range(24, 0, -1))
PARALLEL = (0, *range(13, 25), *range(1, 13))

_COUNT_BITS = 4
_SIDE_BITS = 26 * _COUNT_BITS
_HEX_VALUE = bytes(int(chr(byte), 16) if chr(byte) in "0123456789abcdef" else 0 for byte in range(256))


def _one(seat: int, point: int) -> int:
    return 1 << (seat * _SIDE_BITS + point * _COUNT_BITS)


def _moves(seat: int, distance: int) -> tuple[int, ...]:
    return tuple(_one(seat, max(origin - distance, OFF)) - _one(seat, origin) for origin in range(26))


# MOVE[seat][distance][origin]: what to add to a position for one checker of `seat`; past 1 it is borne off.
MOVE = tuple(tuple(_moves(seat, distance) for distance in range(13)) for seat in SEATS)

# HIT[seat][target]: what to add when `seat` hits a blot on its own point `target`. Entries 0 and 25 are no
# points.
HIT = tuple(tuple(_one(1 - seat, BAR) - _one(1 - seat, 25 - target) for target in range(26)) for seat in SEATS)


def pack(first: Sequence[int], second: Sequence[int]) -> Position:
    """The position with these 26 counts of seat 0 and of seat 1, each in its owner's numbering."""
    return sum(counts[point] * _one(seat, point) for seat, counts in enumerate((first, second)) for point in range(26))


def sides(position: Position, seat: int) -> tuple[bytes, bytes]:
    """Two times 26 counts, both indexed by the points of `seat`: its own checkers and the opponent's, CONTRARY.

    The opponent's bar is at 0 and their borne-off checkers at 25, where a checker of `seat` never lands.
    """
    counts = (b"%052x" % position).translate(_HEX_VALUE)
    if seat:
        return counts[25::-1], counts[26:]
    return counts[:25:-1], counts[:26]


def _digit(seat: int, point: int) -> int:
    """Which of 256 hexadecimal digits of a position is the count of `seat` on its own `point`."""
    return 255 - 26 * seat - point


_MINE = tuple(bytes(_digit(seat, point) for point in range(26)) for seat in SEATS)
_THEIRS_PARALLEL = tuple(bytes(_digit(1 - seat, point) for point in (BAR, *PARALLEL[1:], OFF)) for seat in SEATS)


def parallel_sides(position: Position, seat: int) -> tuple[bytes, bytes]:
    """As `sides`, with the opponent's points PARALLEL."""
    digits = b"%0256x" % position  # as a table, it translates places of digits into digits
    return (
        _MINE[seat].translate(digits).translate(_HEX_VALUE),
        _THEIRS_PARALLEL[seat].translate(digits).translate(_HEX_VALUE),
    )


def view(position: Position, other: tuple[int, ...] = CONTRARY) -> GammonBoard:
    """The board as plain data; `other` is CONTRARY or PARALLEL."""
    first, second = (sides(position, seat)[0] for seat in SEATS)
    piles = [
        tuple(Pile(seat, count) for seat, count in enumerate((first[point], second[other[point]])) if count)
        for point in POINTS
    ]
    return GammonBoard(((), *piles), (first[BAR], second[BAR]), (first[OFF], second[OFF]), other)
