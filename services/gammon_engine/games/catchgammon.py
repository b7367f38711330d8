"""Catchgammon (rules.md section 3).

Read in the order of the rules: set-up, steps, a whole turn, the end. Two parts of this module know what a
step may do and share nothing, so that each can find the other wrong: `_origins`, which generates, and
`_broken`, which explains.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from gammon_engine import notation
from gammon_engine.board24 import POINTS
from gammon_engine.board24_text import TRAPPED
from gammon_engine.description import Description, RulingNote
from gammon_engine.full_roll import legal_results, next_steps, shortfall
from gammon_engine.legal_plays import LegalPlays
from gammon_engine.next_steps import NextSteps
from gammon_engine.outcome import Outcome, Remi, Win
from gammon_engine.play import OFF, Play, Roll, Step
from gammon_engine.position import Position
from gammon_engine.settings import GameId, Settings
from gammon_engine.steps24 import Broken, bearing_off, first_broken, no_bearing_off, no_step
from gammon_engine.trap_board24 import HOLDING, MOVE, closed, counts, pack, settle, sides, to_move, view
from gammon_engine.trap_board24_text import parse_position, position_text
from gammon_engine.view import GammonBoard
from gammon_engine.violation import Violation
from gammon_engine.ways import way_to
from gammon_engine.whole_roll_without_hits import both_numbers, four_numbers

DESCRIPTION = Description(
    "Catchgammon",
    seats=range(2, 3),
    options=(),
    rulings=(RulingNote("3.6", "A position in which neither player has a legal step for any number is a remi too."),),
)

_CHECKERS = 15


@dataclass(frozen=True, slots=True)
class Catchgammon:
    """The game; it has no options. Positions are packed by `trap_board24`."""

    @property
    def id(self) -> GameId:
        return GameId.CATCHGAMMON

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
        side = [_CHECKERS if point == 24 else 0 for point in range(26)]  # 3.1
        return pack(side, side)

    def parse(self, text: str) -> Position | Violation:
        return parse_position(text, _CHECKERS)

    def text(self, position: Position) -> str:
        return position_text(position)

    def view(self, position: Position) -> GammonBoard:
        return view(position)

    def legal_plays(self, position: Position, seat: int, roll: Roll) -> LegalPlays:
        way = partial(_way, position=position, seat=seat, roll=roll)
        return LegalPlays(results(position, seat, roll), position_text, way)

    def must_pass(self, position: Position, seat: int, roll: Roll) -> bool:
        _, free, theirs, _ = to_move(position, seat)
        return not any(_origins(free, theirs, number) for number in set(roll))

    def explain(self, position: Position, seat: int, roll: Roll, play: Play) -> Violation | None:
        broken = _first_broken(position, seat, roll, play)
        if broken is not None:
            return broken
        reason = shortfall(position, roll, tuple(step.number for step in play), partial(_after_unbroken, seat=seat))
        return None if reason is None else Violation("1.4", reason, "play", notation.write_play(play))

    def next_steps(self, position: Position, seat: int, roll: Roll, chosen: Play) -> NextSteps | Violation:
        broken = _first_broken(position, seat, roll, chosen)
        return broken or next_steps(position, roll, chosen, partial(_steps, seat=seat))

    def apply(self, position: Position, seat: int, play: Play) -> tuple[Position, Play]:
        marked = []
        for step in play:
            stem, free, theirs, lone = to_move(position, seat)
            marked.append(step._replace(hit=_traps(free, theirs, step.target)))
            position = settle([stem + MOVE[seat][step.number][step.origin]], lone).pop()
        return position, tuple(marked)

    def outcome(self, position: Position, seat: int) -> Outcome | None:
        mine, theirs = sides(position, seat)
        if not any(mine[1:]):
            if any(theirs[1:7]):  # 3.5: my points 1 to 6
                return Win(seat, 3)
            return Win(seat, 1 if theirs[25] else 2)
        # 3.6: where neither player has a legal step, both are trapped there too (decision 0011).
        return Remi() if mine[1] >= HOLDING and theirs[24] >= HOLDING else None

    def lapse_level(self, position: Position, seat: int) -> int:
        mine, _ = sides(position, seat)
        return 1 if mine[OFF] else 3

    def read_play(self, text: str, position: Position, seat: int, roll: Roll) -> Play | Violation:
        return notation.read_play(self, text, position, seat, roll)

    def write_play(self, play: Play) -> str:
        return notation.write_play(play)


def of(_: Settings) -> Catchgammon:
    """The game; no setting changes its law."""
    return Catchgammon()


# -- A step: 3.2, 3.3, 3.4


def _origins(free: Sequence[int], theirs: bytes, number: int) -> list[int]:
    """From where a checker may be moved by `number`; both sides as `to_move` gives them."""
    own = [point for point in POINTS if free[point]]
    origins = [point for point in own if point > number and theirs[point - number] < 2]
    if sum(free[:7]) == _CHECKERS:  # 3.4
        origins += bearing_off(own, number)
    return origins


def _traps(free: Sequence[int], theirs: bytes, target: int) -> bool:
    return theirs[target] == 1 and not free[target]


def _after(position: Position, number: int, seat: int) -> set[Position]:
    stem, free, theirs, lone = to_move(position, seat)
    move = MOVE[seat][number]
    return settle([stem + move[origin] for origin in _origins(free, theirs, number)], lone)


def _steps(position: Position, number: int, seat: int) -> Iterator[tuple[Step, Position]]:
    """The legal steps with `number`, traps marked, and where they lead."""
    stem, free, theirs, lone = to_move(position, seat)
    move = MOVE[seat][number]
    for origin in _origins(free, theirs, number):
        target = max(origin - number, OFF)
        yield Step(number, origin, target, _traps(free, theirs, target)), settle([stem + move[origin]], lone).pop()


# -- A turn: 1.3 to 1.6, 1.9


def results(position: Position, seat: int, roll: Roll) -> set[Position]:
    """The distinct positions that legal plays lead to; the position itself when no step is legal."""
    stem, free, theirs, lone = to_move(position, seat)
    high, low = roll
    if high == low:
        whole = four_numbers(stem, free, closed(theirs), MOVE[seat], high)
    else:
        whole = both_numbers(stem, free, closed(theirs), MOVE[seat], high, low)
    return settle(whole, lone) or legal_results(position, roll, partial(_after, seat=seat))


def _way(result: Position, position: Position, seat: int, roll: Roll) -> Play:
    return way_to(result, position, roll, partial(_steps, seat=seat))


def _first_broken(position: Position, seat: int, roll: Roll, play: Play) -> Violation | None:
    """The rule that a step of `play` breaks, whatever the rest of it: walks the rules and generates nothing."""
    mine, theirs = counts(position, seat), counts(position, 1 - seat)[::-1]
    return first_broken(roll, play, partial(_carry_out, mine, theirs))


def _carry_out(mine: list[int], theirs: list[int], step: Step) -> Broken | None:
    """Do one step, or leave it and say which rule it breaks; both sides on the mover's points, theirs none at OFF."""
    broken = _broken(mine, theirs, step)
    if broken is not None:
        return broken
    mine[step.origin] -= 1
    if theirs[step.origin] == TRAPPED and not mine[step.origin]:
        theirs[step.origin] = 1
    mine[step.target] += 1
    if theirs[step.target] == 1:
        theirs[step.target] = TRAPPED
    return None


def _broken(mine: list[int], theirs: list[int], step: Step) -> Broken | None:
    broken = no_step(mine, step)
    if broken is not None:
        return broken
    target = step.target
    if mine[step.origin] == TRAPPED:
        return "3.2", "a trapped checker may not move"
    if target == OFF:
        if TRAPPED in mine and not any(mine[7:]):
            return "3.4", "no checker is borne off while one is trapped"
        broken = no_bearing_off(mine, step)
        if broken is not None:
            return broken
    elif 1 < theirs[target] < TRAPPED or mine[target] == TRAPPED:
        return "3.3", f"point {target} is made by the opponent"
    if step.hit and theirs[target] != 1:
        return "3.2", "there is no lone checker to trap"
    return None


def _after_unbroken(position: Position, number: int, seat: int) -> list[Position]:
    """The step law of `_carry_out` in the form the full-roll law asks for."""
    found = []
    for origin in POINTS:
        mine, theirs = counts(position, seat), counts(position, 1 - seat)[::-1]
        step = Step(number, origin, max(origin - number, OFF))
        if _carry_out(mine, theirs, step) is None:
            theirs.reverse()
            found.append(pack(theirs, mine) if seat else pack(mine, theirs))
    return found
