"""A match as two columns of cells: what a MAT file writes, before it is laid out."""

from __future__ import annotations

from dataclasses import dataclass, field

from gammon_engine.settings import Settings


@dataclass(frozen=True, slots=True)
class Word:
    """A cell that is no roll: a cube action, or the loser's giving up."""

    text: str


@dataclass(slots=True)
class Throw:
    """A cell with a roll: the dice in their order, and what was made of it as text; None while it is not played."""

    dice: tuple[int, int]
    made: str | None = None


@dataclass(slots=True)
class SheetGame:
    """One game: points won before it by seat, cells (seat and cell) in order, and its end if it has one.

    `winner`: None where nobody has won; `points`: what the winner won; `ends_match`: whether the match is over with it.
    """

    number: int
    scores: tuple[int, int]
    cells: list[tuple[int, Word | Throw]] = field(default_factory=list)
    winner: int | None = None
    points: int = 0
    ends_match: bool = False


@dataclass(slots=True)
class Sheet:
    """A whole match: what was agreed, the players' references by seat, the games."""

    settings: Settings
    players: tuple[str, str]
    games: list[SheetGame] = field(default_factory=list)
