"""When to double, take, and stay, by the chance to win."""

from __future__ import annotations

from gammon_bots.judges import judge_of
from gammon_engine.referee.state import Crawford, State
from gammon_engine.registry import game_of
from gammon_engine.settings import MatchPlay, Settings

# Between two players; with more an even chance is less, and these shrink alike.
DOUBLE_FROM = 0.70
REDOUBLE_FROM = 0.73
TAKE_FROM = 0.24


def doubles(settings: Settings, state: State, seat: int) -> bool:
    """Whether `seat`, who may double, does."""
    match settings.play:
        case MatchPlay(points=points):
            if state.score[seat] + state.cube.value >= points:
                return False  # the stake already wins the match
            if state.crawford is Crawford.PLAYED and state.score[1 - seat] == points - 1:
                return True  # a lost game loses the match at any stake
    least = DOUBLE_FROM if state.cube.owner is None else REDOUBLE_FROM
    return _chance(settings, state, seat) >= least * 2 / len(state.seats_in)


def takes(settings: Settings, state: State, seat: int) -> bool:
    """Whether `seat` takes the double of its opponent, who is on roll."""
    opponent = 1 - seat
    match settings.play:
        case MatchPlay(points=points):
            if state.score[opponent] + state.cube.value >= points:
                return True  # a drop loses the match
    return 1 - _chance(settings, state, opponent) >= TAKE_FROM


def stays(settings: Settings, state: State, seat: int) -> bool:
    """Whether `seat` stays in when one of three or four players doubles (6.10)."""
    return _chance(settings, state, seat) >= TAKE_FROM * 2 / len(state.seats_in)


def is_behind(settings: Settings, state: State, seat: int) -> bool:
    """Whether `seat` wins less often than an even share of those still in."""
    return _chance(settings, state, seat) < 1 / len(state.seats_in)


def _chance(settings: Settings, state: State, seat: int) -> float:
    return judge_of(game_of(settings, state.playing)).chance(state.position, seat)
