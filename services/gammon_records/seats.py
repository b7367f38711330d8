"""Which column of a game is which seat: the seats are the columns of the first game, by name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

from gammon_records.mat import MatFile, MatGame

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Seats:
    """`of_column`: the seat of each column. `full_names`: by column, byte for byte. `strangers`: who plays cannot be
    told from the names of the first game."""

    of_column: tuple[int, int]
    full_names: tuple[str, str]
    strangers: bool

    def by_seat(self, values: tuple[T, T]) -> tuple[T, T]:
        """What is told by column, by seat."""
        return values if self.of_column == (0, 1) else (values[1], values[0])


def seats_of(mat: MatFile, game: MatGame) -> Seats:
    """The seats of a game. Some programs swap the columns from game to game; headers never tell who is left."""
    first, now = mat.games[0].names, game.names
    swapped = first[0] != first[1] and (now == first[::-1] or (_share(now, first[::-1]) and not _share(now, first)))
    strangers = not swapped and now != first
    return Seats((1, 0) if swapped else (0, 1), (_full(mat, now[0]), _full(mat, now[1])), strangers)


def _share(now: tuple[str, str], names: tuple[str, str]) -> bool:
    return any(name and name == other for name, other in zip(now, names, strict=True))


def _full(mat: MatFile, name: str) -> str:
    """The name as a header has it: blanks around it are lost between the columns."""
    told = [mat.headers[key] for key in ("player 1", "player 2") if key in mat.headers]
    return next((full for full in told if full.strip() == name), name)
