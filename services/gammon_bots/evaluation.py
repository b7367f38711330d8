"""How good a board of the 24-point games is, by what a player sees at a glance. Points are the own ones throughout."""

from __future__ import annotations

from gammon_engine.board24 import sides
from gammon_engine.play import BAR, OFF
from gammon_engine.position import Position

HOME = range(1, 7)
# Rolls of 36 that bring a checker over a distance, other checkers left aside (for 7 to 12 by both dice together).
SHOTS = (0, 11, 12, 14, 15, 15, 17, 6, 6, 5, 3, 2, 3)
# What a made point is worth in pips: the home board and the bar point, most of all the five and the four point.
POINT_WORTH = {1: 1.0, 2: 2.0, 3: 3.5, 4: 5.5, 5: 7.0, 6: 5.0, 7: 5.0, 8: 2.0, 18: 3.0, 20: 4.0, 21: 3.0}
# An opponent on the bar loses part of their turn, the more so against a strong board.
BAR_WORTH = 4.0
BOARD_WORTH = 2.5
OFF_WORTH = 3.0
STACK_COST = 0.7
SPARE = 3


def pips(side: bytes) -> int:
    """The pips that the owner of 26 counts, indexed by own point, still has to go."""
    return sum(point * count for point, count in enumerate(side))


def opponents_pips(theirs: bytes) -> int:
    """The opponent's pips, their counts indexed by the own points."""
    return sum((BAR - point) * count for point, count in enumerate(theirs))


def is_race(mine: bytes, theirs: bytes) -> bool:
    """Whether the sides have passed each other for good."""
    rearmost = max((point for point in range(1, BAR + 1) if mine[point]), default=OFF)
    return rearmost < min((point for point in range(BAR) if theirs[point]), default=BAR)


def evaluate(position: Position, seat: int) -> float:
    """How good the position is for `seat`, in pips, when the opponent is to roll. Only differences mean something."""
    mine, theirs = sides(position, seat)
    value = opponents_pips(theirs) - pips(mine) + OFF_WORTH * mine[OFF]
    if is_race(mine, theirs):
        return value
    their_board = sum(theirs[BAR - point] > 1 for point in HOME)
    my_board = sum(mine[point] > 1 for point in HOME)
    value += theirs[0] * (BAR_WORTH + BOARD_WORTH * my_board)
    for point in range(1, BAR):
        count = mine[point]
        if count == 1:
            value -= _hit_chance(theirs, point) * (BAR - point + BAR_WORTH + BOARD_WORTH * their_board)
        elif count > 1:
            value += POINT_WORTH.get(point, 1.0) - STACK_COST * max(count - SPARE, 0)
    return value


def _hit_chance(theirs: bytes, blot: int) -> float:
    missed = 1.0
    for distance in range(1, min(blot, len(SHOTS) - 1) + 1):
        if theirs[blot - distance]:
            missed *= 1 - SHOTS[distance] / 36
    return 1 - missed
