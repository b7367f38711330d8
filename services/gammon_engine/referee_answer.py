"""The answers to one line of `gammon referee`, plain data both ways: a script in, one answer an action out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import fields
from enum import Enum
from fractions import Fraction
from typing import Any

from gammon_engine.game import Game
from gammon_engine.referee import rule
from gammon_engine.referee.facts import Fact, GameEnded
from gammon_engine.referee.state import Crawford, Phase, State
from gammon_engine.referee_script import read_action, read_script
from gammon_engine.registry import game_of
from gammon_engine.settings import Settings
from gammon_engine.violation import Fault, Violation

_WORD = re.compile(r"(?<=[a-z])(?=[A-Z])")


def answer_script(line: Mapping[str, Any], number: int) -> Iterator[dict[str, Any]]:
    """One answer an action, up to the first that is refused; `number` is the script's, from 0.

    `{script, action, ok: true, facts, state}`, or `{script, action, ok: false, rule, reason}`. What is wrong with the
    script itself refuses its action 0, whatever that is.
    """
    script = read_script(line)
    if isinstance(script, Fault):
        yield refused(number, 0, script)
        return
    state = script.state
    for index, data in enumerate(script.actions):
        asked = {"script": number, "action": index}
        action = read_action(data, script.settings)
        if isinstance(action, Fault):
            yield refused(number, index, action)
            return
        ruling = rule(script.settings, state, action)
        if isinstance(ruling, Violation):
            yield {**asked, "ok": False, "rule": ruling.rule, "reason": ruling.reason}
            return
        game = game_of(script.settings, state.playing)
        state = ruling.state
        told = [fact_words(fact, game) for fact in ruling.facts]
        shown = state_words(script.settings, state)
        if script.one_game and state.over is not None:
            shown["over"] |= {"kind": "game", "winners": _winners(ruling.facts)}
        yield {**asked, "ok": True, "facts": told, "state": shown}


def _winners(facts: tuple[Fact, ...]) -> list[int]:
    return [seat for fact in facts if isinstance(fact, GameEnded) for seat in fact.winners]


def refused(number: int, action: int, fault: Fault) -> dict[str, Any]:
    """The answer to an action whose form is wrong; the reason names the field."""
    reason = f"{fault.field}: {fault.reason} (rule {fault.rule}), got {fault.value}"
    return {"script": number, "action": action, "ok": False, "rule": fault.rule, "reason": reason}


def state_words(settings: Settings, state: State) -> dict[str, Any]:
    """A state as scripts tell it. While the next game is being chosen (7.6) none is `playing`."""
    cube = {"owner": state.cube.owner} if settings.seats == 2 else {"last_doubler": state.cube.last_doubler}
    over = state.over
    score = [_number(own) for own in state.score]
    return {
        "phase": state.phase.value,
        "playing": None if state.phase is Phase.CHOOSING else state.playing.value,
        "turn": state.turn,
        "dice": None if state.dice is None else list(state.dice),
        "position": game_of(settings, state.playing).text(state.position),
        "cube": {"value": state.cube.value, **cube},
        "score": score,
        "game": state.game_number,
        "crawford": state.crawford is Crawford.NOW,
        "over": over and {"kind": over.kind.value, "winners": list(over.winners), "points": score},
    }


def fact_words(fact: Fact, game: Game) -> dict[str, Any]:
    """A fact under its name, plays in their written form, cubes by their value."""
    told: dict[str, Any] = {"fact": _WORD.sub("_", type(fact).__name__).lower()}
    for field in fields(fact):
        value = getattr(fact, field.name)
        match field.name:
            case "exponent":
                told["cube"] = 1 << value
            case "play":
                told["play"] = game.write_play(value)
            case "broken":
                told["rule"], told["reason"] = value.rule, value.reason
            case name:
                told[name] = _plain(value)
    return told


def _plain(value: object) -> object:
    match value:
        case Enum():
            return value.value
        case Fraction():
            return _number(value)
        case tuple():
            return [_plain(part) for part in value]
        case _:
            return value


def _number(value: Fraction) -> int | str:
    return value.numerator if value.denominator == 1 else str(value)
