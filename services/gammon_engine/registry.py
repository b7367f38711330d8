"""The games that can be played. Adding one is a module and a line here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from gammon_engine.description import Description
from gammon_engine.game import Game
from gammon_engine.games import backgammon, catchgammon, rungammon, trackgammon
from gammon_engine.settings import GameId, Settings, games_of


@dataclass(frozen=True, slots=True)
class Registered:
    """A game that can be played: what it says about itself, and the law it makes of settings."""

    description: Description
    of: Callable[[Settings], Game]


GAMES: dict[GameId, Registered] = {
    GameId.BACKGAMMON: Registered(backgammon.DESCRIPTION, backgammon.of),
    GameId.CATCHGAMMON: Registered(catchgammon.DESCRIPTION, catchgammon.of),
    GameId.RUNGAMMON: Registered(rungammon.DESCRIPTION, rungammon.of),
    GameId.TRACKGAMMON: Registered(trackgammon.DESCRIPTION, trackgammon.of),
}


def is_played(game: GameId) -> bool:
    """Whether the game, or every game of the mixed match (7.6), can be played."""
    return all(one in GAMES for one in games_of(game))


def game_of(settings: Settings, playing: GameId | None = None) -> Game:
    """The game of these settings with its options; of a mixed match (7.6) the one that is `playing`, else the first.

    Raises:
        KeyError: no such game yet; `faults` names it first.
    """
    return GAMES[playing or games_of(settings.game)[0]].of(settings)
