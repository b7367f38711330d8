"""Referee scripts: plain data run through the referee as the command runs them, but on past what is refused."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from gammon_engine.referee import rule
from gammon_engine.referee_answer import state_words
from gammon_engine.referee_script import Script as ReadScript
from gammon_engine.referee_script import read_action, read_script
from gammon_engine.registry import is_played
from gammon_engine.settings import GameId
from gammon_engine.violation import Fault, Violation

Script = dict[str, Any]

SHARED = Path(__file__).parents[3] / "shared" / "fixtures" / "referee.jsonl"
WORKED = Path(__file__).parents[2] / "docs" / "referee-scripts"


def shared_scripts() -> list[Script]:
    """The scripts kept beside the project, where they are, of every game that can be played."""
    return list(_playable(SHARED)) if SHARED.exists() else []


def worked_scripts() -> list[Script]:
    """The scripts of the docs, of every game that can be played."""
    return [script for path in sorted(WORKED.glob("*.jsonl")) for script in _playable(path)]


def _playable(path: Path) -> Iterator[Script]:
    names = {game.value: game for game in GameId}
    for line in path.read_text().splitlines():
        script = json.loads(line)
        if is_played(names.get(script["game"], GameId.BACKGAMMON)):
            yield script


def run(script: Script) -> list[dict[str, Any]]:
    """The answer to each action: `ok`, the state after it, or the rule it breaks and the state as it was."""
    read = read_script(script)
    assert isinstance(read, ReadScript), read
    state = read.state
    answers = []
    for data in read.actions:
        action = read_action(data, read.settings)
        assert not isinstance(action, Fault), action
        ruling = rule(read.settings, state, action)
        if isinstance(ruling, Violation):
            answers.append({"ok": False, "rule": ruling.rule, "state": state_words(read.settings, state)})
        else:
            state = ruling.state
            answers.append({"ok": True, "state": state_words(read.settings, state)})
    return answers


def differences(expected: Any, answer: Any, path: str = "") -> list[str]:
    """Where the answer lacks or contradicts what is expected; objects may say more than expected."""
    if isinstance(expected, dict) and isinstance(answer, dict):
        return [
            line
            for key, value in expected.items()
            for line in (
                differences(value, answer[key], f"{path}.{key}") if key in answer else [f"{path}.{key} is missing"]
            )
        ]
    return [] if expected == answer else [f"{path}: expected {expected!r}, got {answer!r}"]
