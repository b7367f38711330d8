"""Text of plays in the 24-point games: written form (9.4) and what is read as one (9.6)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby, pairwise

from gammon_engine.full_roll import numbers_of
from gammon_engine.game import Game
from gammon_engine.play import BAR, OFF, Play, Roll, Step
from gammon_engine.position import Position
from gammon_engine.violation import Violation

_PASSES = frozenset({"-", "pass"})
_POINT = r"(?:bar|off|\d{1,2})"
_MOVE = re.compile(rf"({_POINT}(?:\*?/{_POINT})+)(\*?)(?:\(([1-4])\))?", re.ASCII)
_NAMES = {"bar": BAR, "off": OFF}


@dataclass(frozen=True, slots=True)
class _Leg:
    """What is left of one checker's written way: the points still to reach, each with its hit mark.

    A point between `origin` and the first of them is on the way and not written.
    """

    origin: int
    points: tuple[tuple[int, bool], ...]


@dataclass(frozen=True, slots=True)
class _Reading:
    """One order and assignment of numbers; of each step whether its end is written, and marked."""

    play: Play
    written: tuple[bool, ...]
    marked: tuple[bool, ...]


def write_play(play: Play) -> str:
    """The written form: unjoined steps in their order, `-` for none."""
    if not play:
        return "-"
    words = []
    for _, equal in groupby(play, key=lambda step: (step.origin, step.target)):
        steps = list(equal)
        origin = "bar" if steps[0].origin == BAR else str(steps[0].origin)
        target = "off" if steps[0].target == OFF else str(steps[0].target)
        mark = "*" if steps[0].hit else ""
        repeat = f"({len(steps)})" if len(steps) > 1 else ""
        words.append(f"{origin}/{target}{mark}{repeat}")
    return " ".join(words)


def read_play(game: Game, text: str, position: Position, seat: int, roll: Roll) -> Play | Violation:
    """The legal play that `text` describes, hits marked.

    Refused under 9.6: text that is no play, that fits no order of the numbers, that has a false hit mark or pass,
    that leaves out a hit on the way, or that leaves more than one result. A play that breaks a rule of the
    game is refused under that rule.
    """
    legs = _parse(text)
    if isinstance(legs, Violation):
        return legs
    numbers = numbers_of(roll)
    if len(legs) > len(numbers):
        return _refused(f"has more steps than the roll {roll[0]}-{roll[1]} gives", text)
    passes = not _PASSES.isdisjoint(text.lower().split())
    first_refusal: Violation | None = None
    found: dict[Position, Play] = {}
    for reading in _readings(legs, numbers):
        refusal = game.explain(position, seat, roll, reading.play)
        if refusal is None and passes and len(reading.play) == len(numbers):
            refusal = _refused("uses the whole roll, and passes", text)
        if refusal is None:
            result, play = game.apply(position, seat, reading.play)
            refusal = _wrong_marks(reading, play, text)
            if refusal is None:
                if all(reading.written):
                    return play  # nothing is left open, so every order leads to the same result
                found.setdefault(result, play)
        first_refusal = first_refusal or refusal
    if len(found) > 1:
        return _refused(f"can mean {' or '.join(map(write_play, found.values()))}", text)
    for play in found.values():
        return play
    return first_refusal or _refused(f"does not fit the roll {roll[0]}-{roll[1]}", text)


def _parse(text: str) -> tuple[_Leg, ...] | Violation:
    legs = []
    for word in text.lower().split():
        if word in _PASSES:
            continue  # it may stand for the numbers without a legal step; 1.4 says whether there are any
        match = _MOVE.fullmatch(word)
        if match is None:
            return _refused("expected steps such as 8/5, bar/22*, 13/7*/3, 6/off or 6/5(2)", word)
        way, last_mark, repeat = match.groups()
        names = (way + last_mark).split("/")
        points = [_point(name.rstrip("*")) for name in names]
        marks = [name.endswith("*") for name in names]
        if marks[0] or points[0] > BAR or any(a <= b for a, b in pairwise(points)):
            return _refused("a checker moves from a higher point to a lower one, 25 or bar to 0 or off", word)
        legs.append(_Leg(points[0], tuple(zip(points[1:], marks[1:], strict=True))))
        # Of checkers that move alike only the first can hit.
        unmarked = _Leg(points[0], tuple((point, False) for point in points[1:]))
        legs.extend([unmarked] * (int(repeat or 1) - 1))
    return tuple(legs)


def _point(name: str) -> int:
    return _NAMES[name] if name in _NAMES else int(name)


def _readings(legs: tuple[_Leg, ...], numbers: tuple[int, ...]) -> Iterator[_Reading]:
    """Every order of steps that walks all legs, each step by one of the numbers; the written order first."""
    if not legs:
        yield _Reading((), (), ())
        return
    for index, leg in enumerate(legs):
        if leg in legs[:index]:
            continue
        for number in dict.fromkeys(numbers):
            point, mark = leg.points[0]
            target = max(leg.origin - number, OFF)
            if target < point:
                continue
            arrived = target == point
            ahead = leg.points[1:] if arrived else leg.points
            rest = list(numbers)
            rest.remove(number)
            still = (*legs[:index], _Leg(target, ahead), *legs[index + 1 :]) if ahead else _without(legs, index)
            step = Step(number, leg.origin, target)
            for tail in _readings(still, tuple(rest)):
                yield _Reading((step, *tail.play), (arrived, *tail.written), (arrived and mark, *tail.marked))


def _without(legs: tuple[_Leg, ...], index: int) -> tuple[_Leg, ...]:
    return legs[:index] + legs[index + 1 :]


def _wrong_marks(reading: _Reading, play: Play, text: str) -> Violation | None:
    for step, written, marked in zip(play, reading.written, reading.marked, strict=True):
        if marked and not step.hit:
            return _refused(f"{write_play((step,))} hits nothing", text)
        if step.hit and not written:
            return _refused(f"{write_play((step,))} would hit on the way, which must be written", text)
    return None


def _refused(reason: str, value: str) -> Violation:
    return Violation("9.6", reason, "play", value)
