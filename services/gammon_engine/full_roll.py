"""The full-roll law (1.3, 1.4, 1.5), written once for every 24-point game.

A game lends it one function: `after(position, number)` gives the positions that one legal step with
`number` leads to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from gammon_engine.play import Roll
from gammon_engine.position import Position

After = Callable[[Position, int], Iterable[Position]]


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
    high, low = max(roll), min(roll)
    if used == (low,) and high != low and any(True for _ in after(position, high)):
        return f"either number can be used but not both, so it must be the {high}"
    return None


def _most(position: Position, numbers: tuple[int, ...], after: After) -> int:
    """How many of the numbers some sequence of legal steps uses."""
    best = 0
    for number in set(numbers):
        rest = list(numbers)
        rest.remove(number)
        for middle in after(position, number):
            best = max(best, 1 + _most(middle, tuple(rest), after))
            if best == len(numbers):
                return best
    return best
