"""The mixed match over the games of one board: which game follows, and who chooses it (7.6)."""

from __future__ import annotations

from dataclasses import replace

from gammon_engine.description import Description, RulingNote
from gammon_engine.referee.actions import Choose
from gammon_engine.referee.beginning import next_game
from gammon_engine.referee.facts import GameChosen
from gammon_engine.referee.ruling import Ruling, not_yours, out_of_phase
from gammon_engine.referee.state import Phase, State
from gammon_engine.settings import GameId, Settings, games_of
from gammon_engine.violation import Violation

DESCRIPTION = Description(
    "Gammon games",
    seats=range(2, 3),
    options=("runner_release",),
    rulings=(
        RulingNote("7.6", "The Crawford game is one of the whole match, whichever game it falls on."),
        RulingNote("7.6", "A game without a winner is followed by the same game: the order goes on when one is won."),
        RulingNote("7.6", "Backgammon is played from its usual start; how the runner is released may be agreed."),
    ),
)


def after_win(settings: Settings, state: State, winner: int) -> State:
    """What follows a game that was won; `state` waits for the same game to be opened again."""
    first, *others = games_of(settings.game)
    if not others:
        return state
    if state.chosen:
        return _opening_of(settings, state, state.chosen)
    if state.playing is first:
        return replace(state, phase=Phase.CHOOSING, chooser=winner)
    return _opening_of(settings, state, (first,))


def choose(settings: Settings, state: State, action: Choose) -> Ruling | Violation:
    """The winner of the first game chooses the second; the third is the one left."""
    _, *others = games_of(settings.game)
    if not others:
        return not_yours("7.6", "only the winner in gammon games chooses", action.seat)
    if state.phase is not Phase.CHOOSING:
        return out_of_phase(settings, state)
    if action.seat != state.chooser:
        return not_yours("7.6", "the winner of the game before chooses", action.seat)
    if action.game not in others:
        choice = " or ".join(other.value for other in others)
        return Violation("7.6", f"expected {choice}", "game", action.game.value)
    order = (action.game, *(other for other in others if other is not action.game))
    return Ruling(_opening_of(settings, state, order), (GameChosen(action.seat, action.game),))


def _opening_of(settings: Settings, state: State, order: tuple[GameId, ...]) -> State:
    playing, *after = order
    return next_game(settings, playing, state.game_number, state.score, state.crawford, tuple(after))
