"""Referee scripts as plain data: settings, perhaps a game in progress, and actions, one JSON object a script."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, cast

from gammon_engine.line_settings import read_play, read_settings
from gammon_engine.play import Roll, Step
from gammon_engine.referee import actions as act
from gammon_engine.referee import begin, rule, set_up
from gammon_engine.referee.stakes import has_crawford
from gammon_engine.referee.state import Crawford, Cube, State
from gammon_engine.registry import game_of
from gammon_engine.settings import GameId, MatchPlay, Settings
from gammon_engine.violation import Fault, Violation

_WORDS: dict[str, Callable[[int], act.Action]] = {
    "double": act.Double,
    "take": act.Take,
    "drop": act.Drop,
    "beaver": act.Beaver,
    "raccoon": act.Raccoon,
    "accept": act.Accept,
    "decline": act.Decline,
    "withdraw": act.Withdraw,
    "stay": act.Stay,
    "leave": act.Leave,
    "no_result": act.OfferNoResult,
    "lapse": act.Lapse,
}
_LONGER = ("open", "roll", "play", "choose", "resign", "settle", "forfeit", "end_session", "void", "set_score")
_NOBODYS = ("open", "end_session", "void", "set_score")
_SET_UP = ("position", "turn", "cube")
_FRACTION = re.compile(r"-?\d+(?:/0*[1-9]\d*)?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Script:
    """What is played, where it starts, and the actions, not read yet. `one_game`: neither a match nor a session."""

    settings: Settings
    state: State
    actions: Sequence[object]
    one_game: bool


def read_script(line: Mapping[str, Any]) -> Script | Fault:
    """A script of `{game, seats, match | session, options, position, turn, score, cube, actions}`, or its first fault.

    Without match and session it is one game. Position, turn and cube set up a game in progress; a score alone stands
    before the first opening.
    """
    kind = read_play(line)
    if isinstance(kind, Fault):
        return kind
    settings = read_settings(line, kind)
    if isinstance(settings, Fault):
        return settings
    score = _read_points(line["score"], "score") if "score" in line else None
    if isinstance(score, Fault):
        return score
    played = line.get("crawford_played", score is not None and _must_be_past_crawford(settings, score))
    if not isinstance(played, bool):
        return Fault("crawford_played", repr(played), "7.2", "expected true or false")
    if any(name in line for name in _SET_UP):
        state = _set_up(line, settings, score, played)
    else:
        state = begin(settings) if score is None else _scored(settings, score, played)
    if isinstance(state, Fault):
        return state
    actions = line.get("actions")
    if not isinstance(actions, list):
        return Fault("actions", repr(actions), "1", "expected a list")
    return Script(settings, state, actions, one_game=kind.field == "game")


def _must_be_past_crawford(settings: Settings, score: tuple[Fraction, ...]) -> bool:
    """Both one point from the match: the game after the first came there was the Crawford game (7.2)."""
    play = settings.play
    return isinstance(play, MatchPlay) and has_crawford(settings) and set(score) == {play.points - 1}


def _scored(settings: Settings, score: tuple[Fraction, ...], played: bool) -> State | Fault:
    ruling = rule(settings, begin(settings), act.SetScore(score, played))
    return _fault(ruling) if isinstance(ruling, Violation) else ruling.state


def _set_up(
    line: Mapping[str, Any], settings: Settings, score: tuple[Fraction, ...] | None, played: bool
) -> State | Fault:
    game = game_of(settings)
    text = line.get("position", game.text(game.start()))
    position = game.parse(text) if isinstance(text, str) else None
    if position is None:
        return Fault("position", repr(text), "9", "expected text")
    if isinstance(position, Violation):
        return Fault("position", repr(position.value), position.rule, position.reason)
    turn: Any = line.get("turn")
    if not _is_number(turn):
        return Fault("turn", repr(turn), "1.1", "expected a seat")
    cube = _read_cube(line.get("cube", {}))
    if isinstance(cube, Fault):
        return cube
    state = set_up(settings, position, turn, score, cube, Crawford.PLAYED if played else None)
    return _fault(state) if isinstance(state, Violation) else state


def _fault(refusal: Violation) -> Fault:
    return Fault(refusal.field, refusal.value, refusal.rule, refusal.reason)


def _read_cube(cube: object) -> Cube | Fault:
    if not isinstance(cube, Mapping) or not set(cube) <= {"value", "owner", "last_doubler"}:
        return Fault("cube", repr(cube), "6.2", "expected value and owner, with three or four value and last_doubler")
    value, owner, doubler = cube.get("value", 1), cube.get("owner"), cube.get("last_doubler")
    if not _is_number(value) or value < 1 or value & (value - 1):
        return Fault("cube.value", repr(value), "6.2", "expected a power of two")
    for name, seat in (("owner", owner), ("last_doubler", doubler)):
        if seat is not None and not _is_number(seat):
            return Fault(f"cube.{name}", repr(seat), "1.1", "expected a seat or null")
    return Cube(value.bit_length() - 1, owner, doubler)


def read_action(data: object, settings: Settings) -> act.Action | Fault:
    """One action of `{seat, do, …}`, or what is wrong with its form; what it may do is for the referee."""
    if not isinstance(data, Mapping):
        return Fault("action", repr(data), "1", "expected an object")
    word = data.get("do")
    seat: Any = data.get("seat")
    if not isinstance(word, str) or (word not in _WORDS and word not in _LONGER):
        return Fault("do", repr(word), "1", f"expected one of {', '.join((*_LONGER, *_WORDS))}")
    if word not in _NOBODYS and not _is_number(seat):
        return Fault("seat", repr(seat), "1.1", "expected a seat")
    if word in _WORDS:
        return _WORDS[word](seat)
    match word:
        case "open" | "roll":
            dice = data.get("dice")
            if not isinstance(dice, list) or not all(map(_is_number, dice)):
                return Fault("dice", repr(dice), "1.1", "expected a list of numbers")
            return act.Open(tuple(dice)) if word == "open" else act.RollDice(seat, cast(Roll, tuple(dice)))
        case "play":
            return _read_play(data, seat)
        case "choose":
            games = {game.value: game for game in GameId}
            if data.get("game") not in games:
                return Fault("game", repr(data.get("game")), "7.6", f"expected one of {', '.join(games)}")
            return act.Choose(seat, games[data["game"]])
        case "resign":
            level: Any = data.get("level")
            return act.Resign(seat, level) if _is_number(level) else Fault("level", repr(level), "8.1", "1 to 3")
        case "settle":
            return _read_settlement(data, seat)
        case "forfeit":
            return _read_forfeit(data, settings, seat)
        case "end_session":
            return act.EndSession()
        case "void":
            return act.VoidGame()
        case _:
            return _read_score(data)


def _read_play(data: Mapping[str, Any], seat: int) -> act.Action | Fault:
    if isinstance(data.get("text"), str):
        return act.MakePlay(seat, data["text"])
    steps = data.get("steps")
    if not isinstance(steps, list) or not all(map(_is_step, steps)):
        return Fault("text", repr(data.get("text")), "1.10", "expected text, or steps of number, origin, target, disc")
    return act.MakePlay(seat, tuple(Step(step[0], step[1], step[2], piece=sum(step[3:])) for step in steps))


def _is_step(step: object) -> bool:
    return isinstance(step, list) and len(step) in (3, 4) and all(map(_is_number, step))


def _read_settlement(data: Mapping[str, Any], seat: int) -> act.Action | Fault:
    points = _read_points([data.get("points")], "points")
    if isinstance(points, Fault):
        return points
    to: Any = data.get("to")
    return act.Settle(seat, points[0], to) if _is_number(to) else Fault("to", repr(to), "8.6", "expected a seat")


def _read_forfeit(data: Mapping[str, Any], settings: Settings, seat: int) -> act.Action | Fault:
    """A level is of a game; without one, and without a scope, a match is forfeited as a whole."""
    level, scopes = data.get("level"), {scope.value: scope for scope in act.Scope}
    if level is not None and not _is_number(level):
        return Fault("level", repr(level), "8.3", "1 to 3, or null")
    whole = level is None and isinstance(settings.play, MatchPlay)
    scope = data.get("scope", act.Scope.MATCH.value if whole else act.Scope.GAME.value)
    if scope not in scopes:
        return Fault("scope", repr(scope), "8.3", f"expected {' or '.join(scopes)}")
    return act.Forfeit(seat, scopes[scope], level)


def _read_score(data: Mapping[str, Any]) -> act.Action | Fault:
    score, played = _read_points(data.get("score"), "score"), data.get("crawford_played", False)
    if isinstance(score, Fault):
        return score
    if not isinstance(played, bool):
        return Fault("crawford_played", repr(played), "7.2", "expected true or false")
    return act.SetScore(score, played)


def _read_points(values: object, field: str) -> tuple[Fraction, ...] | Fault:
    """Whole numbers, or fractions as text such as "1/3"."""
    if isinstance(values, list) and all(_is_number(value) or _is_fraction(value) for value in values):
        return tuple(map(Fraction, values))
    return Fault(field, repr(values), "7.3", 'expected numbers, fractions as "1/3"')


def _is_fraction(value: object) -> bool:
    """Python reads more as a fraction, such as 1e9 with its billion zeros."""
    return isinstance(value, str) and _FRACTION.fullmatch(value) is not None


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
