"""The referee's one question: what does this action lead to?"""

from __future__ import annotations

from typing import assert_never

from gammon_engine.referee import actions as act
from gammon_engine.referee.doubling import beaver, double, drop, raccoon, take
from gammon_engine.referee.forfeits import end_session, forfeit, lapse
from gammon_engine.referee.offers import accept, decline, resign, settle
from gammon_engine.referee.opening import open_game
from gammon_engine.referee.recorded import record_play
from gammon_engine.referee.ruling import Ruling, not_yours, out_of_phase
from gammon_engine.referee.state import Phase, State
from gammon_engine.referee.turns import make_play, roll_dice
from gammon_engine.settings import Settings
from gammon_engine.violation import Violation


def rule(settings: Settings, state: State, action: act.Action) -> Ruling | Violation:
    """The state after the action and the facts it establishes, or the first rule it breaks.

    Pure: dice come with the action, and a refused action changes nothing. `settings` must be without
    faults, `state` one that `begin`, `set_up` or this function gave for them.
    """
    if not isinstance(action, act.Open | act.EndSession) and action.seat not in range(settings.seats):
        return not_yours("1.1", f"seats are 0 to {settings.seats - 1}", action.seat)
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
        case act.Accept():
            return accept(settings, state, action)
        case act.Decline():
            return decline(settings, state, action)
        case act.Resign():
            return resign(settings, state, action)
        case act.Settle():
            return settle(settings, state, action)
        case act.Forfeit():
            return forfeit(settings, state, action)
        case act.Lapse():
            return lapse(settings, state, action)
        case act.RecordPlay():
            return record_play(settings, state, action)
        case act.EndSession():
            return end_session(settings, state)
        case act.Choose():
            return _no_such_act(settings, state, "7.6", "only the winner in gammon games chooses", action.seat)
        case act.Stay() | act.Leave():
            return _no_such_act(settings, state, "6.10", "only with three or four players", action.seat)
        case _:
            assert_never(action)


def _no_such_act(settings: Settings, state: State, rule_number: str, reason: str, seat: int) -> Violation:
    if state.phase is Phase.OVER:
        return out_of_phase(settings, state)
    return not_yours(rule_number, reason, seat)
