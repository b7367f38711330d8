"""Which games are played for the statistics, and how their players choose."""

from __future__ import annotations

from random import Random

from tests.statistics.playing import Kind, Played, session

from gammon_bots.judges import judge_of
from gammon_engine.game import Game
from gammon_engine.legal_plays import LegalPlays
from gammon_engine.next_steps import NextSteps
from gammon_engine.play import Play, Roll
from gammon_engine.position import Position
from gammon_engine.settings import GameId

GAMMON_BOARD = (GameId.BACKGAMMON, GameId.CATCHGAMMON, GameId.RUNGAMMON)
TRACK_SEATS = (2, 3, 4)
RANDOM_SHARE = 0.2


def at_random(game: Game, position: Position, seat: int, roll: Roll, chance: Random, played: Played) -> Play:
    """Any result, each as likely as the other."""
    plays = _listed(game, position, seat, roll, played)
    return plays.way(chance.choice(list(plays)))


def by_the_bot(game: Game, position: Position, seat: int, roll: Roll, chance: Random, played: Played) -> Play:
    """What the bot likes best, and one roll in five anything."""
    if chance.random() < RANDOM_SHARE:
        return at_random(game, position, seat, roll, chance, played)
    plays = _listed(game, position, seat, roll, played)
    judge = judge_of(game)
    return plays.way(max(plays, key=lambda result: judge.value(result, seat)))


def step_by_step(game: Game, position: Position, seat: int, roll: Roll, chance: Random, _: Played) -> Play:
    """Any open step after another, until the play is complete."""
    chosen: Play = ()
    while True:
        found = game.next_steps(position, seat, roll, chosen)
        assert isinstance(found, NextSteps), found
        if found.complete:
            return chosen
        chosen = (*chosen, chance.choice(found.steps))


def _listed(game: Game, position: Position, seat: int, roll: Roll, played: Played) -> LegalPlays:
    plays = game.legal_plays(position, seat, roll)
    (played.doubles if roll[0] == roll[1] else played.non_doubles).append(len(plays))
    return plays


_KINDS = [
    *(Kind(game.value, session(game), at_random) for game in GAMMON_BOARD),
    *(Kind(f"trackgammon for {seats}", session(GameId.TRACKGAMMON, seats), by_the_bot) for seats in TRACK_SEATS),
    *(Kind(f"at random for {seats}", session(GameId.TRACKGAMMON, seats), step_by_step) for seats in TRACK_SEATS),
]
ENDED = tuple(kind.name for kind in _KINDS if not kind.name.startswith("at random"))
CUT_SHORT = tuple(kind.name for kind in _KINDS if kind.name.startswith("at random"))


def kind_named(name: str) -> Kind:
    """The kind with this name. Processes hand each other names, not games."""
    return next(kind for kind in _KINDS if kind.name == name)
