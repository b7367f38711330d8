"""A turn: the roll and the play (1.3 to 1.5, 1.10)."""

from __future__ import annotations

from dataclasses import replace

from gammon_engine.referee.actions import MakePlay, RollDice
from gammon_engine.referee.facts import PlayMade, Rolled, TurnPassed
from gammon_engine.referee.rounds import after_play, after_turn
from gammon_engine.referee.ruling import Ruling, not_yours, out_of_phase
from gammon_engine.referee.state import Phase, State
from gammon_engine.registry import game_of
from gammon_engine.settings import Settings
from gammon_engine.violation import Violation


def roll_dice(settings: Settings, state: State, action: RollDice) -> Ruling | Violation:
    """The dice of a turn. Where no step is legal the turn passes with the roll (1.5)."""
    if state.phase is not Phase.TO_ROLL:
        return out_of_phase(settings, state)
    if action.seat != state.turn:
        return not_yours("1.3", "another seat is on turn", action.seat)
    if len(action.dice) != 2 or any(die not in range(1, 7) for die in action.dice):
        shown = "-".join(map(str, action.dice)) or "none"
        return Violation("1.1", "a roll is two dice from 1 to 6", "dice", shown)
    dice = (max(action.dice), min(action.dice))
    rolls = tuple(count + (seat == action.seat) for seat, count in enumerate(state.rolls))
    rolled = Rolled(action.seat, action.dice)
    if game_of(settings, state.playing).must_pass(state.position, action.seat, dice):
        return after_turn(settings, replace(state, rolls=rolls), action.seat, (rolled, TurnPassed(action.seat)))
    return Ruling(replace(state, phase=Phase.TO_PLAY, dice=dice, rolls=rolls), (rolled,))


def make_play(settings: Settings, state: State, action: MakePlay) -> Ruling | Violation:
    """A whole turn, as steps or as text."""
    if state.phase is not Phase.TO_PLAY or state.dice is None:
        return out_of_phase(settings, state)
    if action.seat != state.turn:
        return not_yours("1.3", "another seat is on turn", action.seat)
    game = game_of(settings, state.playing)
    if isinstance(action.play, str):
        play = game.read_play(action.play, state.position, action.seat, state.dice)
        if isinstance(play, Violation):
            return play
    else:
        play = action.play
        refusal = game.explain(state.position, action.seat, state.dice, play)
        if refusal is not None:
            return refusal
    position, play = game.apply(state.position, action.seat, play)
    return after_play(settings, replace(state, position=position), action.seat, (PlayMade(action.seat, play),))
