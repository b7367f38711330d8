"""Whose turn comes next, and how the turns of a round end a game (5.13, 5.14)."""

from __future__ import annotations

from dataclasses import replace

from gammon_engine.outcome import Finished
from gammon_engine.referee.ending import end_by_finish, end_on_board
from gammon_engine.referee.facts import Fact
from gammon_engine.referee.ruling import Ruling
from gammon_engine.referee.state import Phase, State
from gammon_engine.registry import game_of
from gammon_engine.settings import Settings


def seat_after(state: State, seat: int) -> int:
    """The next seat clockwise that is still in the game."""
    later = [other for other in state.seats_in if other > seat]
    return later[0] if later else state.seats_in[0]


def after_play(settings: Settings, state: State, seat: int, facts: tuple[Fact, ...]) -> Ruling:
    """What the play that `seat` has just made on the board of `state` leads to."""
    match game_of(settings, state.playing).outcome(state.position, seat):
        case None:
            return after_turn(settings, state, seat, facts)
        case Finished():
            finished = replace(state, finished=tuple(sorted({*state.finished, seat})))
            return after_turn(settings, finished, seat, facts)
        case outcome:
            return end_on_board(settings, state, outcome, facts)


def after_turn(settings: Settings, state: State, seat: int, facts: tuple[Fact, ...]) -> Ruling:
    """`seat` has had its turn, or has none left: the next seat rolls, or the finishers have won (5.14)."""
    if state.finished and not _turns_left(settings, state, seat):
        return end_by_finish(settings, state, facts)
    return Ruling(replace(state, phase=Phase.TO_ROLL, turn=seat_after(state, seat), dice=None), facts)


def _turns_left(settings: Settings, state: State, seat: int) -> bool:
    """Whether a seat still in comes after `seat` in this round, which the starter's seat began even if it has left."""
    starter = state.starter or 0

    def place(of: int) -> int:
        return (of - starter) % settings.seats

    return any(place(other) > place(seat) for other in state.seats_in)
