"""A match played elsewhere, as the acts that lead to where its record says it went."""

from __future__ import annotations

from dataclasses import dataclass

from gammon_engine.referee.actions import Action
from gammon_engine.settings import Settings
from gammon_records.refused import Warned


@dataclass(frozen=True, slots=True)
class Acted:
    """One act with the line of the file that has it, from 1."""

    action: Action
    line: int


@dataclass(frozen=True, slots=True)
class Claimed:
    """What the record says of the game that the next act ends: who won, how many points, whether that was the match.

    `lawful`: whether the law says the same.
    """

    winner: int
    points: int
    ends_match: bool
    lawful: bool
    line: int


@dataclass(frozen=True, slots=True)
class Record:
    """A whole record: what was agreed, the players' names by seat, the acts in order; lines of the file from 1.

    `warnings`: what was read in a way worth telling. `over`: whether the match or session came to its end.
    """

    settings: Settings
    names: tuple[str, str]
    parts: tuple[Acted | Claimed, ...]
    warnings: tuple[Warned, ...]
    over: bool
    first_line: int
    last_line: int
