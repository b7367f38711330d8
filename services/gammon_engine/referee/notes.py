"""Our rulings on what lies between the moves, the same for every game: cube, stakes, matches and leaving."""

from __future__ import annotations

from gammon_engine.description import RulingNote

NOTES = (
    RulingNote("1.11", "There is no move limit; an operator may void a game."),
    RulingNote("6.1", "A cube that cannot help its owner any more may still be turned."),
    RulingNote("6.5", "Under Jacoby automatic doubles do not count as a double."),
    RulingNote("6.7", "After a raccoon the cube stays with the player who beavered."),
    RulingNote("8.4", "A lapse costs the match; in a session one game, by what is borne off."),
)
