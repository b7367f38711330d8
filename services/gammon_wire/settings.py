"""Settings of the contract to and from the engine's, every fault at once."""

from collections.abc import Mapping
from typing import TypeVar

from gammon.rules.v1 import settings_pb2 as pb
from gammon_engine.faults import faults
from gammon_engine.registry import GAMES
from gammon_engine.settings import GameId, MatchPlay, SessionPlay, Settings
from gammon_engine.violation import Fault
from gammon_wire import words

E = TypeVar("E")


def settings_from_proto(message: pb.Settings) -> Settings | tuple[Fault, ...]:
    """The settings, or all that is wrong with them (rule 2 to 7 numbers)."""
    wrong: list[Fault] = []
    game = words.GAME_OF.get(message.game)
    if game is None:
        wrong.append(Fault("game", str(message.game), "1", "is required" if not message.game else "is not known"))
    set_up = _option(words.SET_UP_OF, message.setup, "setup", wrong)
    centres = _option(words.CENTRES_OF, message.centres, "centres", wrong)
    release = _option(words.RUNNER_RELEASE_OF, message.runner_release, "runner_release", wrong)
    if message.cube not in (pb.CUBE_UNSPECIFIED, pb.CUBE_ON, pb.CUBE_OFF):
        wrong.append(Fault("cube", str(message.cube), "6.4", "is not known"))
    play: MatchPlay | SessionPlay
    match message.WhichOneof("play"):
        case "match":
            chosen = message.match
            crawford = chosen.crawford if chosen.HasField("crawford") else True
            play = MatchPlay(chosen.points, crawford, chosen.holland)
        case "session":
            money = message.session
            play = SessionPlay(
                money.games or None, money.jacoby, money.beavers, money.raccoons, money.automatic_doubles
            )
        case None:
            wrong.append(Fault("play", "", "7", "a match or a session is required"))
            play = SessionPlay()
    settings = Settings(
        game=game or GameId.BACKGAMMON,
        play=play,
        seats=message.seats,
        set_up=set_up,
        centres=centres,
        runner_release=release,
        cube=message.cube != pb.CUBE_OFF,
    )
    # The engine's own list goes on from what could be read; a game that could not be read has been named above.
    wrong.extend(fault for fault in faults(settings) if game is not None or fault.field != "game")
    return tuple(wrong) if wrong else settings


def is_unsupported(message: pb.Settings) -> bool:
    """Whether the settings name a game of the family that is not played here yet."""
    game = words.GAME_OF.get(message.game)
    return game is not None and game not in GAMES


def settings_to_proto(settings: Settings) -> pb.Settings:
    """The contract's settings."""
    message = pb.Settings(
        game=words.GAMES[settings.game],
        seats=settings.seats,
        cube=pb.CUBE_ON if settings.cube else pb.CUBE_OFF,
    )
    if settings.set_up is not None:
        message.setup = words.SET_UPS[settings.set_up]
    if settings.centres is not None:
        message.centres = words.CENTRES[settings.centres]
    if settings.runner_release is not None:
        message.runner_release = words.RUNNER_RELEASES[settings.runner_release]
    match settings.play:
        case MatchPlay(points, crawford, holland):
            message.match.points, message.match.crawford, message.match.holland = points, crawford, holland
        case SessionPlay(games, jacoby, beavers, raccoons, automatic_doubles):
            session = message.session
            session.games, session.jacoby, session.beavers = games or 0, jacoby, beavers
            session.raccoons, session.automatic_doubles = raccoons, automatic_doubles
            session.SetInParent()
    return message


def _option(known: Mapping[int, E], number: int, field: str, wrong: list[Fault]) -> E | None:
    if number == 0:
        return None
    if number not in known:
        wrong.append(Fault(field, str(number), "2.1", "is not known"))
    return known.get(number)
