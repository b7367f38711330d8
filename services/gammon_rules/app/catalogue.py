"""What is played here: the games, their options, and our rulings where the published rules are silent."""

from gammon.rules.v1 import rules_service_pb2 as pb
from gammon.rules.v1 import settings_pb2
from gammon_engine.registry import GAMES
from gammon_engine.settings import GameId
from gammon_wire import words
from gammon_wire.points import MOST_CUBE_LOG2

_CUBE_AND_PLAY = (
    "match.points",
    "match.crawford",
    "match.holland",
    "session.games",
    "session.jacoby",
    "session.beavers",
    "session.raccoons",
    "session.automatic_doubles",
    "cube",
)

_DESCRIPTIONS = {
    GameId.BACKGAMMON: pb.GameDescription(
        name="Backgammon",
        min_seats=2,
        max_seats=2,
        setups=[
            settings_pb2.SETUP_STANDARD,
            settings_pb2.SETUP_NACKGAMMON,
            settings_pb2.SETUP_LONGGAMMON,
            settings_pb2.SETUP_HYPERGAMMON,
        ],
        options=("setup", *_CUBE_AND_PLAY),
        rulings=[
            pb.RulingNote(rule="1.11", text="There is no move limit; an operator may void a game."),
            pb.RulingNote(rule="6.1", text="A cube that cannot help its owner any more may still be turned."),
            pb.RulingNote(rule="6.2", text=f"There is no upper bound; this service counts to 2 ** {MOST_CUBE_LOG2}."),
            pb.RulingNote(rule="6.5", text="Under Jacoby automatic doubles do not count as a double."),
            pb.RulingNote(rule="6.7", text="After a raccoon the cube stays with the player who beavered."),
            pb.RulingNote(rule="8.4", text="A lapse costs the match; in a session one game, by what is borne off."),
        ],
    ),
}


def games() -> list[pb.GameDescription]:
    """A description of each game that is registered."""
    described = []
    for game in GAMES:
        description = pb.GameDescription()
        description.CopyFrom(_DESCRIPTIONS[game])
        description.game = words.GAMES[game]
        described.append(description)
    return described
