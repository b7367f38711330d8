"""Backgammon: the race, blots and how often they are hit, points made and who is on the bar."""

from __future__ import annotations

from dataclasses import dataclass

from gammon_bots.judges.counting import opponents_pips, pips, shot_chance
from gammon_bots.judges.judge import chance_of_lead
from gammon_engine.board24 import sides
from gammon_engine.game import Game
from gammon_engine.play import BAR, OFF
from gammon_engine.position import Position

HOME = range(1, 7)
# What a made point is worth in pips: the home board and the bar point, most of all the five and the four point.
POINT_WORTH = {1: 1.0, 2: 2.0, 3: 3.5, 4: 5.5, 5: 7.0, 6: 5.0, 7: 5.0, 8: 2.0, 18: 3.0, 20: 4.0, 21: 3.0}
# An opponent on the bar loses part of their turn, the more so against a strong board.
BAR_WORTH = 4.0
BOARD_WORTH = 2.5
OFF_WORTH = 3.0
STACK_COST = 0.7
SPARE = 3
# A lead of 12 pips in 100 is where most racing doubles become a drop: about 78 in 100 games.
RACE_SPREAD = 0.12
# With contact a lead means less: the loser may still hit.
CONTACT_SPREAD = 0.22
BAR_EDGE = 8.0
BOARD_EDGE = 3.0


def is_race(mine: bytes, theirs: bytes) -> bool:
    """Whether the sides have passed each other for good."""
    rearmost = max((point for point in range(1, BAR + 1) if mine[point]), default=OFF)
    return rearmost < min((point for point in range(BAR) if theirs[point]), default=BAR)


@dataclass(frozen=True, slots=True)
class BackgammonJudge:
    """Knows Backgammon and its set-ups."""

    game: Game

    def value(self, position: Position, seat: int) -> float:
        """In pips."""
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
                value -= shot_chance(theirs, point) * (BAR - point + BAR_WORTH + BOARD_WORTH * their_board)
            elif count > 1:
                value += POINT_WORTH.get(point, 1.0) - STACK_COST * max(count - SPARE, 0)
        return value

    def chance(self, position: Position, seat: int) -> float:
        """By the race, and while there is contact by the boards and the bar."""
        mine, theirs = sides(position, seat)
        lead = float(opponents_pips(theirs) - pips(mine))
        if is_race(mine, theirs):
            return chance_of_lead(lead, pips(mine), RACE_SPREAD)
        board = sum(mine[point] > 1 for point in HOME) - sum(theirs[BAR - point] > 1 for point in HOME)
        lead += BOARD_EDGE * board + BAR_EDGE * (theirs[0] - mine[BAR])
        return chance_of_lead(lead, pips(mine), CONTACT_SPREAD)
