"""Catchgammon: the race, traps set and suffered, lone checkers within reach, and points made on the way."""

from __future__ import annotations

from dataclasses import dataclass

from gammon_bots.judges.counting import opponents_pips, pips, shot_chance
from gammon_bots.judges.judge import chance_of_lead
from gammon_engine.game import Game
from gammon_engine.play import BAR, OFF
from gammon_engine.position import Position
from gammon_engine.trap_board24 import HOLDING, sides

OFF_WORTH = 3.0
# A trap costs its victim these pips, and some for each pip that the checker still has to go.
TRAP_WORTH = 8.0
TRAP_WORTH_A_PIP = 0.9
# A checker trapped where all started is nearly the game (3.6).
START_WORTH = 25.0
START = 24
MADE_POINT_WORTH = 1.2
STACK_COST = 0.4
SPARE = 4
SPREAD = 0.25
_COUNT = bytes(byte & ~HOLDING for byte in range(256))


@dataclass(frozen=True, slots=True)
class CatchgammonJudge:
    """Knows Catchgammon."""

    game: Game

    def value(self, position: Position, seat: int) -> float:
        """In pips."""
        mine, theirs = sides(position, seat)
        my_counts, their_counts = mine.translate(_COUNT), theirs.translate(_COUNT)
        value = opponents_pips(their_counts) - pips(my_counts) + OFF_WORTH * mine[OFF]
        for point in range(1, BAR):
            count = my_counts[point]
            if theirs[point] >= HOLDING:
                value -= _trap_cost(point)
            elif mine[point] >= HOLDING:
                value += _trap_cost(BAR - point)
            elif count == 1:
                value -= shot_chance(their_counts, point) * _trap_cost(point)
            elif count:
                value += MADE_POINT_WORTH - STACK_COST * max(count - SPARE, 0)
        return value

    def chance(self, position: Position, seat: int) -> float:
        """By the race and the traps that stand."""
        mine, theirs = sides(position, seat)
        my_counts, their_counts = mine.translate(_COUNT), theirs.translate(_COUNT)
        lead = float(opponents_pips(their_counts) - pips(my_counts))
        for point in range(1, BAR):
            if theirs[point] >= HOLDING:
                lead -= _trap_cost(point)
            elif mine[point] >= HOLDING:
                lead += _trap_cost(BAR - point)
        return chance_of_lead(lead, pips(my_counts), SPREAD)


def _trap_cost(point: int) -> float:
    """What a trap on this point of its victim costs in pips."""
    return TRAP_WORTH + TRAP_WORTH_A_PIP * point + (START_WORTH if point == START else 0.0)
