"""What the referee and everybody else may ask of a game."""

from __future__ import annotations

from typing import Protocol

from gammon_engine.legal_plays import LegalPlays
from gammon_engine.next_steps import NextSteps
from gammon_engine.outcome import Outcome
from gammon_engine.play import Play, Roll
from gammon_engine.position import Position
from gammon_engine.settings import GameId
from gammon_engine.view import View
from gammon_engine.violation import Violation


class Game(Protocol):
    """The law of one game on the board, its options already chosen.

    Positions are those the game itself made or parsed, seats are below `seats`, rolls are two numbers from
    1 to 6. Everything is in the mover's numbering (1.2).
    """

    @property
    def id(self) -> GameId:
        """Which game this is."""

    @property
    def seats(self) -> int:
        """How many players sit at the board."""

    @property
    def top_level(self) -> int:
        """The highest level a win can have: 3, or 1 where a win is always single (5.16)."""

    @property
    def starter_rolls(self) -> bool:
        """Whether the starter throws both dice anew as part of the opening (5.15), or plays the opening throw (1.7)."""

    def start(self) -> Position:
        """The starting position."""

    def parse(self, text: str) -> Position | Violation:
        """Read a position (9.1, 9.2); refuses invalid ones (9.3)."""

    def text(self, position: Position) -> str:
        """The one text of a position; `parse` reads it back."""

    def view(self, position: Position) -> View:
        """What stands where, for drawing."""

    def legal_plays(self, position: Position, seat: int, roll: Roll) -> LegalPlays:
        """Every distinct result of a legal play (1.9)."""

    def must_pass(self, position: Position, seat: int, roll: Roll) -> bool:
        """Whether no step is legal (1.5)."""

    def explain(self, position: Position, seat: int, roll: Roll, play: Play) -> Violation | None:
        """The first rule the play breaks, or None if it is legal. A second witness beside `legal_plays`."""

    def next_steps(self, position: Position, seat: int, roll: Roll, chosen: Play) -> NextSteps | Violation:
        """The steps that lead on from `chosen` to a legal play (1.4, 5.10); the rule that `chosen` breaks, if any."""

    def apply(self, position: Position, seat: int, play: Play) -> tuple[Position, Play]:
        """The position after a legal play, and the play with every hit marked."""

    def outcome(self, position: Position, seat: int) -> Outcome | None:
        """How the game has ended with the play `seat` made last, if it has, or that the seat has finished (1.8)."""

    def lapse_level(self, position: Position, seat: int) -> int:
        """The level `seat` loses at when it abandons the game (8.4)."""

    def read_play(self, text: str, position: Position, seat: int, roll: Roll) -> Play | Violation:
        """Read a play (9.6) that is legal for this roll, hits marked."""

    def write_play(self, play: Play) -> str:
        """The written form of a play (9.4, 9.5)."""
