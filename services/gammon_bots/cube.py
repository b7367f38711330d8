"""When to double and when to take, by the race and the boards."""

from __future__ import annotations

from math import exp

from gammon_bots.evaluation import HOME, is_race, opponents_pips, pips
from gammon_engine.board24 import sides
from gammon_engine.play import BAR
from gammon_engine.position import Position
from gammon_engine.referee.state import Crawford, State
from gammon_engine.settings import MatchPlay, Settings

# Being on roll is worth half a roll.
ON_ROLL = 4.0
# A lead of 12 pips in 100 is where most racing doubles become a drop: about 78 in 100 games.
RACE_SPREAD = 0.12
# With contact a lead means less: the loser may still hit.
CONTACT_SPREAD = 0.22
BAR_EDGE = 8.0
BOARD_EDGE = 3.0
DOUBLE_FROM = 0.70
REDOUBLE_FROM = 0.73
TAKE_FROM = 0.24


def winning_chance(position: Position, seat: int) -> float:
    """A guess, from 0 to 1, of how often `seat` wins when it is on roll."""
    mine, theirs = sides(position, seat)
    my_pips = pips(mine)
    edge = opponents_pips(theirs) - my_pips + ON_ROLL
    spread = RACE_SPREAD * my_pips
    if not is_race(mine, theirs):
        board = sum(mine[point] > 1 for point in HOME) - sum(theirs[BAR - point] > 1 for point in HOME)
        edge += BOARD_EDGE * board + BAR_EDGE * (theirs[0] - mine[BAR])
        spread = CONTACT_SPREAD * my_pips
    return 1 / (1 + exp(-edge / (spread + 1)))


def doubles(settings: Settings, state: State, seat: int) -> bool:
    """Whether `seat`, who may double, does."""
    match settings.play:
        case MatchPlay(points=points):
            if state.score[seat] + state.cube.value >= points:
                return False  # the stake already wins the match
            if state.crawford is Crawford.PLAYED and state.score[1 - seat] == points - 1:
                return True  # a lost game loses the match at any stake
    least = DOUBLE_FROM if state.cube.owner is None else REDOUBLE_FROM
    return winning_chance(state.position, seat) >= least


def takes(settings: Settings, state: State, seat: int) -> bool:
    """Whether `seat` takes the double of its opponent, who is on roll."""
    opponent = 1 - seat
    match settings.play:
        case MatchPlay(points=points):
            if state.score[opponent] + state.cube.value >= points:
                return True  # a drop loses the match
    return 1 - winning_chance(state.position, opponent) >= TAKE_FROM
