"""Plays that use the whole roll, generated fast: the 24-point game with hitting and a bar.

By the full-roll law (1.4) they are all the legal plays as soon as there is one. Where there is none, or where
checkers may be borne off within the roll, these functions find nothing and `full_roll` decides step by step.
"""

from __future__ import annotations

from collections.abc import Sequence

from gammon_engine.board24 import HIT, MOVE, POINTS, sides
from gammon_engine.play import BAR
from gammon_engine.position import Position


def both_numbers(position: Position, seat: int, a: int, b: int) -> set[Position]:
    """Results of the plays that use both numbers of an unequal roll; empty if none, or maybe more.

    The two steps hinder each other only on one checker, on one blot, or at the bar. So the results are the
    sums of a step with `a` and a step with `b` from the position as it stands, and after that the plays of
    one checker.
    """
    mine, theirs = sides(position, seat)
    move_a, move_b, move_both, hit = MOVE[seat][a], MOVE[seat][b], MOVE[seat][a + b], HIT[seat]
    own = [point for point in POINTS if mine[point]]

    if mine[BAR]:
        runners: list[int] | tuple[int, ...] = (BAR,)
        enter_a = [position + change for change in _changes(move_a, hit, a, runners, theirs)]
        enter_b = [position + change for change in _changes(move_b, hit, b, runners, theirs)]
        if mine[BAR] > 1:
            return {entered - position + entered_too for entered in enter_a for entered_too in enter_b}
        then_b = _changes(move_b, hit, b, own, theirs)
        then_a = _changes(move_a, hit, a, own, theirs)
        results = {entered + change for entered in enter_a for change in then_b}
        results.update([entered + change for entered in enter_b for change in then_a])
    else:
        runners = own
        if not own or own[-1] <= 6 or (mine[own[-1]] == 1 and (len(own) == 1 or own[-2] <= 6)):
            return set()  # at most one checker outside: it may be bearing off
        steps_a = [
            (
                origin,
                position + move_a[origin] + hit[origin - a] if theirs[origin - a] else position + move_a[origin],
            )
            for origin in own
            if origin > a and theirs[origin - a] < 2
        ]
        steps_b = [
            (origin, move_b[origin] + hit[origin - b] if theirs[origin - b] else move_b[origin])
            for origin in own
            if origin > b and theirs[origin - b] < 2
        ]
        results = {
            stepped + change
            for origin, stepped in steps_a
            for other, change in steps_b
            if origin != other or mine[origin] > 1
        }

    # A blot reached by both steps is hit once.
    blot = theirs.find(1, 1, 25)
    while blot > 0:
        from_a, from_b = blot + a, blot + b
        if (
            from_a <= BAR
            and from_b <= BAR
            and mine[from_a]
            and mine[from_b]
            and (not mine[BAR] or from_a == BAR or from_b == BAR)
        ):
            landed = position + move_a[from_a] + move_b[from_b] + hit[blot]
            results.discard(landed + hit[blot])
            results.add(landed)
        blot = theirs.find(1, blot + 1, 25)

    for origin in runners:
        target = origin - a - b
        if target > 0 and theirs[target] < 2:
            moved = position + move_both[origin]
            if theirs[target]:
                moved += hit[target]
            for middle in (origin - a, origin - b):
                if theirs[middle] == 0:
                    results.add(moved)
                elif theirs[middle] == 1:
                    results.add(moved + hit[middle])
    return results


def _changes(
    move: tuple[int, ...],
    hit: tuple[int, ...],
    number: int,
    origins: list[int] | tuple[int, ...],
    theirs: bytes,
) -> list[int]:
    """What each legal step with `number` from these origins adds to the position, bearing off left out."""
    return [
        move[origin] + hit[origin - number] if theirs[origin - number] else move[origin]
        for origin in origins
        if origin > number and theirs[origin - number] < 2
    ]


def four_numbers(position: Position, seat: int, number: int) -> set[Position]:
    """Results of the plays that use a double four times; empty if there are none, or maybe more.

    Every such play can be ordered from the highest origin down, and ordered so no two lead to the same
    position.
    """
    mine, theirs = sides(position, seat)
    move, hit = MOVE[seat][number], HIT[seat]
    counts = list(mine)
    left = 4

    if counts[BAR]:
        target = BAR - number
        if theirs[target] > 1:
            return set()
        entering = min(counts[BAR], 4)
        position += entering * move[BAR] + (hit[target] if theirs[target] else 0)
        counts[target] += entering
        left -= entering
        if not left:
            return {position}

    to_bring_home = 0
    for point in range(24, 6, -1):
        if counts[point]:
            to_bring_home += counts[point] * ((point - 7) // number + 1)
            if to_bring_home >= left:
                break
    else:
        return set()  # a step may be left over to bear off with

    first_steps = []
    reachable = counts[:]
    for origin in range(24, number, -1):
        if reachable[origin] and theirs[origin - number] < 2:
            reachable[origin - number] = 1
            change = move[origin] + hit[origin - number] if theirs[origin - number] else move[origin]
            first_steps.append((origin, change))  # the blot, if any, is hit by the first step only
    return steps_from_the_top(position, counts, first_steps, move, number, left)


def steps_from_the_top(
    position: Position,
    counts: list[int],
    first_steps: Sequence[tuple[int, int]],
    move: tuple[int, ...],
    number: int,
    left: int,
) -> set[Position]:
    """Results of `left` steps with one number, taken from the highest origin down.

    `counts` are the checkers that can move on each point, `first_steps` the origins from the highest down, each with
    what its first step adds to the position; a further step from there adds `move[origin]`.
    """
    from_here_down = [first_steps[start:] for start in range(len(first_steps) + 1)]
    results: list[Position] = []

    def extend(reached: Position, start: int, left: int) -> None:
        """Add every result of `left` more steps from the origins after `start`; `counts` is the present."""
        if left == 1:
            results.extend([reached + change for origin, change in from_here_down[start] if counts[origin]])
            return
        for origin, change in from_here_down[start]:
            start += 1
            available = counts[origin]
            if not available:
                continue
            target = origin - number
            before = counts[target]
            stepped = reached + change
            counts[target] = before + 1
            extend(stepped, start, left - 1)
            if available > 1:
                further = move[origin]
                for steps in range(2, left):
                    stepped += further
                    counts[target] = before + steps
                    extend(stepped, start, left - steps)
                    if steps == available:
                        break
                else:
                    results.append(stepped + further)
            counts[target] = before

    extend(position, 0, left)
    return set(results)
