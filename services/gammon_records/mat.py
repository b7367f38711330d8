"""What a MAT file says, as values: headers, games, and in each game the cells in the order they were played.

MAT is the match text that Jellyfish began and nearly every program writes. Nobody specified it; what is read here is
what its dialects share. Nothing in this module is judged by the law.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum


class Word(Enum):
    """A cube action."""

    DOUBLE = "doubles"
    BEAVER = "beavers"
    RACCOON = "raccoons"
    TAKE = "takes"
    DROP = "drops"


@dataclass(frozen=True, slots=True)
class Rolled:
    """A roll and what was made of it.

    `dice` as written; None where a file has 00. `play`: the hops as text, empty where there are none. `says_stuck`: the
    file says that no move was possible. `gave_up`: the player resigned after the roll. `position`: where the play was
    illegal and the file has the position after it instead, as a Snowie line.
    """

    dice: tuple[int, int] | None
    play: str = ""
    says_stuck: bool = False
    gave_up: bool = False
    position: str = ""


@dataclass(frozen=True, slots=True)
class Cubed:
    """A cube action, with the value that the file has for it (0: none)."""

    word: Word
    value: int = 0


@dataclass(frozen=True, slots=True)
class GaveUp:
    """The player lost without playing on: the game, or all of it. `points`: what was lost, 0 where that is not said."""

    whole: bool = False
    points: int = 0


@dataclass(frozen=True, slots=True)
class Won:
    """The player won `points`; `ends_match`: the file says that this was the match."""

    points: int
    ends_match: bool


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell: its line from 1, its column (0 left, 1 right), what it says."""

    line: int
    column: int
    says: Rolled | Cubed | GaveUp | Won


@dataclass(frozen=True, slots=True)
class MatGame:
    """One game: the names and the scores before it by column, the line they stand on, the cells in order."""

    line: int
    number: int
    names: tuple[str, str]
    scores: tuple[int, int]
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class MatFile:
    """A whole file. `points`: the length of the match, 0 for money play; `headers`: comments `[Key "Value"]`, keys in
    lower case; `length_line`, `last_line`: lines from 1; `ignored`: lines of games that say nothing known;
    `breaks_off`: the last game has a number, and no names any more."""

    points: int
    headers: Mapping[str, str]
    games: tuple[MatGame, ...]
    length_line: int
    last_line: int
    ignored: tuple[int, ...]
    breaks_off: bool = False
