"""Scripts of cube, match and stake play, built shortly, and how one is checked."""

from typing import Any

from tests.engine.scripts import Script, differences, run

START = "24:2,13:5,8:3,6:5 24:2,13:5,8:3,6:5"
ONE_EACH = "1:1,off:14 1:1,off:14"


def do(seat: int | None, what: str, **rest: Any) -> dict[str, Any]:
    """An action."""
    return {"seat": seat, "do": what, **rest}


def script(about: str, actions: list[dict[str, Any]], expect: dict[str, Any], **rest: Any) -> Script:
    """A script of Backgammon: a match to 7, the start, seat 0 to roll, where nothing else is said."""
    base = {"game": "backgammon", "seats": 2, "position": START, "turn": 0}
    if "session" not in rest:
        base["match"] = {"points": 7}
    return {"about": about, **base, "actions": actions, "expect": expect, **rest}


def ok(**state: Any) -> dict[str, Any]:
    """A ruling, and what its state must show."""
    return {"ok": True, "state": state}


def no(rule: str) -> dict[str, Any]:
    """A refusal under a rule."""
    return {"ok": False, "rule": rule}


# The last checker of seat 0 goes off from ONE_EACH.
ROLL_OFF = [do(0, "roll", dice=[2, 1]), do(0, "play", text="1/off")]


def check(script: Script) -> None:
    """Run a script; every expectation must hold, and what nothing is expected of must succeed."""
    answers = run(script)
    found = [
        line
        for number, expected in script["expect"].items()
        for line in differences(expected, answers[int(number)], number)
    ]
    assert not found
    refused = {str(number) for number, answer in enumerate(answers) if not answer["ok"]}
    assert refused <= set(script["expect"])
