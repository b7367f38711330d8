"""The games that can be played. Adding one is a module and a line here."""

from __future__ import annotations

from collections.abc import Callable

from gammon_engine.game import Game
from gammon_engine.games.backgammon import Backgammon
from gammon_engine.settings import GameId, Settings, SetUp


def _backgammon(settings: Settings) -> Game:
    return Backgammon(settings.set_up or SetUp.STANDARD)


GAMES: dict[GameId, Callable[[Settings], Game]] = {
    GameId.BACKGAMMON: _backgammon,
}


def game_of(settings: Settings, playing: GameId | None = None) -> Game:
    """The game of these settings with its options; of a mixed match (7.6) the one that is `playing`.

    Raises:
        KeyError: no such game yet; `faults` names it first.
    """
    return GAMES[playing or settings.game](settings)
