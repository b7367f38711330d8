"""Settings of the contract to and from the engine's, every fault at once."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TypeVar

from gammon.rules.v1 import settings_pb2 as pb
from gammon_engine.faults import faults
from gammon_engine.registry import is_played
from gammon_engine.settings import GameId, MatchPlay, SessionPlay, Settings
from gammon_engine.violation import Fault
from gammon_wire import words

E = TypeVar("E")
FEWEST_SEATS, MOST_SEATS = 2, 4


def settings_from_proto(message: pb.Settings) -> Settings | tuple[Fault, ...]:
    """The settings, or all that is wrong with them (rules 2 to 7), fields named as in the contract."""
    wrong: list[Fault] = []
    game = words.GAME_OF.get(message.game)
    if game is None:
        wrong.append(Fault("game", str(message.game), "1", "is not known" if message.game else "is required"))
    set_up = _option(words.SET_UP_OF, message.setup, "setup", "2.1", wrong)
    centres = _option(words.CENTRES_OF, message.centres, "centres", "5.3", wrong)
    release = _option(words.RUNNER_RELEASE_OF, message.runner_release, "runner_release", "4.3", wrong)
    if message.cube not in (pb.CUBE_UNSPECIFIED, pb.CUBE_ON, pb.CUBE_OFF):
        wrong.append(Fault("cube", str(message.cube), "6.4", "is not known"))
    play = _play(message)
    if play is None:
        wrong.append(Fault("play", "", "7", "a match or a session is required"))
    settings = Settings(
        game=game or GameId.BACKGAMMON,
        play=play or SessionPlay(),
        seats=message.seats,
        set_up=set_up,
        centres=centres,
        runner_release=release,
        cube=message.cube != pb.CUBE_OFF,
    )
    found = faults(settings)
    if game is None:
        # What is left can be judged without knowing the game.
        found = [fault for fault in found if _is_of_play(fault)]
        if not FEWEST_SEATS <= message.seats <= MOST_SEATS:
            wrong.append(Fault("seats", str(message.seats), "1.1", f"must be from {FEWEST_SEATS} to {MOST_SEATS}"))
    if play is None:
        found = [fault for fault in found if not _is_of_play(fault)]
    wrong.extend(_named(fault, message) for fault in found)
    return tuple(wrong) if wrong else settings


def is_unsupported(message: pb.Settings, wrong: Iterable[Fault]) -> bool:
    """Whether all that is wrong is that the game, one of the family, is not played here yet."""
    game = words.GAME_OF.get(message.game)
    return game is not None and not is_played(game) and all(fault.field == "game" for fault in wrong)


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


def _play(message: pb.Settings) -> MatchPlay | SessionPlay | None:
    match message.WhichOneof("play"):
        case "match":
            agreed = message.match
            crawford = agreed.crawford if agreed.HasField("crawford") else True
            return MatchPlay(agreed.points, crawford, agreed.holland)
        case "session":
            money = message.session
            return SessionPlay(
                money.games or None, money.jacoby, money.beavers, money.raccoons, money.automatic_doubles
            )
    return None


def _option(known: Mapping[int, E], number: int, field: str, rule: str, wrong: list[Fault]) -> E | None:
    if number and number not in known:
        wrong.append(Fault(field, str(number), rule, "is not known"))
    return known.get(number)


def _is_of_play(fault: Fault) -> bool:
    return fault.field.partition(".")[0] == "play"


def _named(fault: Fault, message: pb.Settings) -> Fault:
    """The engine's fault with the contract's name of its field."""
    part, _, rest = fault.field.partition(".")
    match part:
        case "set_up":
            return replace(fault, field="setup")
        case "play":
            return replace(fault, field=".".join(filter(None, (message.WhichOneof("play") or "play", rest))))
    return fault
