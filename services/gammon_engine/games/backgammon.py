"""Backgammon (rules.md section 2), with the set-ups that share its law.

Read in the order of the rules: set-up, steps, a whole turn, the end. Two parts of this module know what a
step may do and share nothing, so that each can find the other wrong: `_origins`, which generates, and
`_broken`, which explains.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from gammon_engine import notation
from gammon_engine.board24 import HIT, MOVE, POINTS, pack, sides, view
from gammon_engine.board24_text import parse_position, position_text
from gammon_engine.description import Description
from gammon_engine.full_roll import legal_results, next_steps, shortfall
from gammon_engine.legal_plays import LegalPlays
from gammon_engine.next_steps import NextSteps
from gammon_engine.outcome import Outcome, Win
from gammon_engine.play import BAR, OFF, Play, Roll, Step
from gammon_engine.position import Position
from gammon_engine.settings import GameId, Settings, SetUp
from gammon_engine.steps24 import Broken, bearing_off, first_broken, no_bearing_off, no_step
from gammon_engine.view import GammonBoard
from gammon_engine.violation import Violation
from gammon_engine.ways import way_to
from gammon_engine.whole_roll import both_numbers, four_numbers

DESCRIPTION = Description("Backgammon", seats=range(2, 3), options=("setup",), rulings=())

# 2.1: checkers on each point of a player.
SET_UPS: dict[SetUp, dict[int, int]] = {
    SetUp.STANDARD: {24: 2, 13: 5, 8: 3, 6: 5},
    SetUp.NACKGAMMON: {24: 2, 23: 2, 13: 4, 8: 3, 6: 4},
    SetUp.LONGGAMMON: {24: 15},
    SetUp.HYPERGAMMON: {24: 1, 23: 1, 22: 1},
}


@dataclass(frozen=True, slots=True)
class Backgammon:
    """The game with one of its set-ups. Positions are packed by `board24`."""

    set_up: SetUp = SetUp.STANDARD

    @property
    def id(self) -> GameId:
        return GameId.BACKGAMMON

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
        counts = [SET_UPS[self.set_up].get(point, 0) for point in range(26)]
        return pack(counts, counts)

    def parse(self, text: str) -> Position | Violation:
        return parse_position(text, sum(SET_UPS[self.set_up].values()))

    def text(self, position: Position) -> str:
        return position_text(position)

    def view(self, position: Position) -> GammonBoard:
        return view(position)

    def legal_plays(self, position: Position, seat: int, roll: Roll) -> LegalPlays:
        way = partial(_way, position=position, seat=seat, roll=roll)
        return LegalPlays(results(position, seat, roll), position_text, way)

    def must_pass(self, position: Position, seat: int, roll: Roll) -> bool:
        mine, theirs = sides(position, seat)
        return not any(_origins(mine, theirs, number) for number in set(roll))

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
            after = _after_step(position, seat, step.number, step.origin)
            hit = after != position + MOVE[seat][step.number][step.origin]
            marked.append(step if step.hit == hit else step._replace(hit=hit))
            position = after
        return position, tuple(marked)

    def outcome(self, position: Position, seat: int) -> Outcome | None:
        mine, theirs = sides(position, seat)
        if any(mine[1:]):
            return None
        if theirs[25]:  # the opponent's checkers off
            return Win(seat, 1)
        in_winners_home = any(theirs[:7])  # the opponent's bar, and my points 1 to 6
        return Win(seat, 3 if in_winners_home else 2)

    def lapse_level(self, position: Position, seat: int) -> int:
        mine, _ = sides(position, seat)
        return 1 if mine[OFF] else 3

    def read_play(self, text: str, position: Position, seat: int, roll: Roll) -> Play | Violation:
        return notation.read_play(self, text, position, seat, roll)

    def write_play(self, play: Play) -> str:
        return notation.write_play(play)


def of(settings: Settings) -> Backgammon:
    """The game with the set-up that was agreed."""
    return Backgammon(settings.set_up or SetUp.STANDARD)


# -- A step: 2.2, 2.3, 1.6


def _origins(mine: bytes, theirs: bytes, number: int) -> list[int]:
    """From where a checker may be moved by `number`; both sides on the mover's points."""
    if mine[BAR]:
        return [BAR] if theirs[BAR - number] < 2 else []
    own = [point for point in POINTS if mine[point]]
    origins = [point for point in own if point > number and theirs[point - number] < 2]
    origins += bearing_off(own, number)
    return origins


def _after(position: Position, number: int, seat: int) -> list[Position]:
    mine, theirs = sides(position, seat)
    move, hit = MOVE[seat][number], HIT[seat]
    return [
        position + move[origin] + hit[origin - number]
        if origin > number and theirs[origin - number] == 1
        else position + move[origin]
        for origin in _origins(mine, theirs, number)
    ]


def _after_step(position: Position, seat: int, number: int, origin: int) -> Position:
    after = position + MOVE[seat][number][origin]
    if origin > number and sides(position, seat)[1][origin - number] == 1:
        after += HIT[seat][origin - number]
    return after


def _steps(position: Position, number: int, seat: int) -> list[tuple[Step, Position]]:
    """The legal steps with `number`, hits marked, and where they lead."""
    found = []
    for origin in _origins(*sides(position, seat), number):
        after = _after_step(position, seat, number, origin)
        hit = after != position + MOVE[seat][number][origin]
        found.append((Step(number, origin, max(origin - number, OFF), hit), after))
    return found


# -- A turn: 1.3 to 1.6, 1.9


def results(position: Position, seat: int, roll: Roll) -> set[Position]:
    """The distinct positions that legal plays lead to; the position itself when no step is legal."""
    high, low = roll
    whole = four_numbers(position, seat, high) if high == low else both_numbers(position, seat, high, low)
    return whole or legal_results(position, roll, partial(_after, seat=seat))


def _way(result: Position, position: Position, seat: int, roll: Roll) -> Play:
    return way_to(result, position, roll, partial(_steps, seat=seat))


def _first_broken(position: Position, seat: int, roll: Roll, play: Play) -> Violation | None:
    """The rule that a step of `play` breaks, whatever the rest of it: walks the rules and generates nothing."""
    mine, theirs = map(list, sides(position, seat))
    return first_broken(roll, play, partial(_carry_out, mine, theirs))


def _carry_out(mine: list[int], theirs: list[int], step: Step) -> Broken | None:
    """Do one step, or leave it and say which rule it breaks; both sides on the mover's points."""
    broken = _broken(mine, theirs, step)
    if broken is not None:
        return broken
    mine[step.origin] -= 1
    mine[step.target] += 1
    if step.target != OFF and theirs[step.target]:
        theirs[step.target] -= 1
        theirs[0] += 1  # the opponent's bar
    return None


def _broken(mine: list[int], theirs: list[int], step: Step) -> Broken | None:
    broken = no_step(mine, step)
    if broken is not None:
        return broken
    if mine[BAR] and step.origin != BAR:
        return "2.3", "a checker on the bar must enter first"
    if step.target == OFF:
        broken = no_bearing_off(mine, step)
        if broken is not None:
            return broken
    elif theirs[step.target] > 1:
        return "2.2", f"point {step.target} is held by the opponent"
    if step.hit and (step.target == OFF or not theirs[step.target]):
        return "2.2", "there is no blot to hit"
    return None


def _after_unbroken(position: Position, number: int, seat: int) -> list[Position]:
    """The step law of `_carry_out` in the form the full-roll law asks for."""
    found = []
    for origin in range(1, BAR + 1):
        mine, theirs = map(list, sides(position, seat))
        step = Step(number, origin, max(origin - number, OFF))
        if _carry_out(mine, theirs, step) is None:
            found.append(_packed(mine, theirs, seat))
    return found


def _packed(mine: list[int], theirs: list[int], seat: int) -> Position:
    theirs = theirs[::-1]
    return pack(theirs, mine) if seat else pack(mine, theirs)
