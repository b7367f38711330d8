"""How fast legal plays are generated: the set of distinct results of one position and roll, in one thread.

Run it as a script, or call `measure`. Positions come from the shared set where it is there, else from seeded
random play; packing them is not timed.
"""

import gzip
import json
import statistics
import time
from pathlib import Path
from random import Random

from gammon_engine.board24 import pack
from gammon_engine.games.backgammon import Backgammon, results
from gammon_engine.play import Play, Roll
from gammon_engine.position import Position

SHARED = Path(__file__).parents[3] / "shared" / "bench" / "positions.json.gz"
COUNT = 1000
Case = tuple[Position, Roll]


def shared_cases() -> tuple[list[Case], list[Case]] | None:
    """Non-doubles and doubles of the shared set, seat 0 to move; None where it is not there.

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
    return pack(mine, theirs), (max(numbers), min(numbers))


def random_cases(seed: int = 7) -> tuple[list[Case], list[Case]]:
    """As many cases met in random games, either seat's turn turned to seat 0."""
    chance = Random(seed)
    game = Backgammon()
    non_doubles: list[Case] = []
    doubles: list[Case] = []
    while min(len(non_doubles), len(doubles)) < COUNT:
        position = game.start()
        while game.outcome(position, 1) is None:
            roll = (chance.randint(1, 6), chance.randint(1, 6))
            (doubles if roll[0] == roll[1] else non_doubles).append((position, (max(roll), min(roll))))
            position = _turned(chance.choice(sorted(results(position, 0, roll))))
    return chance.sample(non_doubles, COUNT), chance.sample(doubles, COUNT)


def _turned(position: Position) -> Position:
    side = (1 << 104) - 1
    return (position & side) << 104 | position >> 104


def cases() -> tuple[list[Case], list[Case]]:
    """The positions to measure: non-doubles, doubles."""
    return shared_cases() or random_cases()


def measure(rounds: int = 5) -> dict[str, float]:
    """Medians: positions a second, non-doubles and doubles; microseconds to validate a whole-roll play."""
    non_doubles, doubles = cases()
    return {
        "non_doubles_per_s": len(non_doubles) / _median_seconds(non_doubles, rounds),
        "doubles_per_s": len(doubles) / _median_seconds(doubles, rounds),
        "validate_us": _validate_us(non_doubles + doubles, rounds),
    }


def _median_seconds(timed: list[Case], rounds: int) -> float:
    return statistics.median(_seconds(timed) for _ in range(rounds))


def _seconds(timed: list[Case]) -> float:
    begun = time.process_time()
    for position, roll in timed:
        results(position, 0, roll)
    return time.process_time() - begun


def _validate_us(timed: list[Case], rounds: int) -> float:
    plays = [play for play in (_one_play(*case) for case in timed) if play is not None]
    game = Backgammon()
    taken = []
    for _ in range(rounds):
        begun = time.process_time()
        for position, roll, play in plays:
            game.explain(position, 0, roll, play)
        taken.append(time.process_time() - begun)
    return statistics.median(taken) / len(plays) * 1e6


def _one_play(position: Position, roll: Roll) -> tuple[Position, Roll, Play] | None:
    _, play = next(Backgammon().legal_plays(position, 0, roll).plays())
    whole = len(play) == (4 if roll[0] == roll[1] else 2)
    return (position, roll, play) if whole else None


if __name__ == "__main__":
    for name, value in measure().items():
        print(f"{name:>20} {value:12,.1f}")
