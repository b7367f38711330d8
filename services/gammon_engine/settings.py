"""What the players of a match or session have agreed on. Shapes only; `faults.py` judges them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

# Covers every game and the referee together. A change that alters the verdict on any recorded game is a new
# version.
RULES_VERSION = "1"


class GameId(Enum):
    """The games of rules.md. GAMMON is the mixed match over the three games of the gammon board (7.6)."""

    BACKGAMMON = "backgammon"
    TRACKGAMMON = "trackgammon"
    CATCHGAMMON = "catchgammon"
    RUNGAMMON = "rungammon"
    GAMMON = "gammon"


# 7.6: the games of the gammon board. The first comes first; who wins it chooses which of the others is next.
_MIXED = (GameId.BACKGAMMON, GameId.CATCHGAMMON, GameId.RUNGAMMON)


def games_of(game: GameId) -> tuple[GameId, ...]:
    """The games that are played under this name, the first one first: those of the mixed match, else the game alone."""
    return _MIXED if game is GameId.GAMMON else (game,)


class SetUp(Enum):
    """Starting positions of Backgammon (2.1)."""

    STANDARD = "standard"
    NACKGAMMON = "nackgammon"
    LONGGAMMON = "longgammon"
    HYPERGAMMON = "hypergammon"


class Centres(Enum):
    """Centre points of Trackgammon (5.3): 3, 6, 9, 12 or 5, 10."""

    FOUR = "four"
    TWO = "two"


class RunnerRelease(Enum):
    """Whose runner must pass before a player may move a second checker in Rungammon (4.3)."""

    OWN = "own"
    BOTH = "both"


@dataclass(frozen=True, slots=True)
class MatchPlay:
    """A match of two: the first to reach `points` wins (7.1). `holland` needs `crawford` (6.9, 7.2)."""

    points: int
    crawford: bool = True
    holland: bool = False


@dataclass(frozen=True, slots=True)
class SessionPlay:
    """Money play (7.3): `games` in all, or None until it is ended between games.

    `automatic_doubles` is the most tied opening throws a game that double the cube (6.8); 0 is off.
    """

    games: int | None = None
    jacoby: bool = False
    beavers: bool = False
    raccoons: bool = False
    automatic_doubles: int = 0


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything agreed before the first throw. An option of another game stays None."""

    game: GameId
    play: MatchPlay | SessionPlay
    seats: int = 2
    set_up: SetUp | None = None  # Backgammon; None is STANDARD
    centres: Centres | None = None  # Trackgammon; None is FOUR
    runner_release: RunnerRelease | None = None  # Rungammon and the mixed match; None is OWN
    cube: bool = True
