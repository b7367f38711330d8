"""Plays thousands of games of each kind, checks every position of them, and writes docs/statistics.md.

`make statistics`, or `python -m tests.statistics [--games N] [--only NAME] [--write]`. The same numbers come out every
time, since each game has a seed of its own. A game that does not end by the rules, loses a piece, or pays out more than
it takes in stops it all with that game's name and seed.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn
from rich.table import Table
from tests.statistics.kinds import CUT_SHORT, ENDED, kind_named
from tests.statistics.playing import Played, play_game
from tests.statistics.summing import END_HEADINGS, PLAY_HEADINGS, Summed, end_row, play_row, summed

PAGE = Path(__file__).parents[2] / "docs" / "statistics.md"
GAMES = 10_000
CUT_GAMES = 200
CUT_TURNS = 2_000
PART = 50

Line = tuple[str, Summed]


def main() -> None:
    """Plays, shows the table, and writes the page if asked to."""
    reader = argparse.ArgumentParser(prog="python -m tests.statistics")
    reader.add_argument("--games", type=int, default=GAMES, help="how many games of each kind")
    reader.add_argument("--only", default="", help="kinds whose name begins so")
    reader.add_argument("--write", action="store_true", help="write docs/statistics.md")
    asked = reader.parse_args()
    columns = (TextColumn("{task.description:<28}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with ProcessPoolExecutor(os.cpu_count()) as pool, Progress(*columns, console=Console(stderr=True)) as progress:
        ended = list(_lines(pool, progress, ENDED, asked.only, asked.games, None))
        cut = list(_lines(pool, progress, CUT_SHORT, asked.only, min(asked.games, CUT_GAMES), CUT_TURNS))
    not_ended = [name for name, total in ended if total.ends["cut"]]
    assert not not_ended, not_ended
    for headings, row in (PLAY_HEADINGS, play_row), (END_HEADINGS, end_row):
        table = Table(*headings)
        for line in (*ended, *cut):
            table.add_row(*row(*line))
        Console().print(table)
    if asked.write:
        PAGE.write_text(_page(asked.games, ended, cut))


def _lines(
    pool: ProcessPoolExecutor, progress: Progress, names: Sequence[str], only: str, games: int, most_turns: int | None
) -> Iterator[Line]:
    for name in names:
        if name.startswith(only):
            bar = progress.add_task(name, total=games)
            yield name, _play(pool, progress, bar, name, games, most_turns)


def _play(
    pool: ProcessPoolExecutor, progress: Progress, bar: TaskID, name: str, games: int, most_turns: int | None
) -> Summed:
    parts = [pool.submit(_part, name, first, min(first + PART, games), most_turns) for first in range(0, games, PART)]
    total = Summed()
    for part in parts:
        found = part.result()
        total.add(found)
        progress.advance(bar, found.games)
    return total


def _part(name: str, first: int, after: int, most_turns: int | None) -> Summed:
    return summed(_played(name, seed, most_turns) for seed in range(first, after))


def _played(name: str, seed: int, most_turns: int | None) -> Played:
    try:
        return play_game(kind_named(name), seed, most_turns)
    except AssertionError as error:
        raise AssertionError(f"{name}, seed {seed}: {error}") from error


def _page(games: int, ended: Sequence[Line], cut: Sequence[Line]) -> str:
    return f"""# Statistics of play

Made by `make statistics`, {games:,} games a line; the same numbers come out every time. Every position on the way is
checked: no piece is lost or gained, no two discs of one size share a point, and the points of each result sum to zero.

## Games played to their end

The 24-point games are played by choosing any result at random, Trackgammon by the bot, which chooses at random for one
roll in five. All of them ended by the rules. *Results* are the distinct positions that the legal plays of a roll lead
to. A turn is one player's. *Shared* means that several players finished in the same round (5.14).

{_markdown(ended)}

## Games at random, cut after {CUT_TURNS:,} turns

One open step after another is chosen at random; nobody makes for home. {CUT_GAMES} games a line.

{_markdown(cut)}
"""


def _markdown(lines: Sequence[Line]) -> str:
    return "\n\n".join(
        "\n".join(_cells(cells) for cells in (headings, ["---"] * len(headings), *(row(*line) for line in lines)))
        for headings, row in ((PLAY_HEADINGS, play_row), (END_HEADINGS, end_row))
    )


def _cells(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    main()
