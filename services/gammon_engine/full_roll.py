"""The full-roll law (1.3, 1.4, 1.5), written once for every 24-point game.

A game lends it one function: `after(position, number)` gives the positions that one legal step with
`number` leads to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from gammon_engine.next_steps import NextSteps
from gammon_engine.play import Play, Roll, Step
from gammon_engine.position import Position
from gammon_engine.violation import Violation

After = Callable[[Position, int], Iterable[Position]]
Steps = Callable[[Position, int], Iterable[tuple[Step, Position]]]


def numbers_of(roll: Roll) -> tuple[int, ...]:
    """The numbers a roll gives: a and b, or four times a (1.3)."""
    a, b = roll
    return (a, a, a, a) if a == b else (a, b)


def legal_results(position: Position, roll: Roll, after: After) -> set[Position]:
    """Every position a legal play leads to; the position itself when no step is legal (1.5)."""
    high, low = max(roll), min(roll)
    if high == low:
        return _most_of_a_double(position, high, after)
    with_high = set(after(position, high))
    with_low = set(after(position, low))
    both = {result for middle in with_high for result in after(middle, low)}
    both.update(result for middle in with_low for result in after(middle, high))
    # With only one number usable, the low one is owed nothing if the high one can be used alone.
    return both or with_high or with_low or {position}


def _most_of_a_double(position: Position, number: int, after: After) -> set[Position]:
    reached = {position}
    for _ in range(4):
        further = {result for middle in reached for result in after(middle, number)}
        if not further:
            break
        reached = further
    return reached


def shortfall(position: Position, roll: Roll, used: tuple[int, ...], after: After) -> str | None:
    """Why a play of legal steps with the numbers `used` breaks 1.4, or None if it does not.

    A play that uses the whole roll is judged without a search.
    """
    numbers = numbers_of(roll)
    if len(used) == len(numbers):
        return None
    most = _most(position, numbers, after)
    if len(used) < most:
        return f"{len(used)} of the numbers used where {most} can be"
    if used == (min(roll),) and _owes_the_larger(position, roll, after):
        return f"either number can be used but not both, so it must be the {max(roll)}"
    return None


def _owes_the_larger(position: Position, roll: Roll, after: After) -> bool:
    """Whether a play of one number must be of the larger.

    Not if the smaller can do nothing else than the larger does: either number may bear off the last checker (1.6).
    """
    with_high = set(after(position, max(roll)))
    return bool(with_high) and not with_high.issuperset(after(position, min(roll)))


def _most(position: Position, numbers: tuple[int, ...], after: After) -> int:
    """How many of the numbers some sequence of legal steps uses."""
    best = 0
    for number in set(numbers):
        rest = _without(numbers, number)
        for middle in after(position, number):
            best = max(best, 1 + _most(middle, rest, after))
            if best == len(numbers):
                return best
    return best


def next_steps(position: Position, roll: Roll, chosen: Play, steps: Steps) -> NextSteps | Violation:
    """The steps that go on from `chosen` to a legal play; refused where `chosen` itself does not.

    `steps(position, number)` gives the legal steps with the positions they lead to. A chosen step is known by its
    number, origin and target. The caller has made sure that each chosen step is legal, but for 1.4.
    """

    def after(position: Position, number: int) -> Iterable[Position]:
        return (result for _, result in steps(position, number))

    rest = list(numbers_of(roll))
    owed = _most(position, tuple(rest), after)
    only_high = owed == 1 and len(set(roll)) == 2 and _owes_the_larger(position, roll, after)

    def open_steps(position: Position) -> list[tuple[Step, Position]]:
        return [
            (step, result)
            for number in sorted(set(rest), reverse=True)
            if not (only_high and number != max(roll))
            for step, result in steps(position, number)
            if len(numbers_of(roll)) - len(rest) + 1 + _most(result, _without(rest, number), after) == owed
        ]

    for index, step in enumerate(chosen):
        found = [result for known, result in open_steps(position) if known[:3] == step[:3]]
        if not found:
            reason = f"no play that uses {owed} of the numbers begins like this"
            return Violation("1.4", reason, f"chosen[{index}]", f"{step.origin}/{step.target}")
        position = found[0]
        rest.remove(step.number)
    following = tuple(step for step, _ in open_steps(position))
    return NextSteps(following, position, complete=len(chosen) == owed)


def _without(numbers: Sequence[int], number: int) -> tuple[int, ...]:
    rest = list(numbers)
    rest.remove(number)
    return tuple(rest)
