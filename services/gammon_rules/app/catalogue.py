"""What is played here: the games, their options and presets, and our rulings where the published rules are silent."""

from gammon.rules.v1 import rules_service_pb2 as pb
from gammon_engine.description import Description
from gammon_engine.referee import mixed
from gammon_engine.referee.notes import NOTES, NOTES_FOR_MORE
from gammon_engine.registry import GAMES, is_played
from gammon_engine.settings import GameId
from gammon_rules.app.presets import presets
from gammon_wire import words
from gammon_wire.points import MOST_CUBE_LOG2

_MATCH = ("match.points", "match.crawford", "match.holland")
_SESSION = ("session.games", "session.jacoby", "session.beavers", "session.raccoons", "session.automatic_doubles")


def games() -> list[pb.GameDescription]:
    """A description of each game that is registered, and of the mixed match if all its games are."""
    listed = [_described(game, one.description, (*_MATCH, *_SESSION, "cube")) for game, one in GAMES.items()]
    if is_played(GameId.GAMMON):
        listed.append(_described(GameId.GAMMON, mixed.DESCRIPTION, (*_MATCH, "cube")))
    return listed


def _described(game: GameId, said: Description, of_play: tuple[str, ...]) -> pb.GameDescription:
    more = NOTES_FOR_MORE if said.seats[-1] > 2 else ()
    notes = [pb.RulingNote(rule=note.rule, text=note.text) for note in (*said.rulings, *NOTES, *more)]
    bound = f"There is no upper bound; this service counts to 2 ** {MOST_CUBE_LOG2}."
    return pb.GameDescription(
        game=words.GAMES[game],
        name=said.name,
        min_seats=said.seats[0],
        max_seats=said.seats[-1],
        setups=list(words.SET_UPS.values()) if "setup" in said.options else [],
        options=(*said.options, *of_play),
        rulings=[*notes, pb.RulingNote(rule="6.2", text=bound)],
        presets=presets(game, said),
    )
