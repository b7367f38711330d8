"""Trackgammon (rules.md section 5) for two to four seats.

Read in the order of the rules: what is ours, the track, a step, a turn, the end. What a step may do is judged here,
point by point; `track_steps` knows it once more, as tables for generating plays, and shares nothing of it, so that
each can find the other wrong.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, partial

from gammon_engine import track_notation, track_roll
from gammon_engine.description import Description, RulingNote
from gammon_engine.legal_plays import LegalPlays
from gammon_engine.next_steps import NextSteps
from gammon_engine.outcome import Finished, Outcome
from gammon_engine.play import Play, Roll, Step
from gammon_engine.position import Position
from gammon_engine.settings import Centres, GameId, Settings
from gammon_engine.track import (
    CENTRES,
    FIRST,
    HOME,
    LAST,
    POINTS,
    SIZES,
    Track,
    discs_of,
    numbers_of,
    own_of,
    pack,
    shared_points,
    shift_of,
)
from gammon_engine.track_text import parse_position, position_text
from gammon_engine.view import TrackBoard
from gammon_engine.violation import Violation

DESCRIPTION = Description(
    "Trackgammon",
    seats=range(2, 5),
    options=("centres",),
    rulings=(
        RulingNote("5.2", "Points 1 to 7 lie on the leg at a player's left, 8 to 14 on the leg at their right."),
        RulingNote("5.3", "The centre points are 3, 6, 9 and 12; with the option `two` they are 5 and 10."),
        RulingNote("5.7", "An opponent's smaller disc bars the way of a larger one even if it is covered."),
        RulingNote("5.11", "A disc on 14 may be moved out again, and is then the next to enter."),
        RulingNote("5.12", "The next disc to enter need not stop on 14: it may count on backwards instead."),
        RulingNote("5.13", "The turn ends with the disc that finishes; numbers not used by then are void."),
        RulingNote("5.14", "Whoever has not finished when the game ends shares the last place."),
        RulingNote("5.15", "Each player throws one die; the highest starts, and throws both dice for the first turn."),
        RulingNote("5.16", "A win counts single, always, and can only be resigned at single."),
    ),
)


@dataclass(frozen=True, slots=True)
class Trackgammon:
    """The game on one track. Positions are packed by `track`."""

    track: Track

    @property
    def id(self) -> GameId:
        return GameId.TRACKGAMMON

    @property
    def seats(self) -> int:
        return self.track.seats

    @property
    def top_level(self) -> int:
        return 1

    @property
    def starter_rolls(self) -> bool:
        return True

    def start(self) -> Position:
        return pack([[FIRST for _ in SIZES]] * self.seats)

    def parse(self, text: str) -> Position | Violation:
        return parse_position(self.track, text)

    def text(self, position: Position) -> str:
        return position_text(self.track, position)

    def view(self, position: Position) -> TrackBoard:
        return TrackBoard(tuple(tuple(discs_of(position, seat)) for seat in range(self.seats)), self.track.centres)

    def legal_plays(self, position: Position, seat: int, roll: Roll) -> LegalPlays:
        ways = cache(partial(track_roll.ways, self.track, position, seat, roll))
        return LegalPlays(
            track_roll.results(self.track, position, seat, roll), self.text, lambda result: ways()[result]
        )

    def must_pass(self, position: Position, seat: int, roll: Roll) -> bool:
        return self.outcome(position, seat) is not None  # 5.10: else disc 1 can always move

    def explain(self, position: Position, seat: int, roll: Roll, play: Play) -> Violation | None:
        broken = self._first_broken(position, seat, roll, play)
        unused = len(numbers_of(roll)) - len(play)
        if broken is not None or not unused or self.outcome(self.apply(position, seat, play)[0], seat):
            return broken
        return Violation("5.10", f"{unused} of the numbers are not used", "play", self.write_play(play))

    def next_steps(self, position: Position, seat: int, roll: Roll, chosen: Play) -> NextSteps | Violation:
        broken = self._first_broken(position, seat, roll, chosen)
        if broken is not None:
            return broken
        position, _ = self.apply(position, seat, chosen)
        left = list(numbers_of(roll))
        for step in chosen:
            left.remove(step.number)
        if not left or self.outcome(position, seat):
            return NextSteps((), position, complete=True)
        # 5.10: whatever is chosen, disc 1 can use up the rest.
        numbers = sorted(set(left), reverse=True)
        following = [step for number in numbers for step, _ in track_roll.steps(self.track, position, seat, number)]
        return NextSteps(tuple(following), position, complete=False)

    def apply(self, position: Position, seat: int, play: Play) -> tuple[Position, Play]:
        marked = []
        for step in play:
            size, target = step.piece, step.target
            position += target - step.origin << shift_of(seat, size)
            owner, theirs = self.track.meeting(seat, target)
            hit = target in self.track.centres and discs_of(position, owner)[size - 1] == theirs
            if hit:
                position += FIRST - theirs << shift_of(owner, size)  # 5.8
            marked.append(step if step.hit == hit else step._replace(hit=hit))
        return position, tuple(marked)

    def outcome(self, position: Position, seat: int) -> Outcome | None:
        return Finished(seat) if own_of(position, seat) == HOME else None

    def lapse_level(self, position: Position, seat: int) -> int:
        return 1

    def read_play(self, text: str, position: Position, seat: int, roll: Roll) -> Play | Violation:
        return track_notation.read_play(self, text, position, seat, roll)

    def write_play(self, play: Play) -> str:
        return track_notation.write_play(play)

    def _first_broken(self, position: Position, seat: int, roll: Roll, play: Play) -> Violation | None:
        """The rule that a step of `play` breaks, whatever the rest of it."""
        mine = list(discs_of(position, seat))
        theirs = self._opponents(position, seat)
        unused = list(numbers_of(roll))
        for index, step in enumerate(play):
            if mine == _ALL_HOME:
                broken: tuple[str, str] | None = "5.13", "the turn has ended: all discs are on 14"
            elif step.number not in unused:
                broken = "5.5", f"{roll[0]}-{roll[1]} gives no {step.number} here"
            else:
                broken = _broken(mine, theirs, step)
            if broken is not None:
                return Violation(*broken, f"play[{index}]", self.write_play((step,)))
            unused.remove(step.number)
            mine[step.piece - 1] = step.target
            theirs.discard((step.piece, step.target))  # 5.8: off to a point 1, which is private
        return None

    def _opponents(self, position: Position, seat: int) -> set[tuple[int, int]]:
        """Size and place of every opponent's disc on the mover's track, in the mover's numbering (5.2, 5.3)."""
        return {
            (size, mine_of[theirs])
            for neighbour, mine_of in shared_points(self.track, seat)
            for size, theirs in zip(SIZES, discs_of(position, neighbour), strict=True)
            if theirs in mine_of
        }


def of(settings: Settings) -> Trackgammon:
    """The game for so many seats, with the centre points that were agreed."""
    return Trackgammon(Track(settings.seats, CENTRES[settings.centres or Centres.FOUR]))


_ALL_HOME = [LAST for _ in SIZES]


# -- A step: 5.4 to 5.9, 5.11, 5.12

# 5.6: the points in the order a disc comes over them, up from 1 and back, and down from 14 and back.
_FORWARDS = (*POINTS, *POINTS[-2::-1])
_BACKWARDS = (*POINTS[::-1], *POINTS[1:])


def _broken(mine: list[int], theirs: set[tuple[int, int]], step: Step) -> tuple[str, str] | None:
    """Rule and reason why one step is illegal; all points are the mover's."""
    number, origin, target, hit, disc = step
    if disc not in SIZES or mine[disc - 1] != origin:
        return "5.4", f"there is no disc {disc} on {origin}"
    own = mine[: disc - 1]
    smaller = {point for size, point in theirs if size < disc}
    if origin in own or origin in smaller:
        return "5.4", "a smaller disc lies on it"
    walked = _FORWARDS[origin : origin + number]
    if walked[-1] != target:
        walked = _BACKWARDS[LAST + 1 - origin : LAST + 1 - origin + number]
    if walked[-1] != target:
        if target != LAST or origin + number < LAST or origin == LAST:
            return "5.6", f"a {number} does not lead from {origin} to {target}"
        if mine[disc:] != _ALL_HOME[disc:]:
            return "5.12", "only the next disc to enter may discard the remainder, and a larger one is still out"
        walked = _FORWARDS[origin:LAST]
    for point in walked[:-1]:
        if point in smaller:
            return "5.7", f"an opponent's smaller disc on {point} is in the way"
    if target in own or target in smaller:
        return "5.7", f"a smaller disc lies on {target}"
    if hit and (disc, target) not in theirs:
        return "5.8", "there is no opponent's disc of the same size to capture"
    return None
