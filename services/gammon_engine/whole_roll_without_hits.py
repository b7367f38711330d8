"""Plays that use the whole roll, generated fast: the 24-point games without hitting and without a bar.

As in `whole_roll`: they are all the legal plays as soon as there is one, and nothing is found where checkers may be
borne off within the roll. The opponent's checkers stay where they are, so a game says once where steps may land.
"""

from __future__ import annotations

from collections.abc import Sequence

from gammon_engine.board24 import POINTS
from gammon_engine.position import Position
from gammon_engine.whole_roll import steps_from_the_top

# What a step with each distance adds to a position, by distance and origin.
Moves = tuple[tuple[int, ...], ...]


def both_numbers(
    position: Position, mine: Sequence[int], closed: Sequence[int], moves: Moves, a: int, b: int
) -> set[Position]:
    """Results of the plays that use both numbers of an unequal roll; empty if none, or maybe more.

    `mine` are the checkers that can move on each of the mover's points; where `closed` is not 0 none
    may land. Two
    steps hinder each other only on one checker.
    """
    own = [point for point in POINTS if mine[point]]
    if not own or own[-1] <= 6 or (mine[own[-1]] == 1 and (len(own) == 1 or own[-2] <= 6)):
        return set()  # at most one checker outside: it may be bearing off
    move_a, move_b, move_both = moves[a], moves[b], moves[a + b]
    steps_a = [(origin, position + move_a[origin]) for origin in own if origin > a and not closed[origin - a]]
    steps_b = [(origin, move_b[origin]) for origin in own if origin > b and not closed[origin - b]]
    results = {
        stepped + change
        for origin, stepped in steps_a
        for other, change in steps_b
        if origin != other or mine[origin] > 1
    }
    results.update(
        [
            position + move_both[origin]
            for origin in own
            if origin > a + b and not closed[origin - a - b] and not (closed[origin - a] and closed[origin - b])
        ]
    )
    return results


def four_numbers(
    position: Position, mine: Sequence[int], closed: Sequence[int], moves: Moves, number: int
) -> set[Position]:
    """Results of the plays that use a double four times; empty if there are none, or maybe more. Arguments as above."""
    to_bring_home = 0
    for point in range(24, 6, -1):
        if mine[point]:
            to_bring_home += mine[point] * ((point - 7) // number + 1)
            if to_bring_home >= 4:
                break
    else:
        return set()  # a step may be left over to bear off with
    move = moves[number]
    first_steps = []
    reachable = list(mine)
    for origin in range(24, number, -1):
        if reachable[origin] and not closed[origin - number]:
            reachable[origin - number] = 1
            first_steps.append((origin, move[origin]))
    return steps_from_the_top(position, list(mine), first_steps, move, number, 4)
