"""Settings that people play by, of the law's part alone: they follow from what a game says about itself.

The usual one of each number of seats comes first. Nobody here knows a clock.
"""

from __future__ import annotations

from collections.abc import Iterator

from gammon.rules.v1 import rules_service_pb2 as pb
from gammon_engine.description import Description
from gammon_engine.registry import game_of
from gammon_engine.settings import GameId, MatchPlay, SessionPlay, Settings, SetUp, games_of
from gammon_wire.settings import settings_to_proto

POINTS = 7
# By custom (7.6).
POINTS_OF_MIXED = 9
# A session without a number of games ends only when an operator says so, and is not rated.
GAMES = 7


def presets(game: GameId, said: Description) -> list[pb.RulesPreset]:
    """The presets of a game, those of its fewest seats first."""
    return [
        pb.RulesPreset(name=name, description=text, settings=settings_to_proto(settings))
        for name, text, settings in _presets(game, said)
    ]


def _presets(game: GameId, said: Description) -> Iterator[tuple[str, str, Settings]]:
    for seats in said.seats:
        if seats > 2:
            session = Settings(game, SessionPlay(GAMES), seats)
            yield f"money-session-{seats}", f"Session of {GAMES} games for {seats}", session
            continue
        mixed = len(games_of(game)) > 1
        points = POINTS_OF_MIXED if mixed else POINTS
        yield "match", f"Match to {points} points with cube", Settings(game, MatchPlay(points))
        if not mixed:
            yield _money(game)
        if "setup" in said.options:
            yield from (_of_set_up(game, set_up) for set_up in SetUp if set_up is not SetUp.STANDARD)


def _money(game: GameId) -> tuple[str, str, Settings]:
    settings = Settings(game, SessionPlay(GAMES, beavers=True))
    if game_of(settings).top_level == 1:
        return "money-session", f"Session of {GAMES} games, beavers", settings
    settings = Settings(game, SessionPlay(GAMES, jacoby=True, beavers=True))
    return "money-session", f"Session of {GAMES} games, Jacoby, beavers", settings


def _of_set_up(game: GameId, set_up: SetUp) -> tuple[str, str, Settings]:
    text = f"{set_up.value.capitalize()}: match to {POINTS} points with cube"
    return set_up.value, text, Settings(game, MatchPlay(POINTS), set_up=set_up)
