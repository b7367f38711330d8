"""Plays that the law does not allow, kept as a record of a match played elsewhere has them."""

from __future__ import annotations

from dataclasses import replace

from gammon_engine.game import Game
from gammon_engine.position import Position
from gammon_engine.referee.actions import RecordPlay
from gammon_engine.referee.facts import IllegalPlayRecorded
from gammon_engine.referee.rounds import after_play, seat_after
from gammon_engine.referee.ruling import Ruling, not_yours, out_of_phase
from gammon_engine.referee.state import Phase, State
from gammon_engine.registry import game_of
from gammon_engine.settings import Settings
from gammon_engine.violation import Violation


def record_play(settings: Settings, state: State, action: RecordPlay) -> Ruling | Violation:
    """The game goes on from the position the record has. A legal play is refused here: it is no exception.

    A seat whose turn passed for want of a legal step, and that moved all the same, may be recorded too, until the next
    seat acts.
    """
    if state.phase is not Phase.TO_PLAY and not _moved_all_the_same(state, action.seat):
        if state.phase is Phase.TO_ROLL:
            return not_yours("1.3", "the seat on turn has no roll to play", action.seat)
        return out_of_phase(settings, state)
    if state.phase is Phase.TO_PLAY and action.seat != state.turn:
        return not_yours("1.3", "another seat is on turn", action.seat)
    game = game_of(settings, state.playing)
    position = game.parse(action.position)
    if isinstance(position, Violation):
        return position
    for other in state.seats_in:
        if other not in (action.seat, *state.finished) and game.outcome(position, other) is not None:
            return Violation("1.8", f"seat {other} would have won by another seat's play", "position", action.position)
    broken = _broken(game, state, action, position)
    if broken is None:
        return Violation("1.9", "a legal play leads there, and is recorded as a play", "position", action.position)
    facts = (IllegalPlayRecorded(action.seat, action.play, game.text(position), broken),)
    return after_play(settings, replace(state, position=position), action.seat, facts)


def _moved_all_the_same(state: State, seat: int) -> bool:
    return state.phase is Phase.TO_ROLL and seat_after(state, seat) == state.turn


def _broken(game: Game, state: State, action: RecordPlay, position: Position) -> Violation | None:
    """The rule that the play breaks, None if it breaks none."""
    if state.dice is None:
        if position == state.position:
            return None
        return Violation("1.5", "no step was legal, and the turn had passed", "play", game.write_play(action.play))
    if position in game.legal_plays(state.position, action.seat, state.dice):
        return None
    # Steps may be unreadable in part, or legal and not lead where the record goes on.
    return game.explain(state.position, action.seat, state.dice, action.play) or Violation(
        "1.9", "no legal play leads to this position", "position", game.text(position)
    )
