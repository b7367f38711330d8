"""Legal plays by gnubg-nn, the engine of GNU Backgammon.

Runs in the peers' environment, as a process of its own. `python -m tests.peers.gnubg_nn_moves` reads lines
`{position, seat, roll}` and answers each with the sorted list of the positions its legal plays lead to; with
`rate ROUNDS` it answers all of them with one number, the positions done a second (median of the rounds).
"""

import json
import statistics
import sys
import time
from collections.abc import Sequence
from typing import Any

import gnubg_nn
from tests.engine.by_the_book import read, write

CHECKERS = 15
Board = list[list[int]]


def results(line: dict[str, Any]) -> list[str]:
    """All resulting positions of one line. gnubg-nn lists no move where there is none; the law has a pass (1.5)."""
    found = {_position(key, line["seat"]) for key in gnubg_nn.moves(_board(line), *line["roll"])}
    return sorted(found) or [line["position"]]


def rate(lines: Sequence[dict[str, Any]], rounds: int) -> float:
    """Positions a second of generating alone: boards are made before, keys are not read."""
    calls = [(_board(line), *line["roll"]) for line in lines]
    taken = []
    for _ in range(rounds):
        begun = time.process_time()
        for board, first, second in calls:
            gnubg_nn.moves(board, first, second)
        taken.append(time.process_time() - begun)
    return len(calls) / statistics.median(taken)


def _board(line: dict[str, Any]) -> Board:
    """25 counts of the opponent and 25 of the mover, each in its owner's numbering, the bar last."""
    sides = read(line["position"])
    return [list(sides[1 - line["seat"]][1:]), list(sides[line["seat"]][1:])]


def _position(key: str, seat: int) -> str:
    theirs, mine = ((CHECKERS - sum(counts), *counts) for counts in gnubg_nn.board_from_position_key(key))
    return write((theirs, mine) if seat else (mine, theirs))


if __name__ == "__main__":
    told = [json.loads(text) for text in sys.stdin]
    if sys.argv[1:2] == ["rate"]:
        print(json.dumps(rate(told, int(sys.argv[2]))))
    else:
        for each in told:
            print(json.dumps(results(each)))
