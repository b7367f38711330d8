"""The answer to one line of `gammon plays`, plain data both ways: position and roll in, all results out."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from gammon_engine.faults import faults
from gammon_engine.game import Game
from gammon_engine.legal_plays import LegalPlays
from gammon_engine.outcome import Finished, Remi, Win
from gammon_engine.play import Roll
from gammon_engine.position import Position
from gammon_engine.registry import game_of
from gammon_engine.settings import Centres, GameId, RunnerRelease, SessionPlay, Settings, SetUp
from gammon_engine.standing import no_turn
from gammon_engine.violation import Fault, Violation

_SET_UPS = {set_up.value: set_up for set_up in SetUp if set_up is not SetUp.STANDARD}
_GAMES = {game.value: game for game in GameId if game is not GameId.GAMMON}
_OPTIONS = {"centres": Centres, "runner_release": RunnerRelease}


def answer_line(line: Mapping[str, Any]) -> dict[str, Any]:
    """Answer `{game, seats, seat, options, position, roll}` with `{count, sha256, plays, outcomes, finished}`.

    `plays` are the texts of all resulting positions, sorted; `sha256` is over them joined by newlines;
    `outcomes` gives how those that end the game end it, `finished` those in which the seat has all its discs
    home (5.13); either is absent where there are none. Unknown keys are ignored. A faulty line is answered
    with `{error: {field, reason}}`, for its first fault in the order of the fields above.
    """
    game = _read_game(line)
    if isinstance(game, Fault):
        return _refused(game)
    seat = _read_number(line.get("seat"), "seat", range(game.seats))
    if isinstance(seat, Fault):
        return _refused(seat)
    position = _read_position(line.get("position"), game, seat)
    if isinstance(position, Fault):
        return _refused(position)
    roll = _read_roll(line.get("roll"))
    if isinstance(roll, Fault):
        return _refused(roll)
    return _answer(game, seat, game.legal_plays(position, seat, roll))


def _refused(fault: Fault) -> dict[str, Any]:
    reason = f"{fault.reason} (rule {fault.rule}), got {fault.value}"
    return {"error": {"field": fault.field, "reason": reason}}


def _answer(game: Game, seat: int, plays: LegalPlays) -> dict[str, Any]:
    texts = plays.texts()
    answer: dict[str, Any] = {
        "count": len(texts),
        "sha256": hashlib.sha256("\n".join(texts).encode()).hexdigest(),
        "plays": texts,
    }
    ended = {game.text(result): game.outcome(result, seat) for result in plays}
    outcomes = {text: _shown(outcome) for text, outcome in ended.items() if isinstance(outcome, Win | Remi)}
    finished = [text for text in texts if isinstance(ended[text], Finished)]
    if outcomes:
        answer["outcomes"] = outcomes
    if finished:
        answer["finished"] = finished
    return answer


def _shown(outcome: Win | Remi) -> dict[str, Any]:
    match outcome:
        case Win(seat, level):
            return {"kind": "win", "seat": seat, "level": level}
        case Remi():
            return {"kind": "remi"}


def _read_game(line: Mapping[str, Any]) -> Game | Fault:
    name = line.get("game")
    if not isinstance(name, str) or name not in {*_GAMES, *_SET_UPS}:
        return Fault("game", repr(name), "1", f"expected one of {', '.join([*_GAMES, *_SET_UPS])}")
    seats = _read_number(line.get("seats", 2), "seats", range(2, 5))
    if isinstance(seats, Fault):
        return seats
    options = _read_options(line.get("options"))
    if isinstance(options, Fault):
        return options
    settings = Settings(
        game=_GAMES.get(name, GameId.BACKGAMMON),
        play=SessionPlay(),
        seats=seats,
        set_up=_SET_UPS.get(name),
        **options,
    )
    for fault in faults(settings):
        return replace(fault, field=f"options.{fault.field}") if fault.field in _OPTIONS else fault
    return game_of(settings)


def _read_options(options: object) -> dict[str, Any] | Fault:
    if options is None:
        return {}
    if not isinstance(options, Mapping):
        return Fault("options", repr(options), "1", "expected an object")
    read: dict[str, Any] = {}
    for name, value in options.items():
        if name not in _OPTIONS:
            return Fault("options", repr(name), "1", f"expected {' or '.join(_OPTIONS)}")
        values = [choice.value for choice in _OPTIONS[name]]
        if value not in values:
            return Fault(f"options.{name}", repr(value), "1", f"expected {' or '.join(values)}")
        read[name] = _OPTIONS[name](value)
    return read


def _read_number(number: object, field: str, allowed: range) -> int | Fault:
    if isinstance(number, int) and not isinstance(number, bool) and number in allowed:
        return number
    return Fault(field, repr(number), "1.1", f"expected a number from {allowed[0]} to {allowed[-1]}")


def _read_position(text: object, game: Game, seat: int) -> Position | Fault:
    if not isinstance(text, str):
        return Fault("position", repr(text), "9", "expected text")
    position = game.parse(text)
    if isinstance(position, Violation):
        return Fault("position", repr(position.value), position.rule, position.reason)
    over = no_turn(game, position, seat)
    if over is not None:
        return Fault("position", repr(text), over.rule, over.reason)
    return position


def _read_roll(roll: object) -> Roll | Fault:
    if isinstance(roll, list) and len(roll) == 2 and all(type(die) is int and 1 <= die <= 6 for die in roll):
        return roll[0], roll[1]
    return Fault("roll", repr(roll), "1.1", "expected two numbers from 1 to 6")
