"""Doubles, and their answers between two players (6.1, 6.2, 6.6, 6.7, 6.9, 6.10)."""

from __future__ import annotations

from dataclasses import replace

from gammon_engine.referee.actions import Beaver, Double, Drop, Raccoon, Take
from gammon_engine.referee.ending import end_by_drop
from gammon_engine.referee.facts import (
    Beavered,
    DoubleDropped,
    DoubleOffered,
    DoubleTaken,
    Raccooned,
    RaiseAccepted,
)
from gammon_engine.referee.ruling import Ruling, not_yours, out_of_phase
from gammon_engine.referee.stakes import cube_is_used
from gammon_engine.referee.state import Crawford, Cube, Phase, State
from gammon_engine.settings import MatchPlay, SessionPlay, Settings
from gammon_engine.violation import Violation


def double(settings: Settings, state: State, action: Double) -> Ruling | Violation:
    """The player on turn offers to double before rolling. The cube turns when the offer is taken, or when all of
    three or four have answered and one of them stays."""
    if state.phase is not Phase.TO_ROLL:
        return out_of_phase(settings, state)
    if action.seat != state.turn:
        return not_yours("6.1", "only the player on turn may double", action.seat)
    refusal = _double_refusal(settings, state, action.seat)
    if refusal is not None:
        return refusal
    offered = DoubleOffered(action.seat, state.cube.exponent + 1)
    return Ruling(replace(state, phase=Phase.DOUBLED), (offered,))


def _double_refusal(settings: Settings, state: State, seat: int) -> Violation | None:
    play = settings.play
    if not cube_is_used(settings):
        return not_yours("6.4", "there is no cube", seat)
    if state.crawford is Crawford.NOW:
        return not_yours("7.2", "the Crawford game has no cube", seat)
    if state.finished:
        return not_yours("6.1", "nobody may double once a player has finished", seat)
    if state.cube.owner not in (None, seat):
        return not_yours("6.1", "the opponent owns the cube", seat)
    if state.cube.last_doubler == seat:
        return not_yours("6.10", "who doubled last may not double", seat)
    holland = isinstance(play, MatchPlay) and play.holland
    if holland and state.crawford is Crawford.PLAYED and min(state.rolls) < 2:
        return not_yours("6.9", "nobody may double before each player has rolled twice", seat)
    return None


def take(settings: Settings, state: State, action: Take) -> Ruling | Violation:
    """The doubled stake is on, and the taker owns the cube."""
    if state.phase is not Phase.DOUBLED:
        return out_of_phase(settings, state)
    if action.seat == state.turn:
        return not_yours("6.2", "the opponent answers a double", action.seat)
    cube = Cube(state.cube.exponent + 1, action.seat)
    taken = replace(state, phase=Phase.TO_ROLL, cube=cube, raised=True)
    return Ruling(taken, (DoubleTaken(action.seat, cube.exponent),))


def drop(settings: Settings, state: State, action: Drop) -> Ruling | Violation:
    """The stake before the last raise is lost; the cube of a beaver or raccoon already shows that raise."""
    match state.phase:
        case Phase.DOUBLED:
            may_drop, exponent = action.seat != state.turn, state.cube.exponent
        case Phase.BEAVERED:
            may_drop, exponent = action.seat == state.turn, state.cube.exponent - 1
        case Phase.RACCOONED:
            may_drop, exponent = action.seat == state.cube.owner, state.cube.exponent - 1
        case _:
            return out_of_phase(settings, state)
    if not may_drop:
        return not_yours("6.2", "the opponent answers a raise", action.seat)
    winner = 1 - action.seat
    return end_by_drop(settings, state, winner, exponent, (DoubleDropped(action.seat, exponent),))


def beaver(settings: Settings, state: State, action: Beaver) -> Ruling | Violation:
    """Take and redouble in one; the doubler answers."""
    if state.phase is not Phase.DOUBLED:
        return out_of_phase(settings, state)
    if action.seat == state.turn:
        return not_yours("6.6", "the doubled player may beaver", action.seat)
    if not (isinstance(settings.play, SessionPlay) and settings.play.beavers):
        return not_yours("6.6", "beavers were not agreed", action.seat)
    cube = Cube(state.cube.exponent + 2, action.seat)
    beavered = replace(state, phase=Phase.BEAVERED, cube=cube, raised=True)
    return Ruling(beavered, (Beavered(action.seat, cube.exponent),))


def raccoon(settings: Settings, state: State, action: Raccoon) -> Ruling | Violation:
    """Redouble a beaver; the cube stays with the beaverer, who answers."""
    if state.phase is not Phase.BEAVERED:
        return out_of_phase(settings, state)
    if action.seat != state.turn:
        return not_yours("6.7", "the beavered player may raccoon", action.seat)
    if not (isinstance(settings.play, SessionPlay) and settings.play.raccoons):
        return not_yours("6.7", "raccoons were not agreed", action.seat)
    cube = Cube(state.cube.exponent + 1, state.cube.owner)
    raccooned = replace(state, phase=Phase.RACCOONED, cube=cube)
    return Ruling(raccooned, (Raccooned(action.seat, cube.exponent),))


def accept_raise(state: State, seat: int) -> Ruling | Violation:
    """Yes to a beaver or raccoon; the doubler rolls."""
    answering = state.turn if state.phase is Phase.BEAVERED else state.cube.owner
    if seat != answering:
        return not_yours("6.6" if state.phase is Phase.BEAVERED else "6.7", "the opponent answers a raise", seat)
    return Ruling(replace(state, phase=Phase.TO_ROLL), (RaiseAccepted(seat, state.cube.exponent),))
