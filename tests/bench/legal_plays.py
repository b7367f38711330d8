"""How fast a game generates legal plays: the distinct results of one position and roll, in one thread.

Run it as a script, with names of games or for all of them, or call `measure`. Positions come from seeded random
play; those of Backgammon also from the shared set where it is there. Making them is not timed.
"""

import gzip
import json
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import astuple, dataclass, fields
from itertools import chain
from pathlib import Path
from random import Random

from gammon_engine.board24 import pack
from gammon_engine.game import Game
from gammon_engine.games.backgammon import Backgammon, results
from gammon_engine.play import Play, Roll
from gammon_engine.position import Position
from gammon_engine.registry import GAMES
from gammon_engine.settings import SessionPlay, Settings

SHARED = Path(__file__).parents[3] / "shared" / "bench" / "positions.json.gz"
COUNT = 1000
LONGEST_GAME = 200  # turns: random play of some games hardly ends
Case = tuple[Position, int, Roll]


@dataclass(frozen=True, slots=True)
class Speed:
    """Medians: positions a second, ns for each of their results, µs to validate a play that uses the whole roll."""

    non_doubles_per_s: float
    doubles_per_s: float
    non_doubles_ns: float
    doubles_ns: float
    validate_us: float


def games() -> dict[str, Game]:
    """Every game that can be played, with its default options, for two."""
    return {game.value: registered.of(Settings(game, SessionPlay())) for game, registered in GAMES.items()}


def shared_cases() -> tuple[list[Case], list[Case]] | None:
    """Non-doubles and doubles of the shared set for Backgammon, seat 0 to move; None where it is not there.

    A board has 26 signed counts in the mover's numbering: opponent's bar, points 1 to 24, mover's bar.
    """
    if not SHARED.exists():
        return None
    stored = json.loads(gzip.decompress(SHARED.read_bytes()))
    non_doubles, doubles = (
        [_case(item["board"], item["dice"]) for item in stored[key]] for key in ("non_doubles", "doubles")
    )
    return non_doubles, doubles


def _case(board: list[int], numbers: list[int]) -> Case:
    mine = [max(count, 0) for count in board]
    theirs = [max(-count, 0) for count in reversed(board)]
    mine[0], theirs[0] = 15 - sum(mine), 15 - sum(theirs)
    return pack(mine, theirs), 0, (max(numbers), min(numbers))


def random_cases(game: Game, seed: int = 7) -> tuple[list[Case], list[Case]]:
    """As many non-doubles and doubles met in random games."""
    chance = Random(seed)
    non_doubles: list[Case] = []
    doubles: list[Case] = []
    while min(len(non_doubles), len(doubles)) < COUNT:
        position = game.start()
        for turn in range(LONGEST_GAME):
            seat = turn % game.seats
            roll = (chance.randint(1, 6), chance.randint(1, 6))
            (doubles if roll[0] == roll[1] else non_doubles).append((position, seat, (max(roll), min(roll))))
            position = chance.choice(list(game.legal_plays(position, seat, roll)))
            if game.outcome(position, seat) is not None:
                break
    return chance.sample(non_doubles, COUNT), chance.sample(doubles, COUNT)


def measure(measured: dict[str, Game], rounds: int = 5) -> dict[str, Speed]:
    """The speeds of games as their callers see them, over positions of random play.

    The games take turns, so that what else the machine does falls on all of them.
    """
    return _measure(
        {name: _Work(game, random_cases(game), game.legal_plays) for name, game in measured.items()}, rounds
    )


def measure_backgammon(rounds: int = 5) -> Speed:
    """The speed of Backgammon's generator alone, over the shared set where it is there."""
    game = Backgammon()
    cases = shared_cases() or random_cases(game)
    return _measure({"": _Work(game, cases, results)}, rounds)[""]


@dataclass(frozen=True, slots=True)
class _Work:
    game: Game
    cases: tuple[list[Case], list[Case]]
    generate: Callable[[Position, int, Roll], object]


def _measure(works: dict[str, _Work], rounds: int) -> dict[str, Speed]:
    plays = {name: _whole_roll_plays(work) for name, work in works.items()}
    taken: dict[str, list[tuple[float, float, float]]] = {name: [] for name in works}
    for _ in range(rounds):
        for name, work in works.items():
            non_doubles, doubles = (_seconds(work.generate, cases) for cases in work.cases)
            taken[name].append((non_doubles, doubles, _seconds(work.game.explain, plays[name])))
    return {name: _speed(work, taken[name], len(plays[name])) for name, work in works.items()}


def _seconds(call: Callable[..., object], asked: Sequence[tuple[object, ...]]) -> float:
    begun = time.process_time()
    for arguments in asked:
        call(*arguments)
    return time.process_time() - begun


def _speed(work: _Work, taken: list[tuple[float, float, float]], plays: int) -> Speed:
    non_doubles_s, doubles_s, explain_s = map(statistics.median, zip(*taken, strict=True))
    non_doubles, doubles = work.cases
    return Speed(
        non_doubles_per_s=len(non_doubles) / non_doubles_s,
        doubles_per_s=len(doubles) / doubles_s,
        non_doubles_ns=non_doubles_s / _found(work.game, non_doubles) * 1e9,
        doubles_ns=doubles_s / _found(work.game, doubles) * 1e9,
        validate_us=explain_s / plays * 1e6,
    )


def _found(game: Game, cases: list[Case]) -> int:
    return sum(len(game.legal_plays(*case)) for case in cases)


def _whole_roll_plays(work: _Work) -> list[tuple[Position, int, Roll, Play]]:
    """One play of each case that uses all of its roll."""
    found = []
    for position, seat, roll in chain(*work.cases):
        _, play = next(work.game.legal_plays(position, seat, roll).plays())
        if len(play) == (4 if roll[0] == roll[1] else 2):
            found.append((position, seat, roll, play))
    return found


if __name__ == "__main__":
    every = games()
    for name, speed in measure({name: every[name] for name in sys.argv[1:] or every}).items():
        print(name)
        for field, value in zip(fields(speed), astuple(speed), strict=True):
            print(f"{field.name:>20} {value:12,.1f}")
