"""Text of plays in Trackgammon: written form (9.5) and what is read as one (9.6)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from gammon_engine.game import Game
from gammon_engine.play import Play, Roll, Step
from gammon_engine.position import Position
from gammon_engine.track import FIRST, LAST, POINTS, numbers_of
from gammon_engine.violation import Violation

_PASSES = frozenset({"", "-", "pass"})
_MOVE = re.compile(r"(?:([1-6]):)?([1-5])@(\d{1,2}(?:-\d{1,2}x?)+)", re.ASCII)


@dataclass(frozen=True, slots=True)
class _Leg:
    """What is left of one disc's written way: the points still to reach, each with its mark of a capture.

    Without a `number`, other points may lie between.
    """

    disc: int
    number: int | None
    origin: int
    points: tuple[tuple[int, bool], ...]


def write_play(play: Play) -> str:
    """The written form: `number:disc@from-to` in the order played, `x` after a capture."""
    words = [f"{number}:{disc}@{origin}-{target}{'x' * hit}" for number, origin, target, hit, disc in play]
    return " ".join(words) or "-"


def read_play(game: Game, text: str, position: Position, seat: int, roll: Roll) -> Play | Violation:
    """A legal play that `text` describes, captures marked; of several that only differ in their order, one.

    Refused under 9.6: text that is no play, that fits no order of the numbers, that has a false mark, or that
    leaves out a capture on the way. A play that breaks a rule of the game is refused under that rule.
    """
    legs = _parse(text)
    if isinstance(legs, Violation):
        return legs
    numbers = numbers_of(roll)
    if _written(legs) > len(numbers):
        return _refused(f"has more steps than the roll {roll[0]}-{roll[1]} gives", text)
    search = _Search(game, text, position, seat, roll)
    if Counter(leg.number for leg in legs if leg.number) <= Counter(numbers):
        play = search.go_on(legs, numbers, position, ())
        if play is not None:
            return play
    return search.miswritten or search.broken or _refused(f"does not fit the roll {roll[0]}-{roll[1]}", text)


def _parse(text: str) -> tuple[_Leg, ...] | Violation:
    words = text.strip().lower()
    if words in _PASSES:
        return ()
    legs = []
    for word in words.split():
        match = _MOVE.fullmatch(word)
        if match is None:
            return _refused("expected steps such as 5:1@1-6, 5:1@1-6x or, joined, 1@1-6-9", word)
        number, disc, way = match.groups()
        names = way.split("-")
        points = [int(name.rstrip("x")) for name in names]
        if any(point not in POINTS for point in points):
            return _refused(f"points are {FIRST} to {LAST}", word)
        if number and len(points) > 2:
            return _refused("a number belongs to one step; joined steps have none", word)
        if number and points[1] not in _landings(points[0], int(number)):
            return Violation("5.6", f"a {number} does not lead from {points[0]} to {points[1]}", "play", word)
        targets = tuple((point, name.endswith("x")) for point, name in zip(points[1:], names[1:], strict=True))
        legs.append(_Leg(int(disc), int(number) if number else None, points[0], targets))
    return tuple(legs)


def _written(legs: tuple[_Leg, ...]) -> int:
    return sum(len(leg.points) for leg in legs)


@dataclass(slots=True)
class _Search:
    """Tries the orders and assignments of numbers, the written order first."""

    game: Game
    text: str
    position: Position
    seat: int
    roll: Roll
    miswritten: Violation | None = None
    broken: Violation | None = None
    tried: set[tuple[Position, tuple[_Leg, ...], tuple[int, ...]]] = field(default_factory=set)

    def go_on(self, legs: tuple[_Leg, ...], numbers: tuple[int, ...], reached: Position, play: Play) -> Play | None:
        """A legal play that begins with `play`, has reached a position, and walks the legs with the numbers."""
        if not legs:
            broken = self.game.explain(self.position, self.seat, self.roll, play)
            self.broken = self.broken or broken
            return None if broken else play
        if (reached, legs, numbers) in self.tried:
            return None
        self.tried.add((reached, legs, numbers))
        for step, marked, still in _readings(legs, numbers):
            begun = self.game.next_steps(self.position, self.seat, self.roll, (*play, step))
            if isinstance(begun, Violation):
                self.broken = self.broken or begun
                continue
            _, done = self.game.apply(reached, self.seat, (step,))
            wrong = self._wrong_mark(done[0], marked)
            if wrong is not None:
                self.miswritten = self.miswritten or wrong
                continue
            index = numbers.index(step.number)
            found = self.go_on(still, numbers[:index] + numbers[index + 1 :], begun.position, play + done)
            if found is not None:
                return found
        return None

    def _wrong_mark(self, step: Step, marked: bool | None) -> Violation | None:
        if marked and not step.hit:
            return _refused(f"{write_play((step,))} captures nothing", self.text)
        if step.hit and marked is None:
            return _refused(f"{write_play((step,))} would capture on the way, which must be written", self.text)
        return None


def _readings(legs: tuple[_Leg, ...], numbers: tuple[int, ...]) -> Iterator[tuple[Step, bool | None, tuple[_Leg, ...]]]:
    """What the next step can be, its mark, and the legs left: first to the points written, then to others on the way.

    The mark is None where the step ends on a point that is not written.
    """
    candidates = [
        (index, leg, Step(number, leg.origin, target, piece=leg.disc))
        for index, leg in enumerate(legs)
        for number in dict.fromkeys(numbers)
        if leg.number in (None, number)
        for target in _landings(leg.origin, number)
    ]
    for index, leg, step in candidates:
        (point, marked), *ahead = leg.points
        if step.target == point:
            onward = (_Leg(leg.disc, None, point, tuple(ahead)),) if ahead else ()
            yield step, marked, legs[:index] + onward + legs[index + 1 :]
    if _written(legs) < len(numbers):
        for index, leg, step in candidates:
            if leg.number is None:
                onward = (_Leg(leg.disc, None, step.target, leg.points),)
                yield step, None, legs[:index] + onward + legs[index + 1 :]


def _landings(origin: int, number: int) -> set[int]:
    """Where a number can end, whatever is in the way: forwards, backwards, on 14 (5.6, 5.12)."""
    ahead, back = origin + number, origin - number
    beyond = {LAST} if ahead > LAST else set()
    return beyond | {min(ahead, 2 * LAST - ahead), max(back, 2 * FIRST - back)}


def _refused(reason: str, value: str) -> Violation:
    return Violation("9.6", reason, "play", value)
