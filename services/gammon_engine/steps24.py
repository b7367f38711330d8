"""Steps of the 24-point games: what 1.2, 1.3 and 1.6 say of them, whatever the game.

Bearing off stands here twice, in `bearing_off`, which generates, and in `no_bearing_off`, which explains. They share
nothing, so that each can find the other wrong.
"""

from __future__ import annotations

from collections.abc import Callable

from gammon_engine.full_roll import numbers_of
from gammon_engine.notation import write_play
from gammon_engine.play import BAR, OFF, Play, Roll, Step
from gammon_engine.violation import Violation

# The rule that is broken, and how.
Broken = tuple[str, str]


def bearing_off(own: list[int], number: int) -> list[int]:
    """The point from which `number` takes a checker off (1.6), if any; `own` are the points occupied, lowest first."""
    if not own or own[-1] > 6:
        return []
    if number in own:
        return [number]
    return own[-1:] if own[-1] < number else []


def no_step(mine: list[int], step: Step) -> Broken | None:
    """Why `step` is none in any of these games (1.2), or None; `mine` are the 26 counts of the mover."""
    if not 1 <= step.origin <= BAR or not mine[step.origin]:
        return "1.2", "there is no checker to move"
    if step.target != max(step.origin - step.number, OFF) or step.piece:
        return "1.2", f"a {step.number} does not lead there"
    return None


def no_bearing_off(mine: list[int], step: Step) -> Broken | None:
    """Why `step`, which leads off the board, may not (1.6), or None; `mine` as above."""
    if any(mine[7:]):
        return "1.6", "not all checkers are home"
    if step.number > step.origin and any(mine[step.origin + 1 :]):
        return "1.6", f"a {step.number} must take a checker from a higher point"
    return None


def first_broken(roll: Roll, play: Play, carry_out: Callable[[Step], Broken | None]) -> Violation | None:
    """The first rule that a step of `play` breaks, whatever the rest of it; 1.3 for a number the roll does not give.

    `carry_out` does a step, or leaves it and says which rule it breaks.
    """
    unused = list(numbers_of(roll))
    for index, step in enumerate(play):
        if step.number in unused:
            unused.remove(step.number)
            broken = carry_out(step)
        else:
            broken = "1.3", f"{roll[0]}-{roll[1]} gives no {step.number} here"
        if broken is not None:
            return Violation(*broken, f"play[{index}]", write_play((step,)))
    return None
