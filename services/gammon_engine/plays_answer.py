"""The answer to one line of `gammon plays`, plain data both ways: position and roll in, all results out."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from gammon_engine.game import Game
from gammon_engine.legal_plays import LegalPlays
from gammon_engine.line_settings import read_number
from gammon_engine.named_game import read_game
from gammon_engine.outcome import Finished, Remi, Win
from gammon_engine.play import Roll
from gammon_engine.position import Position
from gammon_engine.standing import no_turn
from gammon_engine.violation import Fault, Violation


def answer_line(line: Mapping[str, Any]) -> dict[str, Any]:
    """Answer `{game, seats, seat, options, position, roll}` with `{count, sha256, plays, outcomes, finished}`.

    `plays` are the texts of all resulting positions, sorted; `sha256` is over them joined by newlines;
    `outcomes` gives how those that end the game end it, `finished` those in which the seat has all its discs
    home (5.13); either is absent where there are none. Keys that are no option are ignored. A faulty line is answered
    with `{error: {field, reason}}`, for its first fault in the order of the fields above.
    """
    game = read_game(line)
    if isinstance(game, Fault):
        return _refused(game)
    seat = read_number(line.get("seat"), "seat", range(game.seats))
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
