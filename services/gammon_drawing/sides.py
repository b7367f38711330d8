"""A board of 24 points turned to the seat that looks."""

from __future__ import annotations

from gammon_engine.view import GammonBoard, Pile

# Where points stand on a drawn board, from left to right; the looking seat's home is below on the right.
ABOVE = (range(13, 19), range(19, 25))
BELOW = (range(12, 6, -1), range(6, 0, -1))


def seen_by(board: GammonBoard, seat: int) -> tuple[tuple[Pile, ...], ...]:
    """The piles on each point in the numbering of `seat`; entry 0 is empty."""
    if seat == 0:
        return board.points
    seen = list(board.points)
    for point, piles in enumerate(board.points):
        seen[board.other[point]] = piles
    return tuple(seen)
