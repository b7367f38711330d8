"""The referee's one question: what does this action lead to?"""

from __future__ import annotations

from typing import assert_never

from gammon_engine.referee import actions as act
from gammon_engine.referee.corrections import set_score, void_game
from gammon_engine.referee.doubling import beaver, double, drop, raccoon, take
from gammon_engine.referee.forfeits import end_session, forfeit, lapse
from gammon_engine.referee.leaving import leave, stay
from gammon_engine.referee.mixed import choose
from gammon_engine.referee.offers import accept, decline, offer_no_result, resign, settle, withdraw
from gammon_engine.referee.opening import open_game
from gammon_engine.referee.recorded import record_play
from gammon_engine.referee.ruling import Ruling, not_yours, out_of_phase
from gammon_engine.referee.state import Phase, State
from gammon_engine.referee.turns import make_play, roll_dice
from gammon_engine.settings import Settings
from gammon_engine.violation import Violation

# What only two players do, and what only three or four do.
_OF_TWO = {
    act.Take: "6.2",
    act.Drop: "6.2",
    act.Beaver: "6.6",
    act.Raccoon: "6.7",
    act.Resign: "8.1",
    act.Settle: "8.6",
}
_OF_MORE = {act.Stay: "6.10", act.Leave: "6.10"}


def rule(settings: Settings, state: State, action: act.Action) -> Ruling | Violation:
    """The state after the action and the facts it establishes, or the first rule it breaks.

    Pure: dice come with the action, and a refused action changes nothing. `settings` must be without
    faults, `state` one that `begin`, `set_up` or this function gave for them.
    """
    if state.phase is Phase.OVER:
        return out_of_phase(settings, state)
    if not isinstance(action, act.Open | act.EndSession | act.VoidGame | act.SetScore):
        refusal = _seat_refusal(settings, state, action)
        if refusal is not None:
            return refusal
    match action:
        case act.Open():
            return open_game(settings, state, action)
        case act.RollDice():
            return roll_dice(settings, state, action)
        case act.MakePlay():
            return make_play(settings, state, action)
        case act.Double():
            return double(settings, state, action)
        case act.Take():
            return take(settings, state, action)
        case act.Drop():
            return drop(settings, state, action)
        case act.Beaver():
            return beaver(settings, state, action)
        case act.Raccoon():
            return raccoon(settings, state, action)
        case act.Stay():
            return stay(settings, state, action)
        case act.Leave():
            return leave(settings, state, action)
        case act.Accept():
            return accept(settings, state, action)
        case act.Decline():
            return decline(settings, state, action)
        case act.Withdraw():
            return withdraw(settings, state, action)
        case act.Resign():
            return resign(settings, state, action)
        case act.Settle():
            return settle(settings, state, action)
        case act.OfferNoResult():
            return offer_no_result(settings, state, action)
        case act.Choose():
            return choose(settings, state, action)
        case act.Forfeit():
            return forfeit(settings, state, action)
        case act.Lapse():
            return lapse(settings, state, action)
        case act.RecordPlay():
            return record_play(settings, state, action)
        case act.EndSession():
            return end_session(settings, state)
        case act.VoidGame():
            return void_game(settings, state)
        case act.SetScore():
            return set_score(settings, state, action)
        case _:
            assert_never(action)


def _seat_refusal(settings: Settings, state: State, action: act.SeatAction) -> Violation | None:
    """Why this seat cannot act so in any phase of the game."""
    if action.seat not in range(settings.seats):
        return not_yours("1.1", f"seats are 0 to {settings.seats - 1}", action.seat)
    if action.seat not in state.seats_in:
        return not_yours("8.3", "the seat has left this game", action.seat)
    if settings.seats > 2 and type(action) in _OF_TWO:
        return not_yours(_OF_TWO[type(action)], "only with two players", action.seat)
    if settings.seats == 2 and type(action) in _OF_MORE:
        return not_yours(_OF_MORE[type(action)], "only with three or four players", action.seat)
    return None
