"""What others need to know of a state without knowing the game."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import assert_never

from gammon_engine.referee import actions as act
from gammon_engine.referee.leaving import next_to_answer
from gammon_engine.referee.offers import owing_an_answer
from gammon_engine.referee.opening import starter_to_roll
from gammon_engine.referee.rule import rule
from gammon_engine.referee.state import Over, Phase, State
from gammon_engine.settings import Settings, games_of
from gammon_engine.violation import Violation


class Purpose(Enum):
    """What dice are drawn for."""

    OPENING = "opening"
    TURN = "turn"


@dataclass(frozen=True, slots=True)
class DrawNeeded:
    """The next draw: `count` dice, when one of `seats` asks, or `at_once` without anybody asking.

    What follows at once is the throw after a tied one, and the roll of a starter who throws both dice (5.15).
    """

    count: int
    purpose: Purpose
    seats: tuple[int, ...]
    at_once: bool


@dataclass(frozen=True, slots=True)
class Summary:
    """A state in short. `seats_to_act` owe the next action; any of them may ask for the opening throw."""

    phase: Phase
    game_number: int
    seats_to_act: tuple[int, ...]
    draw: DrawNeeded | None
    score: tuple[Fraction, ...]
    over: Over | None


def summary(state: State) -> Summary:
    """The summary of a state that the referee gave."""
    return Summary(
        phase=state.phase,
        game_number=state.game_number,
        seats_to_act=_seats_to_act(state),
        draw=_draw(state),
        score=state.score,
        over=state.over,
    )


def _seats_to_act(state: State) -> tuple[int, ...]:
    match state.phase:
        case Phase.OPENING:
            return state.contenders or state.seats_in
        case Phase.TO_ROLL | Phase.TO_PLAY | Phase.BEAVERED:
            return _only(state.turn)
        case Phase.DOUBLED:
            return _only(next_to_answer(state))
        case Phase.RACCOONED:
            return _only(state.cube.owner)
        case Phase.CHOOSING:
            return _only(state.chooser)
        case Phase.RESIGNING | Phase.SETTLING:
            return owing_an_answer(state)
        case Phase.OVER:
            return ()
        case _:
            assert_never(state.phase)


def _only(seat: int | None) -> tuple[int, ...]:
    return () if seat is None else (seat,)


def _draw(state: State) -> DrawNeeded | None:
    if state.phase is Phase.OPENING:
        starter = starter_to_roll(state)
        if starter is not None:
            return DrawNeeded(2, Purpose.TURN, (starter,), at_once=True)
        seats = state.contenders or state.seats_in
        return DrawNeeded(len(seats), Purpose.OPENING, seats, at_once=bool(state.contenders))
    if state.phase is Phase.TO_ROLL and state.turn is not None:
        return DrawNeeded(2, Purpose.TURN, (state.turn,), at_once=False)
    return None


def legal_actions(settings: Settings, state: State, seat: int) -> tuple[type[act.Action], ...]:
    """The kinds of action `seat` may take now, each tried against the law; rulings from outside left out."""
    attempts: tuple[act.Action, ...] = (
        act.RollDice(seat, (1, 1)),
        act.Double(seat),
        act.Take(seat),
        act.Drop(seat),
        act.Beaver(seat),
        act.Raccoon(seat),
        act.Stay(seat),
        act.Leave(seat),
        act.Accept(seat),
        act.Decline(seat),
        act.Withdraw(seat),
        act.Resign(seat, 1),
        act.Settle(seat, Fraction(0), seat),
        act.OfferNoResult(seat),
        # The last of a mixed match's games is never the one that comes first (7.6).
        act.Choose(seat, games_of(settings.game)[-1]),
    )
    possible = [type(attempt) for attempt in attempts if not isinstance(rule(settings, state, attempt), Violation)]
    if state.phase is Phase.TO_PLAY and state.turn == seat:
        possible.insert(0, act.MakePlay)
    return tuple(possible)
