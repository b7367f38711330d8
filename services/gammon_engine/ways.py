"""One way to play to a known result, found again by searching."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from gammon_engine.full_roll import numbers_of
from gammon_engine.play import Play, Roll, Step
from gammon_engine.position import Position

Steps = Callable[[Position, int], Iterable[tuple[Step, Position]]]


def way_to(result: Position, position: Position, roll: Roll, steps: Steps) -> Play:
    """A sequence of legal steps from `position` to `result`, with as many numbers as any such sequence.

    `steps(position, number)` gives the legal steps with the positions they lead to. Larger numbers are tried
    first, so that a single step of a legal play has the number that 1.4 demands.

    Raises:
        LookupError: no sequence of legal steps with this roll leads there.
    """
    numbers = tuple(sorted(numbers_of(roll), reverse=True))
    for length in range(len(numbers), -1, -1):
        play = _search(result, position, numbers, length, steps, set())
        if play is not None:
            return play
    raise LookupError(f"no way from {position} to {result} with {roll}")


def _search(
    result: Position,
    position: Position,
    numbers: tuple[int, ...],
    length: int,
    steps: Steps,
    dead_ends: set[tuple[Position, tuple[int, ...]]],
) -> Play | None:
    if not length:
        return () if position == result else None
    if (position, numbers) in dead_ends:
        return None
    for index, number in enumerate(numbers):
        if number in numbers[:index]:
            continue
        rest = numbers[:index] + numbers[index + 1 :]
        for step, after in steps(position, number):
            tail = _search(result, after, rest, length - 1, steps, dead_ends)
            if tail is not None:
                return (step, *tail)
    dead_ends.add((position, numbers))
    return None
