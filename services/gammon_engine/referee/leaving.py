"""Staying and leaving, with three or four players (6.10, 6.11, 8.2, 8.3)."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from gammon_engine.referee.actions import Leave, Stay
from gammon_engine.referee.ending import end_alone
from gammon_engine.referee.facts import Fact, How, SeatLeft, Stayed
from gammon_engine.referee.rounds import after_turn
from gammon_engine.referee.ruling import Ruling, not_yours, out_of_phase
from gammon_engine.referee.state import Cube, Phase, State
from gammon_engine.settings import Settings
from gammon_engine.violation import Violation


def next_to_answer(state: State) -> int | None:
    """Whose answer to the open double is due: clockwise from the doubler, the first that has not stayed (6.10)."""
    turn = -1 if state.turn is None else state.turn
    clockwise = sorted(state.seats_in, key=lambda seat: (seat < turn, seat))
    return next((seat for seat in clockwise if seat != turn and seat not in state.stayed), None)


def stay(settings: Settings, state: State, action: Stay) -> Ruling | Violation:
    """Stay in at the doubled stake."""
    if state.phase is not Phase.DOUBLED:
        return out_of_phase(settings, state)
    if action.seat != next_to_answer(state):
        return not_yours("6.10", "the others answer a double in turn, clockwise", action.seat)
    facts = (Stayed(action.seat, state.cube.exponent + 1),)
    return _answered(replace(state, stayed=tuple(sorted((*state.stayed, action.seat)))), facts)


def leave(settings: Settings, state: State, action: Leave) -> Ruling | Violation:
    """Leave on a double, or on one's own turn, for the stake before the double."""
    match state.phase:
        case Phase.DOUBLED:
            if action.seat != next_to_answer(state):
                return not_yours("6.10", "the others answer a double in turn, clockwise", action.seat)
        case Phase.TO_ROLL | Phase.TO_PLAY:
            if action.seat != state.turn:
                return not_yours("8.2", "a player leaves on their own turn, or on a double", action.seat)
        case _:
            return out_of_phase(settings, state)
    return go(settings, state, action.seat, How.DROP, ())


def go(settings: Settings, state: State, seat: int, how: How, facts: tuple[Fact, ...]) -> Ruling:
    """`seat` leaves in any phase of a game, and pays the stake as the cube shows it.

    A double that is not yet answered by all has not turned the cube. An offer that waits for answers is closed.
    """
    stake = Fraction(state.cube.value)
    left = replace(
        state,
        phase=state.phase if state.offer is None else state.offer.back,
        offer=None,
        seats_in=_without(state.seats_in, seat),
        paid=tuple(stake if other == seat else own for other, own in enumerate(state.paid)),
        contenders=_without(state.contenders, seat),
        stayed=_without(state.stayed, seat),
        finished=_without(state.finished, seat),
    )
    facts = (*facts, SeatLeft(seat, stake))
    if len(left.seats_in) == 1:
        return end_alone(settings, left, how, facts)
    if seat == state.turn:
        # 8.3: who leaves while their double is open withdraws it.
        return after_turn(settings, replace(left, stayed=()), seat, facts)
    return _answered(left, facts) if left.phase is Phase.DOUBLED else Ruling(left, facts)


def _answered(state: State, facts: tuple[Fact, ...]) -> Ruling:
    """The double stands once the last has answered; the doubler rolls (6.11)."""
    if next_to_answer(state) is not None:
        return Ruling(state, facts)
    cube = Cube(state.cube.exponent + 1, last_doubler=state.turn)
    return Ruling(replace(state, phase=Phase.TO_ROLL, cube=cube, raised=True, stayed=()), facts)


def _without(seats: tuple[int, ...], seat: int) -> tuple[int, ...]:
    return tuple(other for other in seats if other != seat)
