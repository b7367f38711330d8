"""Legal plays of Trackgammon (5.5, 5.10, 5.13), generated fast.

A play is followed on the mover's five discs alone, 20 bits; all it changes of the others is what it captures. So
plays are kept in groups that have captured the same discs, and the steps of a group are looked up in `track_steps`.
"""

from __future__ import annotations

from itertools import product

from gammon_engine.play import Play, Roll, Step
from gammon_engine.position import Position
from gammon_engine.track import HOME, POINT_BITS, SEAT_BITS, SIZES, Track, numbers_of, own_of, shift_of
from gammon_engine.track_steps import CAPTURE, OCCUPIED, Others, others_of, rows, stops, without

# The mover's discs after each play so far, by what has become of the others.
Groups = dict[Others, set[int]]

# A step of a turn: after these numbers used, use the first or the second of the roll, and then these are used.
Order = tuple[tuple[int, int, int], ...]


def _order(times: int) -> Order:
    """All steps of a turn in which either number is used so many times: from 0, none used, to the last, all used."""
    counts = sorted(product(range(times + 1), repeat=2), key=sum)
    index = {count: place for place, count in enumerate(counts)}
    return tuple(
        (index[first, second], which, index[after])
        for first, second in counts
        for which, after in enumerate(((first + 1, second), (first, second + 1)))
        if after in index
    )


_UNEQUAL, _DOUBLE = _order(1), _order(2)

# For each size where its point lies in the mover's discs, and the mask of all smaller ones.
_PLACES = tuple((size, shift_of(0, size), (1 << shift_of(0, size)) - 1) for size in SIZES)
_FIFTH_ON_LAST = HOME & ~_PLACES[-1][2]


def results(track: Track, position: Position, seat: int, roll: Roll) -> set[Position]:
    """The distinct positions that legal plays lead to."""
    numbers = sorted(set(numbers_of(roll)))
    order = _DOUBLE if roll[0] == roll[1] else _UNEQUAL
    used: list[Groups] = [{} for _ in range(order[-1][-1] + 1)]
    used[0][others_of(track, position, seat)] = {own_of(position, seat)}
    place = seat * SEAT_BITS
    found = set()
    for before, which, after in order:
        for others, plays in used[before].items():
            if HOME in plays:  # 5.13
                plays.remove(HOME)
                found.add(others[0] + (HOME << place))
            _step(track, seat, others, plays, numbers[which], used[after])
    for (rest, _), plays in used[-1].items():
        found.update([rest + (own << place) for own in plays])
    return found


def _step(track: Track, seat: int, others: Others, plays: set[int], number: int, after: Groups) -> None:
    """Every play followed by every step with `number`. One disc after the other, written out for speed."""
    equal1, equal2, equal3, equal4, equal5 = others[1]
    smaller3 = equal1 | equal2
    smaller4 = smaller3 | equal3
    rows1 = rows(1, number, 0, equal1)
    rows2 = rows(2, number, equal1, equal2)
    rows3 = rows(3, number, smaller3, equal3)
    rows4 = rows(4, number, smaller4, equal4)
    rows5 = rows(5, number, smaller4 | equal4, equal5)
    occupied, capture = OCCUPIED, CAPTURE
    reached = after.setdefault(others, set())
    add = reached.add
    capturing = []
    for own in plays:
        for change, ends in rows1[own & 0xF]:
            if ends < capture:
                add(own + change)
            else:
                capturing.append((1, own + change))
        below = occupied[own & 0xF]
        for change, ends in rows2[own >> 4 & 0xF]:
            if not ends & below:
                add(own + change)
            elif ends & below == capture:
                capturing.append((2, own + change))
        below = occupied[own & 0xFF]
        for change, ends in rows3[own >> 8 & 0xF]:
            if not ends & below:
                add(own + change)
            elif ends & below == capture:
                capturing.append((3, own + change))
        below = occupied[own & 0xFFF]
        for change, ends in rows4[own >> 12 & 0xF]:
            if not ends & below:
                add(own + change)
            elif ends & below == capture:
                capturing.append((4, own + change))
        below = occupied[own & 0xFFFF]
        for change, ends in rows5[own >> 16]:
            if not ends & below:
                add(own + change)
            elif ends & below == capture:
                capturing.append((5, own + change))
    captured: dict[tuple[int, int], set[int]] = {}
    for size, own in capturing:
        disc = size, own >> shift_of(0, size) & 0xF
        if disc not in captured:
            captured[disc] = after.setdefault(without(track, others, seat, *disc), set())
        captured[disc].add(own)
    late = [own for own in plays if own >= _FIFTH_ON_LAST]
    if late:
        _stop(others, late, number, reached)


def _stop(others: Others, plays: list[int], number: int, reached: set[int]) -> None:
    """Every play followed by the step of the next disc to enter that stops on 14, where it is not disc 5."""
    smaller = 0
    for (size, place, mask), equal in zip(_PLACES, others[1], strict=True):
        larger = place + POINT_BITS
        stopping = stops(size, number, smaller)
        reached.update(
            [
                own + change
                for own in plays
                if own >> larger == HOME >> larger
                for change, ends in stopping[own >> place & 0xF]
                if not ends & OCCUPIED[own & mask]
            ]
        )
        smaller |= equal


def steps(track: Track, position: Position, seat: int, number: int) -> list[tuple[Step, Position]]:
    """The legal steps with `number`, captures marked, and where they lead."""
    others, own = others_of(track, position, seat), own_of(position, seat)
    found = []
    smaller = 0
    for (size, place, mask), equal in zip(_PLACES, others[1], strict=True):
        origin = own >> place & 0xF
        row = rows(size, number, smaller, equal)[origin]
        if size != SIZES[-1] and own >> place + POINT_BITS == HOME >> place + POINT_BITS:
            row += stops(size, number, smaller)[origin]
        for change, ends in row:
            met = ends & OCCUPIED[own & mask]
            if met in (0, CAPTURE):
                target = origin + (change >> place)
                rest, _ = without(track, others, seat, size, target) if met else others
                step = Step(number, origin, target, hit=bool(met), piece=size)
                found.append((step, rest + (own + change << seat * SEAT_BITS)))
        smaller |= equal
    return found


def ways(track: Track, position: Position, seat: int, roll: Roll) -> dict[Position, Play]:
    """One way to play to each result."""
    found: dict[Position, Play] = {}
    begun: dict[tuple[Position, tuple[int, ...]], Play] = {(position, numbers_of(roll)): ()}
    while begun:
        further: dict[tuple[Position, tuple[int, ...]], Play] = {}
        for (reached, left), play in begun.items():
            if not left or own_of(reached, seat) == HOME:
                found.setdefault(reached, play)
                continue
            for number in sorted(set(left), reverse=True):
                index = left.index(number)
                still = left[:index] + left[index + 1 :]
                for step, after in steps(track, reached, seat, number):
                    further.setdefault((after, still), (*play, step))
        begun = further
    return found
