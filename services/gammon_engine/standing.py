"""Whether a seat still has anything to play in a position that somebody asks about."""

from __future__ import annotations

from gammon_engine.game import Game
from gammon_engine.outcome import Finished
from gammon_engine.position import Position
from gammon_engine.violation import Violation


def no_turn(game: Game, position: Position, seat: int) -> Violation | None:
    """Why `seat` has no turn here: the game is over (1.8), or its own discs are home (5.13). None if it has one."""
    for other in range(game.seats):
        match game.outcome(position, other):
            case None:
                pass
            case Finished(finished):
                if finished == seat:
                    return Violation("5.13", "the seat has finished", "position", game.text(position))
            case _:
                return Violation("1.8", "the game is over in this position", "position", game.text(position))
    return None
