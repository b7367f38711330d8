"""Referee scripts: settings, an optional set-up, and actions as plain data, run through the referee."""

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

from gammon_engine.play import Step
from gammon_engine.referee import actions as act
from gammon_engine.referee import begin, rule, set_up
from gammon_engine.referee.state import Crawford, Cube, State
from gammon_engine.registry import GAMES, game_of
from gammon_engine.settings import GameId, MatchPlay, SessionPlay, Settings, SetUp
from gammon_engine.violation import Violation

Script = dict[str, Any]

SHARED = Path(__file__).parents[3] / "shared" / "fixtures" / "referee.jsonl"


def shared_scripts() -> list[Script]:
    """The scripts kept beside the project, where they are, of every game that can be played."""
    if not SHARED.exists():
        return []
    scripts = [json.loads(line) for line in SHARED.read_text().splitlines()]
    played = {game.value for game in GAMES}
    return [script for script in scripts if script["game"] in played]


def settings_of(script: Script) -> Settings:
    """The settings a script names. `match`, `session` and `options` carry the fields of the settings."""
    play = MatchPlay(**script["match"]) if "match" in script else SessionPlay(**script["session"])
    options = script.get("options", {})
    chosen = SetUp(options["set_up"]) if "set_up" in options else None
    cube = options.get("cube", True)
    return Settings(GameId(script["game"]), play, seats=script["seats"], set_up=chosen, cube=cube)


def first_state(script: Script, settings: Settings) -> State:
    """The state before the first action."""
    if "position" not in script:
        return begin(settings)
    position = game_of(settings).parse(script["position"])
    assert isinstance(position, int), position
    cube = script.get("cube", {"value": 1, "owner": None})
    state = set_up(
        settings,
        position,
        script["turn"],
        script.get("score"),
        Cube(cube["value"].bit_length() - 1, cube["owner"]),
        Crawford.PLAYED if script.get("crawford_played") else None,
    )
    assert isinstance(state, State), state
    return state


def action_of(data: dict[str, Any]) -> act.Action:
    """One action of a script."""
    seat = data["seat"]
    match data["do"]:
        case "open":
            return act.Open(tuple(data["dice"]))
        case "roll":
            return act.RollDice(seat, tuple(data["dice"]))
        case "play":
            steps = tuple(Step(*step) for step in data.get("steps", ()))
            return act.MakePlay(seat, data.get("text", steps))
        case "resign":
            return act.Resign(seat, data["level"])
        case "settle":
            return act.Settle(seat, Fraction(data["points"]), data["to"])
        case "choose":
            return act.Choose(seat, GameId(data["game"]))
        case "forfeit":
            return act.Forfeit(seat, act.Scope(data["scope"]), data.get("level"))
        case "end_session":
            return act.EndSession()
        case name:
            plain: dict[str, Callable[[int], act.Action]] = {
                "double": act.Double,
                "take": act.Take,
                "drop": act.Drop,
                "beaver": act.Beaver,
                "raccoon": act.Raccoon,
                "accept": act.Accept,
                "decline": act.Decline,
                "stay": act.Stay,
                "leave": act.Leave,
                "lapse": act.Lapse,
            }
            return plain[name](seat)


def view(settings: Settings, state: State) -> dict[str, Any]:
    """A state as scripts describe it."""
    return {
        "phase": state.phase.value,
        "game": state.game_number,
        "playing": state.playing.value,
        "position": game_of(settings, state.playing).text(state.position),
        "turn": state.turn,
        "dice": list(state.dice) if state.dice else None,
        "cube": {"value": state.cube.value, "owner": state.cube.owner},
        "score": [int(own) if own.denominator == 1 else str(own) for own in state.score],
        "crawford": state.crawford is Crawford.NOW,
        "over": state.over and {"kind": state.over.kind.value, "winners": list(state.over.winners)},
    }


def run(script: Script) -> list[dict[str, Any]]:
    """The answer to each action: `ok`, the state after it as far as scripts see it, or the violation."""
    settings = settings_of(script)
    state = first_state(script, settings)
    answers = []
    for data in script["actions"]:
        ruling = rule(settings, state, action_of(data))
        if isinstance(ruling, Violation):
            answers.append({"ok": False, "rule": ruling.rule, "state": view(settings, state)})
        else:
            state = ruling.state
            answers.append({"ok": True, "state": view(settings, state)})
    return answers


def differences(expected: Any, answer: Any, path: str = "") -> list[str]:
    """Where the answer lacks or contradicts what is expected; objects may say more than expected."""
    if isinstance(expected, dict):
        return [
            line
            for key, value in expected.items()
            for line in (
                differences(value, answer[key], f"{path}.{key}") if key in answer else [f"{path}.{key} is missing"]
            )
        ]
    return [] if expected == answer else [f"{path}: expected {expected!r}, got {answer!r}"]
