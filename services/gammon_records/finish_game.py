"""The end of a game that its cells do not reach: what the record says of it, as acts."""

from __future__ import annotations

from fractions import Fraction

from gammon_engine.referee import actions as act
from gammon_engine.referee.state import Phase
from gammon_engine.settings import SessionPlay
from gammon_records.refused import Refused
from gammon_records.results import LEVELS, WrittenResult, level_of
from gammon_records.table import Table


def finish_game(table: Table, result: WrittenResult, whole: bool) -> Refused | None:
    """Ends the game at hand for the winner of `result`. `whole`: the loser gave up the match, not only the game."""
    state, loser = table.state, 1 - result.winner
    match state.phase:
        case Phase.DOUBLED | Phase.BEAVERED | Phase.RACCOONED:
            answering = {
                Phase.DOUBLED: None if state.turn is None else 1 - state.turn,
                Phase.BEAVERED: state.turn,
                Phase.RACCOONED: state.cube.owner,
            }[state.phase]
            if loser != answering:
                return Refused(result.line, f"seat {loser} loses the game, and seat {answering} was to answer a double")
            if state.phase is Phase.DOUBLED and _was_taken(table, result):
                return table.act(act.Take(loser), result.line) or _resign(table, result, whole)
            return table.act(act.Drop(loser), result.line)
        case _:
            return _resign(table, result, whole)


def _was_taken(table: Table, result: WrittenResult) -> bool:
    """Whether the points written are worth nothing but the doubled stake."""
    cube, needed = table.state.cube.value, table.needed(result.winner)
    if result.points in (0, cube) or (needed is not None and result.points == needed <= cube):
        return False
    return level_of(result.points, cube * 2, needed) is not None


def _resign(table: Table, result: WrittenResult, whole: bool) -> Refused | None:
    winner, loser, line = result.winner, 1 - result.winner, result.line
    cube, needed = table.state.cube.value, table.needed(winner)
    level = level_of(result.points, cube, needed)
    # A match is given up where that is said, or where it ends with more than the game can be worth.
    whole = whole or (table.last_game and needed is not None and result.points >= needed)
    if whole and needed is not None and (level is None or cube * level < needed):
        return table.act(act.Forfeit(loser, act.Scope.MATCH), line)
    if level is None:
        in_session = isinstance(table.settings.play, SessionPlay)
        if in_session and 0 < result.points < cube * max(LEVELS):
            settled = act.Settle(loser, Fraction(result.points), winner)
            return table.act(settled, line) or table.act(act.Accept(winner), line)
        table.warn(line, f"no level is worth {result.points} points with the cube at {cube}; given up single")
    resigned = act.Resign(loser, level or 1)
    return table.act(resigned, line) or table.act(act.Accept(winner), line)
