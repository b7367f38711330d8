"""Rulings by an operator that put right what stands (1.11, 7.2, 8.5). Take-backs are the keeper of the log's."""

from __future__ import annotations

from dataclasses import replace

from gammon_engine.referee.actions import SetScore
from gammon_engine.referee.beginning import crawford_at, score_refusal
from gammon_engine.referee.ending import end_without_points
from gammon_engine.referee.facts import How, ScoreSet
from gammon_engine.referee.ruling import Ruling, out_of_phase
from gammon_engine.referee.stakes import has_crawford
from gammon_engine.referee.state import Crawford, Cube, Phase, State
from gammon_engine.settings import Settings
from gammon_engine.violation import Violation

_RAISED = (Phase.DOUBLED, Phase.BEAVERED, Phase.RACCOONED)


def void_game(settings: Settings, state: State) -> Ruling | Violation:
    """The game being played, or about to be opened, counts for nothing; it is played again as the same game."""
    if state.phase is Phase.CHOOSING:
        return out_of_phase(settings, state)
    return end_without_points(settings, state, How.VOID, (), replayed=True)


def set_score(settings: Settings, state: State, action: SetScore) -> Ruling | Violation:
    """The score is as stated; whether the Crawford game is still to come, is being played or has been, follows."""
    refusal = score_refusal(settings, action.score)
    if refusal is not None:
        return refusal
    if action.crawford_played and not has_crawford(settings):
        return Violation("7.2", "there is no Crawford game", "crawford_played", "true")
    status = Crawford.PLAYED if action.crawford_played else crawford_at(settings, action.score)
    if status is Crawford.NOW and (state.cube != Cube() or state.phase in _RAISED):
        return Violation("7.2", "a game that has been doubled is no Crawford game", "crawford_played", "false")
    set_to = replace(state, score=action.score, crawford=status)
    return Ruling(set_to, (ScoreSet(action.score, action.crawford_played),))
