"""How fast a game generates legal plays: the distinct results of one position and roll, in one thread.

Run it as a script, with names of games or for all of them, or call `measure`. Positions come from seeded random
play; those of Backgammon also from the shared set where it is there. Making them is not timed.
"""

import gzip
import json
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import astuple, dataclass, fields
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


def measure(game: Game, rounds: int = 5) -> Speed:
    """The speed of a game as its callers see it, over positions of random play."""
    return _speed(game, random_cases(game), game.legal_plays, rounds)


def measure_backgammon(rounds: int = 5) -> Speed:
    """The speed of Backgammon's generator alone, over the shared set where it is there."""
    game = Backgammon()
    return _speed(game, shared_cases() or random_cases(game), results, rounds)


def _speed(
    game: Game, cases: tuple[list[Case], list[Case]], generate: Callable[[Position, int, Roll], object], rounds: int
) -> Speed:
    non_doubles, doubles = cases
    non_doubles_s, doubles_s = (statistics.median(_seconds(generate, timed) for _ in range(rounds)) for timed in cases)
    non_doubles_found, doubles_found = (sum(len(game.legal_plays(*case)) for case in timed) for timed in cases)
    return Speed(
        non_doubles_per_s=len(non_doubles) / non_doubles_s,
        doubles_per_s=len(doubles) / doubles_s,
        non_doubles_ns=non_doubles_s / non_doubles_found * 1e9,
        doubles_ns=doubles_s / doubles_found * 1e9,
        validate_us=_validate_us(game, non_doubles + doubles, rounds),
    )


def _seconds(generate: Callable[[Position, int, Roll], object], timed: list[Case]) -> float:
    begun = time.process_time()
    for case in timed:
        generate(*case)
    return time.process_time() - begun


def _validate_us(game: Game, timed: list[Case], rounds: int) -> float:
    plays = [(*case, play) for case in timed if (play := _whole_roll_play(game, case)) is not None]
    taken = []
    for _ in range(rounds):
        begun = time.process_time()
        for position, seat, roll, play in plays:
            game.explain(position, seat, roll, play)
        taken.append(time.process_time() - begun)
    return statistics.median(taken) / len(plays) * 1e6


def _whole_roll_play(game: Game, case: Case) -> Play | None:
    _, play = next(game.legal_plays(*case).plays())
    roll = case[2]
    return play if len(play) == (4 if roll[0] == roll[1] else 2) else None


if __name__ == "__main__":
    every = games()
    for name in sys.argv[1:] or every:
        print(name)
        speed = measure(every[name])
        for field, value in zip(fields(speed), astuple(speed), strict=True):
            print(f"{field.name:>20} {value:12,.1f}")
