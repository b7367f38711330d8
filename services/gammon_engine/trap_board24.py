"""The board of a 24-point game with traps and without a bar, packed into one int.

Each seat has 26 bytes in its own numbering: off (0), points 1 to 24, and one that stays empty in the place of the bar.
A byte is the number of the seat's checkers there, trapped or not, plus HOLDING where they hold an opposing
checker trapped under them. So a step is one addition, after which `settle` marks what is trapped now; and a
point is closed to the opponent (3.3) exactly if its byte is above 1. The opponent's point q is the own point 25 - q.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gammon_engine.board24 import POINTS, SEATS
from gammon_engine.board24_text import TRAPPED
from gammon_engine.play import OFF
from gammon_engine.position import Position
from gammon_engine.view import GammonBoard, Pile

HOLDING = 0x80

_COUNT_OF = bytes(byte & ~HOLDING for byte in range(256))
_IS_CLOSED = bytes(byte > 1 for byte in range(256))


def _one(seat: int, point: int) -> int:
    return 1 << 8 * (26 * seat + point)


# MOVE[seat][distance][origin]: what to add to a position for one checker of `seat`; past 1 it is borne off.
MOVE = tuple(
    tuple(
        tuple(_one(seat, max(origin - distance, OFF)) - _one(seat, origin) for origin in range(26))
        for distance in range(13)
    )
    for seat in SEATS
)
_HOLDS = tuple(tuple(HOLDING * _one(seat, point) for point in range(26)) for seat in SEATS)
_ALL_BUT_HOLDS = tuple(~sum(holds) for holds in _HOLDS)


def pack(first: Sequence[int], second: Sequence[int]) -> Position:
    """The position with these 26 counts of seat 0 and of seat 1, each in its owner's numbering, or TRAPPED."""
    position = 0
    for seat, side in enumerate((first, second)):
        for point, count in enumerate(side):
            if count == TRAPPED:
                position += _one(seat, point) + _HOLDS[1 - seat][25 - point]
            else:
                position += count * _one(seat, point)
    return position


def sides(position: Position, seat: int) -> tuple[bytes, bytes]:
    """The bytes of `seat` and of the opponent, both indexed by the points of `seat`; the opponent's off is at 25."""
    packed = position.to_bytes(52, "little")
    if seat:
        return packed[26:], packed[25::-1]
    return packed[:26], packed[:25:-1]


def counts(position: Position, seat: int) -> list[int]:
    """What `pack` takes: the counts of `seat` in its own numbering, TRAPPED for a trapped checker."""
    mine, theirs = sides(position, seat)
    return [TRAPPED if their >= HOLDING else _COUNT_OF[my] for my, their in zip(mine, theirs, strict=True)]


def to_move(position: Position, seat: int) -> tuple[Position, Sequence[int], bytes, int]:
    """The board as steps of `seat` need it: `stem`, `free`, `theirs`, `lone`.

    `stem` is the position to which its steps are added; `settle` makes positions of the sums, given `lone`. `free` is
    how many checkers it can move from each of its points (3.2); `theirs` are the opponent's bytes, as in `sides`.
    """
    mine, theirs = sides(position, seat)
    if max(theirs) < HOLDING:
        free: Sequence[int] = mine.translate(_COUNT_OF)
    else:
        free = [0 if their >= HOLDING else _COUNT_OF[my] for my, their in zip(mine, theirs, strict=True)]
    lone = 0
    point = theirs.find(1, 1, 25)
    while point > 0:
        lone += _HOLDS[seat][point]
        point = theirs.find(1, point + 1, 25)
    return position & _ALL_BUT_HOLDS[seat], free, theirs, lone


def closed(theirs: bytes) -> bytes:
    """For each point, 1 where these opponents let nobody land (3.3), else 0."""
    return theirs.translate(_IS_CLOSED)


def settle(stepped: Iterable[Position], lone: int) -> set[Position]:
    """The positions that steps have led to, added to the `stem` of `to_move`.

    The opponent's checkers stay where they are during a turn. So the mover ends up holding those of their lone
    checkers, free or held before, on whose points it has one; `lone` has the bit of HOLDING for each of them.
    """
    if not lone:
        return set(stepped)
    carry = lone - (lone >> 7)  # lifts every count but 0 into that bit
    return {position | ((position + carry) & lone) for position in stepped}


def view(position: Position) -> GammonBoard:
    """The board as plain data; a trapped checker is the bottom pile."""
    first, second = sides(position, 0)
    points: list[tuple[Pile, ...]] = [()]
    for point in POINTS:
        piles = [Pile(seat, _COUNT_OF[side[point]]) for seat, side in enumerate((first, second)) if side[point]]
        points.append(tuple(piles[::-1] if first[point] >= HOLDING else piles))
    return GammonBoard(tuple(points), (0, 0), (first[OFF], second[25]), (0, *range(24, 0, -1)))
