"""The settings that one JSON line of a `gammon` command names: game, seats, options, and the kind of play."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from gammon_engine.faults import faults
from gammon_engine.settings import Centres, GameId, MatchPlay, RunnerRelease, SessionPlay, Settings, SetUp
from gammon_engine.violation import Fault

# A set-up of Backgammon may stand in the place of the game's name.
_SET_UPS = {set_up.value: set_up for set_up in SetUp if set_up is not SetUp.STANDARD}
_OPTIONS = {"set_up": SetUp, "centres": Centres, "runner_release": RunnerRelease}
_CUBE = {True: True, False: False, "on": True, "off": False}
# Where on the line each option belongs, and its rule. The cube may be turned off in any of the three.
_PLACES = {
    "points": ("match", "7.1"),
    "crawford": ("match", "7.2"),
    "holland": ("match", "6.9"),
    "games": ("session", "7.3"),
    "jacoby": ("session", "6.5"),
    "beavers": ("session", "6.6"),
    "raccoons": ("session", "6.7"),
    "automatic_doubles": ("session", "6.8"),
    "set_up": ("options", "2.1"),
    "centres": ("options", "5.3"),
    "runner_release": ("options", "4.3"),
}


@dataclass(frozen=True, slots=True)
class KindOfPlay:
    """A match, a session or one game, and whether it has a cube; `field` is its name on the line."""

    field: str
    play: MatchPlay | SessionPlay
    cube: bool = True


def read_settings(line: Mapping[str, Any], kind: KindOfPlay | None) -> Settings | Fault:
    """The settings of `{game, seats, options}` for a kind of play, or the first fault.

    `kind` None: only the board matters, so there is no mixed match and no cube to speak of.
    """
    name = line.get("game")
    games = {game.value: game for game in GameId if kind is not None or game is not GameId.GAMMON}
    if not isinstance(name, str) or name not in {*games, *_SET_UPS}:
        return Fault("game", repr(name), "1", f"expected one of {', '.join([*games, *_SET_UPS])}")
    elsewhere = _misplaced(line, None)
    if elsewhere is not None:
        return elsewhere
    seats = read_number(line.get("seats", 2), "seats", range(2, 5))
    if isinstance(seats, Fault):
        return seats
    options = _read_options(line.get("options"), of_cube=kind is not None)
    if isinstance(options, Fault):
        return options
    if name in _SET_UPS:
        if "set_up" in options:
            return Fault("options.set_up", repr(options["set_up"].value), "2.1", f"the game is {name} already")
        options["set_up"] = _SET_UPS[name]
    kind = kind or KindOfPlay("session", SessionPlay())
    game, cube = games.get(name, GameId.BACKGAMMON), options.pop("cube", True) and kind.cube
    settings = Settings(game=game, play=kind.play, seats=seats, cube=cube, **options)
    for fault in faults(settings):
        return _named(fault, kind.field)
    return settings


def read_play(line: Mapping[str, Any]) -> KindOfPlay | Fault:
    """What `{match: {points, crawford, holland}}` or `{session: {games, …}}` says; either may turn off the cube.

    Without either one game is played, as a session of one.
    """
    named = [name for name in ("match", "session") if name in line]
    if not named:
        return KindOfPlay("game", SessionPlay(games=1))
    if len(named) > 1:
        return Fault("match", " and ".join(named), "7", "expected a match or a session")
    field = named[0]
    kind: type[MatchPlay | SessionPlay] = MatchPlay if field == "match" else SessionPlay
    said = line[field]
    if not isinstance(said, Mapping):
        return Fault(field, repr(said), "7", "expected an object")
    elsewhere = _misplaced(said, field)
    if elsewhere is not None:
        return elsewhere
    known = {parameter.name: parameter for parameter in fields(kind)}
    values: dict[str, Any] = {}
    for name, value in said.items():
        expected = _expected(name, known)
        if expected is None:
            return Fault(f"{field}.{name}", repr(value), "7", f"expected only {', '.join([*known, 'cube'])}")
        # True is a number to Python, and no number of points.
        if type(value) not in expected or (name == "cube" and not _is_cube(value)):
            return Fault(f"{field}.{name}", repr(value), "7", "has no such value")
        values[name] = value
    cube = _CUBE[values.pop("cube", True)]
    if field == "match" and "points" not in values:
        return Fault("match.points", "nothing", "7.1", "is required")
    return KindOfPlay(field, kind(**values), cube)


def _misplaced(said: Mapping[str, Any], place: str | None) -> Fault | None:
    """The first option said in a place where it would mean nothing; None is the line itself."""
    for name in said:
        home, rule = _PLACES.get(name, (place, ""))
        if home != place:
            return Fault(f"{place}.{name}" if place else name, repr(said[name]), rule, f"belongs in {home}")
    return None


def _expected(name: str, known: Mapping[str, Any]) -> tuple[type, ...] | None:
    """The types a value of this name can have."""
    if name == "cube":
        return (bool, str)
    if name not in known:
        return None
    if name == "games":
        return (int, type(None))
    return (int,) if name in ("points", "automatic_doubles") else (bool,)


def _is_cube(value: object) -> bool:
    return isinstance(value, bool | str) and value in _CUBE


def _read_options(options: object, *, of_cube: bool) -> dict[str, Any] | Fault:
    if options is None:
        return {}
    if not isinstance(options, Mapping):
        return Fault("options", repr(options), "1", "expected an object")
    elsewhere = _misplaced(options, "options")
    if elsewhere is not None:
        return elsewhere
    read: dict[str, Any] = {}
    for name, value in options.items():
        if of_cube and name == "cube" and _is_cube(value):
            read[name] = _CUBE[value]
            continue
        if name not in _OPTIONS:
            known = (*_OPTIONS, "cube (on, off)") if of_cube else _OPTIONS
            return Fault("options", repr(name), "1", f"expected {' or '.join(known)}")
        values = [choice.value for choice in _OPTIONS[name]]
        if value not in values:
            return Fault(f"options.{name}", repr(value), "1", f"expected {' or '.join(values)}")
        read[name] = _OPTIONS[name](value)
    return read


def read_number(number: object, field: str, allowed: range) -> int | Fault:
    """A whole number in a range; true and false are none."""
    if isinstance(number, int) and not isinstance(number, bool) and number in allowed:
        return number
    return Fault(field, repr(number), "1.1", f"expected a number from {allowed[0]} to {allowed[-1]}")


def _named(fault: Fault, play: str) -> Fault:
    """The fault under the name that its field has on the line."""
    part, dot, rest = fault.field.partition(".")
    if part == "play":
        return replace(fault, field=f"{play}{dot}{rest}")
    return replace(fault, field=f"options.{part}") if part in _OPTIONS else fault
