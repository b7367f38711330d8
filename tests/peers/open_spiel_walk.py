"""Positions met in open_spiel's Backgammon, each with a roll and all positions its legal plays lead to.

Runs in the peers' environment: `python -m tests.peers.open_spiel_walk SEED COUNT` writes COUNT different lines
`{position, seat, roll, results}`. open_spiel takes no position from outside, so they are walked to, a quarter each:
by its own legal plays; the same, and only rolls kept of which one number can be played (1.4); by loose plays, which
leave checkers on the bar and bear off at any time, for boards that no game reaches; and by loose plays that bring
the last checker home, for bearing off. A loose play breaks only the rules of moving: every board it leads to is
valid (9.3).
"""

import json
import sys
from collections.abc import Callable, Iterator
from itertools import islice
from random import Random
from typing import Any, NamedTuple

import pyspiel
from tests.engine.by_the_book import write

CHECKERS = 15
POINTS = 24
BAR = 100
# An action is two digits in base 26: each a point, the bar or a pass. From ACTIONS on, the lower die goes first.
DIGITS, BAR_DIGIT, PASS_DIGIT = 26, 24, 25
ACTIONS = DIGITS**2
ONLY_HIGHER = range(PASS_DIGIT * DIGITS, PASS_DIGIT * DIGITS + PASS_DIGIT)
Case = tuple[str, int, tuple[int, int]]
Actions = Callable[[Any], list[int]]


class LooseStep(NamedTuple):
    """An action of open_spiel that moves one checker, and from which of the mover's points."""

    action: int
    origin: int
    hit: bool


def walked(seed: int, count: int) -> Iterator[dict[str, Any]]:
    """`count` lines, as many of each walk."""
    chance = Random(seed)
    seen: set[Case] = set()
    for done, (kept, plays) in enumerate(WALKS):
        share = count * (done + 1) // len(WALKS) - count * done // len(WALKS)
        yield from islice(_lines(kept, plays, chance, seen), share)


def _lines(kept: Actions, plays: Actions, chance: Random, seen: set[Case]) -> Iterator[dict[str, Any]]:
    for state in _turns(kept, plays, chance):
        position, seat, roll = case = _position(state), state.current_player(), _roll(state)
        if case not in seen:
            seen.add(case)
            yield {"position": position, "seat": seat, "roll": roll, "results": sorted(_results(state))}


def _turns(kept: Actions, plays: Actions, chance: Random) -> Iterator[Any]:
    """The state at each turn with a roll that is kept, game after game without end. It is the walk's own state.

    Where no roll is kept the walk goes on with any.
    """
    game = pyspiel.load_game("backgammon(max_player_turns=100000)")
    while True:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                rolls = kept(state)
                state.apply_action(chance.choice(rolls or _legal(state)))
                if rolls:
                    yield state
            elif actions := plays(state):
                state.apply_action(chance.choice(actions))
            else:
                break


def _results(state: Any) -> set[str]:
    """A double is two turns of two numbers here; the second follows only if both numbers of the first were used."""
    results: set[str] = set()
    for action in state.legal_actions():
        after = state.child(action)
        results |= {_position(after)} if after.is_terminal() or after.is_chance_node() else _results(after)
    return results


def _legal(state: Any) -> list[int]:
    actions: list[int] = state.legal_actions()
    return actions


def _hindered(state: Any) -> list[int]:
    """The rolls of which one number can be played, the higher where they differ."""
    return [roll for roll in _legal(state) if state.child(roll).legal_actions()[0] in ONLY_HIGHER]


def _loose(state: Any) -> list[int]:
    return [step.action for step in _loose_steps(state)]


def _homeward(state: Any) -> list[int]:
    steps = _loose_steps(state)
    peaceful = [step for step in steps if not step.hit] or steps
    last = max((step.origin for step in peaceful), default=0)
    return [step.action for step in peaceful if step.origin == last]


WALKS: tuple[tuple[Actions, Actions], ...] = (
    (_legal, _legal),
    (_hindered, _legal),
    (_legal, _loose),
    (_legal, _homeward),
)


def _loose_steps(state: Any) -> list[LooseStep]:
    """One checker moved by one number to any point that the opponent does not hold; never the last one off."""
    seat = state.current_player()
    mine, theirs = _counts(state, seat), _counts(state, 1 - seat)
    lower, higher = sorted(_roll(state))
    steps = []
    for number in {lower, higher}:
        for origin in (point for point in range(1, 26) if mine[point]):
            target = max(origin - number, 0)
            if theirs[25 - target] < 2 if target else mine[0] < CHECKERS - 1:
                digit = BAR_DIGIT if origin == 25 else _index(seat, origin)
                action = PASS_DIGIT * DIGITS + digit + (0 if number == higher else ACTIONS)
                steps.append(LooseStep(action, origin, hit=bool(target and theirs[25 - target])))
    return steps


def _position(state: Any) -> str:
    return write((_counts(state, 0), _counts(state, 1)))


def _counts(state: Any, seat: int) -> tuple[int, ...]:
    """26 counts in the owner's numbering, off first and the bar last."""
    on_points = [state.board(seat, _index(seat, point)) for point in range(1, POINTS + 1)]
    bar = state.board(seat, BAR)
    return CHECKERS - sum(on_points) - bar, *on_points, bar


def _index(seat: int, point: int) -> int:
    return point - 1 if seat else POINTS - point


def _roll(state: Any) -> tuple[int, int]:
    first, second = state.observation_tensor(state.current_player())[-2:]
    return int(first), int(second)


if __name__ == "__main__":
    for line in walked(int(sys.argv[1]), int(sys.argv[2])):
        print(json.dumps(line))
