"""Our rulings on what lies between the moves, the same for every game: cube, stakes, matches and leaving."""

from __future__ import annotations

from gammon_engine.description import RulingNote

NOTES = (
    RulingNote("1.11", "There is no move limit; all seats still in may agree to end a game, an operator may void it."),
    RulingNote("1.11", "A game ended by agreement counts as a game and scores nothing; a voided one is played again."),
    RulingNote("6.1", "A cube that cannot help its owner any more may still be turned."),
    RulingNote("6.5", "Under Jacoby a double counts once it is taken, and automatic doubles do not count."),
    RulingNote("6.7", "After a raccoon the cube stays with the player who beavered."),
    RulingNote("7.2", "A ruling that sets the score says whether the Crawford game has been played."),
    RulingNote("7.4", "A game without points keeps the Crawford status for the next."),
    RulingNote("8.1", "An offer may be withdrawn while it waits for an answer; a double may not."),
    RulingNote("8.3", "A match that is forfeited leaves the score as it is; the game in progress has no result."),
    RulingNote("8.4", "A lapse costs the match; in a session one game, by what is borne off."),
    RulingNote("8.6", "In a session of two either player may offer to end the game for stated points."),
)

# Of games that three or four can play.
NOTES_FOR_MORE = (
    RulingNote("6.10", "The others stay or leave in turn, clockwise; who leaves pays the stake before the double."),
    RulingNote("6.10", "Whoever made the last double may not double next; any other player on turn may."),
    RulingNote("6.11", "The stake is doubled once the last has answered and one stays; who is alone wins at once."),
    RulingNote("6.12", "Winners share equally, in exact fractions, all that was paid."),
    RulingNote("8.2", "A player may leave on their own turn, before or after rolling, for the current stake."),
    RulingNote("8.3", "A forfeit or a lapse is a leaving; by the doubler it withdraws the open double."),
    RulingNote("8.3", "When the only player to finish leaves, nobody has finished and the game goes on."),
)
