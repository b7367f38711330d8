"""How matches, sessions and games begin, and where a set-up puts them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from gammon_engine.position import Position
from gammon_engine.referee.stakes import cube_is_used, has_crawford
from gammon_engine.referee.state import Crawford, Cube, Phase, State
from gammon_engine.registry import game_of
from gammon_engine.settings import GameId, MatchPlay, Settings, games_of
from gammon_engine.violation import Violation


def begin(settings: Settings) -> State:
    """The first state of a match or session, waiting for the opening throw of game 1.

    The settings must be without `faults`.
    """
    crawford = Crawford.PENDING if has_crawford(settings) else None
    return next_game(settings, games_of(settings.game)[0], 1, (Fraction(0),) * settings.seats, crawford)


def next_game(
    settings: Settings,
    playing: GameId,
    game_number: int,
    score: tuple[Fraction, ...],
    crawford: Crawford | None,
    chosen: tuple[GameId, ...] = (),
) -> State:
    """A game waiting for its opening throw; everything of the game before is gone (7.4, 7.5).

    `chosen`: the games settled for after it in a mixed match (7.6).
    """
    return State(
        phase=Phase.OPENING,
        game_number=game_number,
        playing=playing,
        position=game_of(settings, playing).start(),
        seats_in=tuple(range(settings.seats)),
        score=score,
        rolls=(0,) * settings.seats,
        paid=(Fraction(0),) * settings.seats,
        crawford=crawford,
        chosen=chosen,
    )


def set_up(
    settings: Settings,
    position: Position,
    turn: int,
    score: Sequence[Fraction | int] | None = None,
    cube: Cube = Cube(),  # noqa: B008 - frozen
    crawford: Crawford | None = None,
) -> State | Violation:
    """Game 1 in progress: `turn` started it, is to roll and may double; seats have had equally many turns.

    In a mixed match it is the first game (7.6). `crawford` says whether the Crawford game has been played (7.2);
    where it is not said, this is the Crawford game if a player stands one point from the match. The settings
    must be without `faults`.
    """
    points = tuple(map(Fraction, score)) if score is not None else (Fraction(0),) * settings.seats
    status = crawford or crawford_at(settings, points)
    refusal = (
        score_refusal(settings, points)
        or _crawford_refusal(settings, points, status)
        or _cube_refusal(settings, cube, status)
        or _position_refusal(settings, position, turn)
    )
    if refusal is not None:
        return refusal
    return State(
        phase=Phase.TO_ROLL,
        game_number=1,
        playing=games_of(settings.game)[0],
        position=position,
        seats_in=tuple(range(settings.seats)),
        score=points,
        turn=turn,
        starter=turn,
        # 6.9 asks for two rolls; the player set on turn may double.
        rolls=(2,) * settings.seats,
        cube=cube,
        # Only a take gives the cube an owner (6.2); automatic doubles leave it in the middle (6.8).
        raised=cube.owner is not None,
        paid=(Fraction(0),) * settings.seats,
        crawford=status,
    )


def crawford_at(settings: Settings, score: tuple[Fraction, ...]) -> Crawford | None:
    """Where a match with this score stands if its Crawford game has not been played (7.2)."""
    if not has_crawford(settings) or not isinstance(settings.play, MatchPlay):
        return None
    return Crawford.NOW if max(score) == settings.play.points - 1 else Crawford.PENDING


def score_refusal(settings: Settings, score: tuple[Fraction, ...]) -> Violation | None:
    """Why no match or session in progress has this score, or None (7.1, 7.3)."""
    shown = ", ".join(map(str, score))
    if len(score) != settings.seats:
        return Violation("7.3", f"a score has {settings.seats} entries", "score", shown)
    match settings.play:
        case MatchPlay(points=points):
            if any(own < 0 or own >= points or own.denominator != 1 for own in score):
                return Violation("7.1", f"must be whole and from 0 to below {points}", "score", shown)
        case _:
            if sum(score):
                return Violation("7.3", "the net points of a session sum to zero", "score", shown)
    return None


def _crawford_refusal(settings: Settings, score: tuple[Fraction, ...], status: Crawford | None) -> Violation | None:
    expected = crawford_at(settings, score)
    fits = status is expected or (status is Crawford.PLAYED and expected is Crawford.NOW)
    if fits:
        return None
    shown = status.value if status else "none"
    return Violation("7.2", "does not fit the score", "crawford", shown)


def _cube_refusal(settings: Settings, cube: Cube, status: Crawford | None) -> Violation | None:
    shown = f"2 ** {cube.exponent}, owner {cube.owner}, last doubler {cube.last_doubler}"
    holders = (None, *range(settings.seats))
    if cube.exponent < 0 or cube.owner not in holders or cube.last_doubler not in holders:
        return Violation("6.2", "must be a power of two, in the middle or owned by a seat", "cube", shown)
    if (cube.owner if settings.seats > 2 else cube.last_doubler) is not None:
        return Violation("6.10", "two players own the cube; with more, the last doubler counts", "cube", shown)
    if cube != Cube() and (status is Crawford.NOW or not cube_is_used(settings)):
        rule = "7.2" if status is Crawford.NOW else "6.4"
        return Violation(rule, "this game has no cube", "cube", shown)
    return None


def _position_refusal(settings: Settings, position: Position, turn: int) -> Violation | None:
    if turn not in range(settings.seats):
        return Violation("1.1", f"seats are 0 to {settings.seats - 1}", "turn", str(turn))
    # All have had the same number of turns, so a seat that has finished has won already (5.14).
    game = game_of(settings)
    if any(game.outcome(position, seat) is not None for seat in range(settings.seats)):
        return Violation("1.8", "the game is over in this position", "position", game.text(position))
    return None
