"""What a step of Trackgammon may do (5.2 to 5.12), as tables for generating plays.

It is one of two places that know: the explainer in `games/trackgammon.py` is the other, and shares none of this.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache

from gammon_engine.position import Position
from gammon_engine.track import FIRST, LAST, POINT_BITS, POINTS, SEAT_BITS, SIZES, Track, discs_of, own_of, shift_of

# For each size, the points of the mover on which an opponent's disc of that size stands, as bits.
Facing = tuple[int, ...]
# The position without the mover's discs, and what of it stands on the mover's track.
Others = tuple[Position, Facing]
# The steps from each point: what to add to the mover's discs, and both ends as bits, where no smaller disc of the
# mover's may lie. A step that captures has the bit CAPTURE besides, which is no point.
Rows = tuple[tuple[tuple[int, int], ...], ...]

CAPTURE = 1 << 15
_NIBBLES = range(1 << POINT_BITS)


def _occupied() -> list[int]:
    """For discs 1 to 4 of the mover, packed, their points as bits, and CAPTURE; a disc that is masked out is bit 0."""
    occupied = [CAPTURE]
    for _ in SIZES[:-1]:
        occupied = [others | 1 << point for point in _NIBBLES for others in occupied]
    one_of: dict[int, int] = {}  # equal entries are one object: so the table fits the processor's cache
    return [one_of.setdefault(bits, bits) for bits in occupied]


OCCUPIED = _occupied()


def others_of(track: Track, position: Position, seat: int) -> Others:
    """Everybody else's discs, as they matter to `seat`."""
    left, right = _legs(track.centres)
    neighbours = discs_of(position, (seat + 1) % track.seats), discs_of(position, (seat - 1) % track.seats)
    facing = tuple([left[following] | right[previous] for following, previous in zip(*neighbours, strict=True)])
    return position - (own_of(position, seat) << seat * SEAT_BITS), facing


@cache
def _legs(centres: tuple[int, ...]) -> tuple[list[int], list[int]]:
    """For each point of the next seat, and of the previous one, the mover's point it meets as a bit; 0 if private."""
    left, right = [0 for _ in _NIBBLES], [0 for _ in _NIBBLES]
    for point in centres:
        neighbour, theirs = Track(3, centres).meeting(0, point)
        (left if neighbour == 1 else right)[theirs] = 1 << point
    return left, right


def without(track: Track, others: Others, seat: int, size: int, point: int) -> Others:
    """The others after a capture by `seat` on its point: the disc is back on its owner's 1 (5.8)."""
    rest, facing = others
    owner, theirs = track.meeting(seat, point)
    left = facing[size - 1] & ~(1 << point)
    return rest + (FIRST - theirs << shift_of(owner, size)), (*facing[: size - 1], left, *facing[size:])


# Few with the usual centres; with every point a centre there would be no end of them.
@lru_cache(maxsize=8192)
def rows(size: int, number: int, smaller: int, equal: int) -> Rows:
    """The steps of a disc where opponents' smaller discs stand on the points `smaller` and equal ones on `equal`.

    Disc 5 is the next to enter wherever it is not on 14 (5.11), so its stops are among them.
    """

    def targets(origin: int) -> list[int]:
        stop = _stop(origin, number, smaller) if size == SIZES[-1] else []
        return _open(origin, number, smaller) + stop

    return _rows(size, equal, targets)


@lru_cache(maxsize=8192)
def stops(size: int, number: int, smaller: int) -> Rows:
    """The steps of the next disc to enter that stop on 14 and discard the remainder (5.12)."""
    return _rows(size, 0, lambda origin: _stop(origin, number, smaller))


def _rows(size: int, equal: int, targets: Callable[[int], list[int]]) -> Rows:
    found: list[tuple[tuple[int, int], ...]] = [() for _ in _NIBBLES]
    for origin in POINTS:
        found[origin] = tuple(
            (target - origin << shift_of(0, size), 1 << origin | 1 << target | CAPTURE * (equal >> target & 1))
            for target in targets(origin)
        )
    return tuple(found)


def _open(origin: int, number: int, smaller: int) -> list[int]:
    """Where a number leads from a point past opponents' smaller discs, and from under none (5.4, 5.7)."""
    return [target for target, passed in _walks(origin, number).items() if not (passed | 1 << target) & smaller]


def _stop(origin: int, number: int, smaller: int) -> list[int]:
    """Point 14 if a number leads beyond it, past opponents' smaller discs."""
    return [LAST] if LAST - number < origin < LAST and not _bits(origin, LAST) & smaller else []


def _walks(origin: int, number: int) -> dict[int, int]:
    """Where a number leads forwards and backwards, and the points passed as bits, the origin among them (5.6)."""
    walks = {}
    if (target := origin + number) <= LAST:
        walks[target] = _bits(origin, target - 1)
    else:
        target = 2 * LAST - target
        walks[target] = _bits(min(origin, target + 1), LAST)
    if (target := origin - number) >= FIRST:
        walks[target] = _bits(target + 1, origin)
    else:
        target = 2 * FIRST - target
        walks[target] = _bits(FIRST, max(origin, target - 1))
    return walks


def _bits(low: int, high: int) -> int:
    return (2 << high) - (1 << low)
