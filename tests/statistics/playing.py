"""Whole games played by the referee, dice and choices by a seeded chance, each checked as it goes.

What must hold in every position: no piece is lost or gained, and stacks are ordered (5.8). In every result: the points
sum to zero (7.3).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from gammon_engine.game import Game
from gammon_engine.play import Play, Roll
from gammon_engine.position import Position
from gammon_engine.referee import actions as act
from gammon_engine.referee import begin, rule, summary
from gammon_engine.referee.facts import GameEnded, TurnPassed
from gammon_engine.referee.ruling import Ruling
from gammon_engine.referee.state import Phase, State
from gammon_engine.registry import game_of
from gammon_engine.settings import GameId, SessionPlay, Settings
from gammon_engine.view import GammonBoard, TrackBoard

# A legal play of a roll in a position, for a seat. Whoever lists the results of the roll notes how many there are.
Player = Callable[[Game, Position, int, Roll, Random, "Played"], Play]


@dataclass(frozen=True, slots=True)
class Kind:
    """What is played: the game, how many sit, and how they play."""

    name: str
    settings: Settings
    play: Player


@dataclass(slots=True)
class Played:
    """One game. `turns` counts all seats' turns, passed ones included; `branching` holds the results of each roll.

    `end` is single, gammon, triple, remi, shared (several finished first), or cut when the limit came before the end.
    """

    end: str
    turns: int = 0
    passes: int = 0
    non_doubles: list[int] = field(default_factory=list)
    doubles: list[int] = field(default_factory=list)


def session(game: GameId, seats: int = 2) -> Settings:
    """One game for money, without a cube in the way."""
    return Settings(game, SessionPlay(games=1), seats, cube=False)


def play_game(kind: Kind, seed: int, most_turns: int | None = None) -> Played:
    """Plays one game to its end, or to `most_turns`.

    Raises:
        AssertionError: a piece was lost or gained, a stack is out of order, or the points do not sum to zero.
    """
    chance = Random(f"{kind.name} {seed}")
    settings = kind.settings
    game = game_of(settings)
    state = begin(settings)
    played = Played("cut")
    while most_turns is None or played.turns < most_turns:
        ruling = _next(settings, game, state, kind.play, chance, played)
        for fact in ruling.facts:
            if isinstance(fact, GameEnded):
                assert sum(fact.points) == 0, fact
                played.end = _end(fact)
                return played
        state = ruling.state
        _check(game, state.position)
    return played


def _next(settings: Settings, game: Game, state: State, play: Player, chance: Random, played: Played) -> Ruling:
    action: act.Action
    if state.phase is Phase.TO_PLAY and state.turn is not None and state.dice is not None:
        action = act.MakePlay(state.turn, play(game, state.position, state.turn, state.dice, chance, played))
    else:
        action = _throw(state, chance)
    ruling = rule(settings, state, action)
    assert isinstance(ruling, Ruling), ruling
    passed = any(isinstance(fact, TurnPassed) for fact in ruling.facts)
    played.turns += passed or isinstance(action, act.MakePlay)
    played.passes += passed
    return ruling


def _throw(state: State, chance: Random) -> act.Action:
    draw = summary(state).draw
    assert draw is not None, state.phase
    dice = tuple(chance.randint(1, 6) for _ in range(draw.count))
    if state.phase is Phase.OPENING:
        return act.Open(dice)
    return act.RollDice(draw.seats[0], (dice[0], dice[1]))


def _end(result: GameEnded) -> str:
    if not result.winners:
        return "remi"
    if len(result.winners) > 1:
        return "shared"
    return {1: "single", 2: "gammon", 3: "triple"}[result.level or 1]


def _check(game: Game, position: Position) -> None:
    match game.view(position):
        case GammonBoard(points, bar, off, _):
            for seat in range(2):
                on_points = sum(pile.count for piles in points for pile in piles if pile.seat == seat)
                assert on_points + bar[seat] + off[seat] == 15, game.text(position)
        case TrackBoard(discs, centres):
            _check_stacks(discs, centres)


def _check_stacks(discs: tuple[tuple[int, ...], ...], centres: tuple[int, ...]) -> None:
    """No two discs of one size share a point, wherever it is counted from; so every stack can lie in its order."""
    seats = len(discs)
    stood: set[tuple[object, int]] = set()
    for seat, points in enumerate(discs):
        assert len(points) == 5
        for size, point in enumerate(points, 1):
            assert 1 <= point <= 14
            place: object = (seat, point)
            if point in centres:
                # 5.2: a leg lies between a seat and the next one; a point of 7 or less is on the leg at the left.
                place = ("leg", seat, point) if point <= 7 else ("leg", (seat - 1) % seats, 15 - point)
            assert (place, size) not in stood, (discs, place, size)
            stood.add((place, size))
