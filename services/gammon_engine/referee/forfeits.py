"""Games, matches and sessions that end from outside (7.3, 8.3, 8.4)."""

from __future__ import annotations

from gammon_engine.referee.actions import Forfeit, Lapse, Scope
from gammon_engine.referee.ending import end_all, end_at_level
from gammon_engine.referee.facts import Forfeited, How
from gammon_engine.referee.leaving import go
from gammon_engine.referee.offers import level_refusal
from gammon_engine.referee.ruling import Ruling, out_of_phase
from gammon_engine.referee.state import Ended, Over, Phase, State
from gammon_engine.registry import game_of
from gammon_engine.settings import MatchPlay, Settings
from gammon_engine.violation import Violation


def forfeit(settings: Settings, state: State, action: Forfeit) -> Ruling | Violation:
    """An operator rules that a seat loses the game at a level, or the match; of three or four it leaves the game."""
    level = action.level
    if action.scope is Scope.MATCH:
        if not isinstance(settings.play, MatchPlay):
            return Violation("8.3", "a session has no match to forfeit", "scope", action.scope.value)
        if level is not None:
            return Violation("8.3", "a forfeited match has no level", "level", str(level))
        return _lose_match(state, action.seat, lapse=False)
    if state.phase is Phase.CHOOSING:
        return out_of_phase(settings, state)
    if settings.seats > 2 and level is None:
        level = 1
    if level is None:
        return Violation("8.3", "the ruling names a level", "level", "none")
    refusal = level_refusal("8.3", settings, state, level)
    if refusal is not None:
        return refusal
    return _lose_game(settings, state, action.seat, level, How.FORFEIT)


def lapse(settings: Settings, state: State, action: Lapse) -> Ruling | Violation:
    """A clock ran out or a player left: the match is lost, in a session the game at the law's price."""
    if isinstance(settings.play, MatchPlay):
        return _lose_match(state, action.seat, lapse=True)
    level = game_of(settings, state.playing).lapse_level(state.position, action.seat)
    return _lose_game(settings, state, action.seat, level, How.LAPSE)


def end_session(settings: Settings, state: State) -> Ruling | Violation:
    """A session ends between games; one with a fixed number may be cut short in the same way."""
    if isinstance(settings.play, MatchPlay):
        return Violation("7.3", "a match ends when it is won", "phase", state.phase.value)
    begun = state.contenders or len(state.seats_in) < settings.seats
    if state.phase is not Phase.OPENING or begun:
        return Violation("7.3", "a session ends between games", "phase", state.phase.value)
    return end_all(state, Over(Ended.SESSION, ()), ())


def _lose_game(settings: Settings, state: State, loser: int, level: int, how: How) -> Ruling:
    facts = (Forfeited(loser, level, lapse=how is How.LAPSE),)
    if settings.seats > 2:
        return go(settings, state, loser, how, facts)
    return end_at_level(settings, state, 1 - loser, level, how, facts)


def _lose_match(state: State, loser: int, lapse: bool) -> Ruling:
    """The score stays as it is: the game in progress has no result."""
    return end_all(state, Over(Ended.MATCH, (1 - loser,)), (Forfeited(loser, None, lapse),))
