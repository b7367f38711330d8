"""How good a position is, by what a player of each game sees at a glance. Points are the own ones throughout."""

from __future__ import annotations

from collections.abc import Callable

from gammon_bots.judges.backgammon import BackgammonJudge
from gammon_bots.judges.catchgammon import CatchgammonJudge
from gammon_bots.judges.judge import Judge
from gammon_bots.judges.rungammon import RungammonJudge
from gammon_bots.judges.trackgammon import TrackgammonJudge
from gammon_engine.game import Game
from gammon_engine.settings import GameId

__all__ = ["Judge", "judge_of"]

_JUDGES: dict[GameId, Callable[[Game], Judge]] = {
    GameId.BACKGAMMON: BackgammonJudge,
    GameId.CATCHGAMMON: CatchgammonJudge,
    GameId.RUNGAMMON: RungammonJudge,
    GameId.TRACKGAMMON: TrackgammonJudge,
}


def judge_of(game: Game) -> Judge:
    """Who knows this game."""
    return _JUDGES[game.id](game)
