"""How a game ends, and what comes after it (rules.md sections 6 and 7)."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from gammon_engine.outcome import Remi, Win
from gammon_engine.referee.beginning import next_game
from gammon_engine.referee.facts import Fact, GameEnded, How, PlayEnded
from gammon_engine.referee.mixed import after_win
from gammon_engine.referee.ruling import Ruling
from gammon_engine.referee.stakes import counted_level, points_for, shares
from gammon_engine.referee.state import Crawford, Ended, Over, Phase, State
from gammon_engine.registry import game_of
from gammon_engine.settings import MatchPlay, SessionPlay, Settings


def end_on_board(settings: Settings, state: State, outcome: Win | Remi, facts: tuple[Fact, ...]) -> Ruling:
    """The game is decided by its position (1.8). `facts` are those that led here."""
    match outcome:
        case Win(seat, level):
            return end_at_level(settings, state, seat, level, How.BOARD, facts)
        case Remi():
            return end_without_points(settings, state, How.BOARD, facts, replayed=True)


def end_at_level(
    settings: Settings, state: State, winner: int, level: int, how: How, facts: tuple[Fact, ...]
) -> Ruling:
    """`winner` of two has won at `level`, on the board, by agreement or by a ruling (6.3, 8.1, 8.3)."""
    counted = counted_level(settings, state, level)
    points = points_for(settings, winner, Fraction(state.cube.value * counted))
    result = _result(settings, state, (winner,), how, level, counted, state.cube.exponent, points)
    return _end(settings, state, result, facts)


def end_by_drop(settings: Settings, state: State, winner: int, exponent: int, facts: tuple[Fact, ...]) -> Ruling:
    """The stake 2 ** `exponent` was dropped to `winner` of two (6.2)."""
    points = points_for(settings, winner, Fraction(1 << exponent))
    result = _result(settings, state, (winner,), How.DROP, None, 1, exponent, points)
    return _end(settings, state, result, facts)


def end_by_settlement(settings: Settings, state: State, to: int, amount: Fraction, facts: tuple[Fact, ...]) -> Ruling:
    """Two players agreed on `amount` for seat `to` (8.6)."""
    points = points_for(settings, to, amount)
    result = _result(settings, state, (to,), How.SETTLEMENT, None, 0, state.cube.exponent, points)
    return _end(settings, state, result, facts)


def end_by_finish(settings: Settings, state: State, facts: tuple[Fact, ...]) -> Ruling:
    """The round is over, and who has finished has won, single (5.14, 5.16)."""
    points = shares(settings, state, state.finished)
    result = _result(settings, state, state.finished, How.BOARD, 1, 1, state.cube.exponent, points)
    return _end(settings, state, result, facts)


def end_alone(settings: Settings, state: State, how: How, facts: tuple[Fact, ...]) -> Ruling:
    """The one seat still in has won (6.11). `how` is what the last of the others did."""
    points = shares(settings, state, state.seats_in)
    result = _result(settings, state, state.seats_in, how, None, 1, state.cube.exponent, points)
    return _end(settings, state, result, facts)


def end_without_points(
    settings: Settings, state: State, how: How, facts: tuple[Fact, ...], *, replayed: bool
) -> Ruling:
    """Nobody has won. `replayed`: it is played again as the same game of a session's number (7.4)."""
    nothing = (Fraction(0),) * settings.seats
    result = _result(settings, state, (), how, None, 0, state.cube.exponent, nothing)
    return _end(settings, state, result, facts, replayed=replayed)


def end_all(state: State, over: Over, facts: tuple[Fact, ...]) -> Ruling:
    """The match or session is over where it stands."""
    ended = replace(
        state,
        phase=Phase.OVER,
        turn=None,
        dice=None,
        contenders=(),
        stayed=(),
        chooser=None,
        offer=None,
        over=over,
    )
    return Ruling(ended, (*facts, PlayEnded(over.kind, over.winners, state.score)))


def _result(
    settings: Settings,
    state: State,
    winners: tuple[int, ...],
    how: How,
    level: int | None,
    counted: int,
    exponent: int,
    points: tuple[Fraction, ...],
) -> GameEnded:
    score = tuple(own + won for own, won in zip(state.score, points, strict=True))
    position = game_of(settings, state.playing).text(state.position)
    return GameEnded(state.game_number, state.playing, winners, how, level, counted, exponent, points, score, position)


def _end(
    settings: Settings, state: State, result: GameEnded, facts: tuple[Fact, ...], *, replayed: bool = False
) -> Ruling:
    facts = (*facts, result)
    scored = replace(state, score=result.score)
    over = None if replayed else _over(settings, scored)
    if over is not None:
        return end_all(scored, over, facts)
    number = state.game_number if replayed else state.game_number + 1
    # 7.4: a game without points keeps the Crawford status.
    crawford = _crawford_after(settings, scored) if any(result.points) else state.crawford
    following = next_game(settings, state.playing, number, result.score, crawford, state.chosen)
    if result.winners:
        following = after_win(settings, following, result.winners[0])
    return Ruling(following, facts)


def _over(settings: Settings, state: State) -> Over | None:
    match settings.play:
        case MatchPlay(points=points):
            winners = tuple(seat for seat, own in enumerate(state.score) if own >= points)
            return Over(Ended.MATCH, winners) if winners else None
        case SessionPlay(games=games):
            return Over(Ended.SESSION, ()) if state.game_number == games else None


def _crawford_after(settings: Settings, state: State) -> Crawford | None:
    match state.crawford, settings.play:
        case Crawford.PENDING, MatchPlay(points=points):
            # 7.2: the first game after either player first stands one point from the match.
            return Crawford.NOW if max(state.score) == points - 1 else Crawford.PENDING
        case Crawford.NOW, _:
            return Crawford.PLAYED
        case status, _:
            return status
