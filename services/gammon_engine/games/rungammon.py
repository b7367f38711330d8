"""Rungammon (rules.md section 4), with either reading of the runner law.

Read in the order of the rules: set-up, steps, a whole turn, the end. Two parts of this module know what a
step may do and share nothing, so that each can find the other wrong: `_origins`, which generates, and
`_broken`, which explains.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from gammon_engine import notation
from gammon_engine.board24 import MOVE, PARALLEL, POINTS, SEATS, pack, parallel_sides, view
from gammon_engine.board24_text import parse_sides, position_text
from gammon_engine.description import Description, RulingNote
from gammon_engine.full_roll import legal_results, next_steps, shortfall
from gammon_engine.legal_plays import LegalPlays
from gammon_engine.next_steps import NextSteps
from gammon_engine.outcome import Outcome, Remi, Win
from gammon_engine.play import BAR, OFF, Play, Roll, Step
from gammon_engine.position import Position
from gammon_engine.settings import GameId, RunnerRelease, Settings
from gammon_engine.steps24 import Broken, bearing_off, first_broken, no_bearing_off, no_step
from gammon_engine.view import GammonBoard
from gammon_engine.violation import Violation
from gammon_engine.ways import way_to
from gammon_engine.whole_roll_without_hits import both_numbers, four_numbers

DESCRIPTION = Description(
    "Rungammon",
    seats=range(2, 3),
    options=("runner_release",),
    rulings=(
        RulingNote("4.3", "A player is released by their own runner; with runner_release both, by both runners."),
        RulingNote("4.4", "A runner has passed on 11 or lower, or off; 12 is not enough. Judged step by step."),
        RulingNote("4.5", "A step that completes the start prime is illegal even if a later one would open it again."),
        RulingNote("4.6", "A rungammon is a win over a player who still has a checker on their points 13 to 24."),
        RulingNote("4.7", "A position in which neither player has a legal step for any number is a remi."),
    ),
)

_CHECKERS = 15


@dataclass(frozen=True, slots=True)
class Rungammon:
    """The game with one reading of the runner law (4.3). Positions are packed by `board24`, PARALLEL."""

    release: RunnerRelease = RunnerRelease.OWN

    @property
    def id(self) -> GameId:
        return GameId.RUNGAMMON

    @property
    def seats(self) -> int:
        return 2

    @property
    def top_level(self) -> int:
        return 3

    @property
    def starter_rolls(self) -> bool:
        return False

    def start(self) -> Position:
        side = [_CHECKERS if point == 24 else 0 for point in range(26)]  # 4.1
        return pack(side, side)

    def parse(self, text: str) -> Position | Violation:
        sides = parse_sides(text, _CHECKERS)
        if isinstance(sides, Violation):
            return sides
        position = pack(*sides)
        for seat in SEATS:
            wrong = _impossible(*parallel_sides(position, seat), self.release)
            if wrong is not None:
                return Violation("9.3", f"seat {seat} {wrong}", "position", text)
        return position

    def text(self, position: Position) -> str:
        return position_text(position)

    def view(self, position: Position) -> GammonBoard:
        return view(position, PARALLEL)

    def legal_plays(self, position: Position, seat: int, roll: Roll) -> LegalPlays:
        way = partial(way_to, position=position, roll=roll, steps=partial(_steps, seat=seat, release=self.release))
        return LegalPlays(results(position, seat, roll, self.release), position_text, way)

    def must_pass(self, position: Position, seat: int, roll: Roll) -> bool:
        return not any(_origins(*parallel_sides(position, seat), number, self.release) for number in set(roll))

    def explain(self, position: Position, seat: int, roll: Roll, play: Play) -> Violation | None:
        broken = _first_broken(position, seat, roll, play, self.release)
        if broken is not None:
            return broken
        after = partial(_after_unbroken, seat=seat, release=self.release)
        reason = shortfall(position, roll, tuple(step.number for step in play), after)
        return None if reason is None else Violation("1.4", reason, "play", notation.write_play(play))

    def next_steps(self, position: Position, seat: int, roll: Roll, chosen: Play) -> NextSteps | Violation:
        broken = _first_broken(position, seat, roll, chosen, self.release)
        return broken or next_steps(position, roll, chosen, partial(_steps, seat=seat, release=self.release))

    def apply(self, position: Position, seat: int, play: Play) -> tuple[Position, Play]:
        return position + sum(MOVE[seat][step.number][step.origin] for step in play), play

    def outcome(self, position: Position, seat: int) -> Outcome | None:
        mine, theirs = parallel_sides(position, seat)
        if not any(mine[1:]):
            # Their off is at 25, and their points 13 to 24 (4.6) are 1 to 12.
            return Win(seat, 1 if theirs[25] else 3 if any(theirs[1:13]) else 2)
        if all(self.must_pass(position, either, roll) for either in SEATS for roll in ((1, 2), (3, 4), (5, 6))):
            return Remi()  # 4.7
        return None

    def lapse_level(self, position: Position, seat: int) -> int:
        return 1 if parallel_sides(position, seat)[0][OFF] else 3

    def read_play(self, text: str, position: Position, seat: int, roll: Roll) -> Play | Violation:
        return notation.read_play(self, text, position, seat, roll)

    def write_play(self, play: Play) -> str:
        return notation.write_play(play)


def of(settings: Settings) -> Rungammon:
    """The game with the reading of the runner law that was agreed."""
    return Rungammon(settings.runner_release or RunnerRelease.OWN)


# -- A step: 4.2 to 4.5, 1.6. Both sides are on the mover's points; the opponent's 11 to 1 are 23 to 13, their off 25.


def _released(mine: Sequence[int], theirs: Sequence[int], release: RunnerRelease) -> bool:
    """Whether a second checker may move (4.3, 4.4)."""
    return any(mine[:12]) and (release is RunnerRelease.OWN or any(theirs[13:24]) or theirs[25] > 0)


def _origins(mine: bytes, theirs: bytes, number: int, release: RunnerRelease) -> list[int]:
    """From where a checker may be moved by `number`."""
    origins = [point for point in range(number + 1, 25) if mine[point] and not theirs[point - number]]
    if not _released(mine, theirs, release):
        return [point for point in origins if not any(mine[:point])]  # the runner is ahead of all others
    if mine.count(0, 19, 25) == 1:
        # 4.5: the one gap may not be filled, unless that opens another.
        closing = mine.find(0, 19) + number
        if closing in origins and mine[closing] > 1:
            origins.remove(closing)
    if not origins or origins[-1] <= 6:
        origins += bearing_off([point for point in POINTS if mine[point]], number)
    return origins


def _after(position: Position, number: int, seat: int, release: RunnerRelease) -> list[Position]:
    move = MOVE[seat][number]
    return [position + move[origin] for origin in _origins(*parallel_sides(position, seat), number, release)]


def _steps(position: Position, number: int, seat: int, release: RunnerRelease) -> list[tuple[Step, Position]]:
    """The legal steps with `number`, and where they lead."""
    move = MOVE[seat][number]
    origins = _origins(*parallel_sides(position, seat), number, release)
    return [(Step(number, origin, max(origin - number, OFF)), position + move[origin]) for origin in origins]


# -- A turn: 1.3 to 1.6, 1.9


def results(position: Position, seat: int, roll: Roll, release: RunnerRelease) -> set[Position]:
    """The distinct positions that legal plays lead to; the position itself when no step is legal."""
    a, b = roll
    mine, theirs = parallel_sides(position, seat)
    whole: set[Position] = set()
    if _released(mine, theirs, release) and not _prime_in_reach(mine, theirs, roll):
        board = position, mine, theirs, MOVE[seat]
        whole = four_numbers(*board, a) if a == b else both_numbers(*board, a, b)
    return whole or legal_results(position, roll, partial(_after, seat=seat, release=release))


def _prime_in_reach(mine: bytes, theirs: bytes, roll: Roll) -> bool:
    """Whether 4.5 might forbid a step of some play; where it says no, that is certain."""
    most_gaps = 3 if roll[0] == roll[1] else 2  # that a roll can fill: four equal steps are too short for a fourth
    too_high = 25 - min(roll)  # for any step to land on, without a bar
    return mine.count(0, 19, 25) <= most_gaps and mine.find(0, too_high, 25) < 0 and not any(theirs[19:25])


def _first_broken(position: Position, seat: int, roll: Roll, play: Play, release: RunnerRelease) -> Violation | None:
    """The rule that a step of `play` breaks, whatever the rest of it: walks the rules and generates nothing."""
    mine, theirs = map(list, parallel_sides(position, seat))
    return first_broken(roll, play, partial(_carry_out, mine, theirs, release))


def _carry_out(mine: list[int], theirs: list[int], release: RunnerRelease, step: Step) -> Broken | None:
    """Do one step, or leave it and say which rule it breaks."""
    broken = _broken(mine, theirs, release, step)
    if broken is None:
        mine[step.origin] -= 1
        mine[step.target] += 1
    return broken


def _broken(mine: list[int], theirs: list[int], release: RunnerRelease, step: Step) -> Broken | None:
    broken = no_step(mine, step)
    if broken is not None:
        return broken
    if step.origin == 24 and mine[24] < _CHECKERS:  # a second checker
        if sum(mine[12:25]) == _CHECKERS:
            return "4.3", "the runner must first pass the opponent's starting point"
        if release is RunnerRelease.BOTH and sum(theirs[1:13]) == _CHECKERS:  # their 12 is held by this checker
            return "4.3", "the opponent's runner must first pass too"
    if step.hit:
        return "4.2", "there is nothing to hit in this game"
    if step.target == OFF:
        return no_bearing_off(mine, step)
    if theirs[step.target]:
        return "4.2", f"the opponent stands on point {step.target}"
    if step.target > 18 and all(mine[p] > (p == step.origin) for p in range(19, 25) if p != step.target):
        return "4.5", "all six points 24 to 19 would be held"
    return None


def _after_unbroken(position: Position, number: int, seat: int, release: RunnerRelease) -> list[Position]:
    """The step law of `_broken` in the form the full-roll law asks for."""
    mine, theirs = map(list, parallel_sides(position, seat))
    steps = [Step(number, origin, max(origin - number, OFF)) for origin in POINTS]
    return [
        position + MOVE[seat][number][step.origin] for step in steps if _broken(mine, theirs, release, step) is None
    ]


# -- A position: 9.3


def _impossible(mine: bytes, theirs: bytes, release: RunnerRelease) -> str | None:
    """What a seat has done in this position that the rules never allow, if anything."""
    if mine[BAR]:
        return "has a checker on the bar, which this game does not have"
    if any(mine[point] and theirs[point] for point in POINTS):
        return "shares a point with the opponent"
    if all(mine[19:25]):
        return "holds all six points 24 to 19"
    if mine[24] < _CHECKERS - 1 and not _released(mine, theirs, release):
        return "has moved a second checker before it was released"
    return None
