"""Rungammon: the race, and walls in the way of what the opponent has yet to bring past them."""

from __future__ import annotations

from dataclasses import dataclass

from gammon_bots.judges.counting import pips
from gammon_bots.judges.judge import chance_of_lead
from gammon_engine.board24 import parallel_sides
from gammon_engine.game import Game
from gammon_engine.play import BAR, OFF
from gammon_engine.position import Position

OFF_WORTH = 3.0
# A wall of n points in a row costs the opponent (n - 1) squared times this for each checker behind it.
WALL_WORTH = 0.08
POINT_WORTH = 0.6
STACK_COST = 0.5
SPARE = 3
SPREAD = 0.18


@dataclass(frozen=True, slots=True)
class RungammonJudge:
    """Knows Rungammon, with either reading of the runner law."""

    game: Game

    def value(self, position: Position, seat: int) -> float:
        """In pips."""
        mine, _ = parallel_sides(position, seat)
        theirs, my_walls = parallel_sides(position, 1 - seat)
        value = pips(theirs) - pips(mine) + OFF_WORTH * mine[OFF]
        value += _worth_of_walls(my_walls, theirs)
        for point in range(1, BAR):
            if mine[point]:
                value += POINT_WORTH - STACK_COST * max(mine[point] - SPARE, 0)
        return value

    def chance(self, position: Position, seat: int) -> float:
        """By the race and the walls of both."""
        mine, their_walls = parallel_sides(position, seat)
        theirs, my_walls = parallel_sides(position, 1 - seat)
        lead = pips(theirs) - pips(mine) + _worth_of_walls(my_walls, theirs) - _worth_of_walls(their_walls, mine)
        return chance_of_lead(lead, pips(mine), SPREAD)


def _worth_of_walls(walls: bytes, behind: bytes) -> float:
    """What points held in a row cost who must pass them, all counted on the points of the one who must."""
    worth, waiting, length = 0.0, 0, 0
    for point in range(BAR - 1, 0, -1):
        if walls[point]:
            length += 1
            worth += WALL_WORTH * (2 * length - 1) * waiting if length > 1 else 0.0
        else:
            length = 0
            waiting += behind[point]
    return worth
