"""Our legal plays against those of engines that nobody here wrote: `make peers`.

Positions and rolls are met in open_spiel's Backgammon (`open_spiel_walk`), and gnubg-nn and our engine are asked
the same. Exits with 1 if a peer finds another set of resulting positions for any of them.
"""

import sys
from collections.abc import Iterator
from typing import Any, NamedTuple

from rich.console import Console
from rich.table import Table
from tests.peers.processes import asked, at_hand

from gammon_engine.board24 import sides
from gammon_engine.games.backgammon import Backgammon
from gammon_engine.legal_plays import LegalPlays
from gammon_engine.play import BAR, OFF, Step
from gammon_engine.position import Position

SEED = 4
COUNT = 10_000
SHOWN = 5
GAME = Backgammon()
OUT = Console(soft_wrap=True)


class Case(NamedTuple):
    """A position with a roll, and the sorted texts of the positions that it can become."""

    text: str
    seat: int
    roll: tuple[int, int]
    ours: list[str]
    kinds: list[str]


def main() -> None:
    """Asks, compares and prints."""
    if not at_hand():
        sys.exit("The peers are not here: make peers brings them.")
    lines = asked("open_spiel_walk", str(SEED), str(COUNT))
    cases = [_case(line["position"], line["seat"], (line["roll"][0], line["roll"][1])) for line in lines]
    _print_kinds(cases)
    questions = [{"position": case.text, "seat": case.seat, "roll": case.roll} for case in cases]
    peers = {
        "open_spiel": [line["results"] for line in lines],
        "gnubg-nn": asked("gnubg_nn_moves", lines=questions),
    }
    differing = [_differing(name, cases, theirs) for name, theirs in peers.items()]
    sys.exit(any(differing) or len(cases) < COUNT)


def _case(text: str, seat: int, roll: tuple[int, int]) -> Case:
    position = GAME.parse(text)
    assert isinstance(position, Position), position
    plays = GAME.legal_plays(position, seat, roll)
    return Case(text, seat, roll, plays.texts(), list(_kinds(position, seat, roll, plays)))


def _kinds(position: Position, seat: int, roll: tuple[int, int], plays: LegalPlays) -> Iterator[str]:
    """What is special about a case, by our engine."""
    _, play = next(plays.plays())
    double = roll[0] == roll[1]
    yield "all"
    if double:
        yield "double"
    if any(step.origin == BAR for step in play):
        yield "enters from the bar"
    if any(sides(result, seat)[0][OFF] > sides(position, seat)[0][OFF] for result in plays):
        yield "can bear off"
    if not play:
        yield "no legal step (1.5)"
    elif len(play) < (4 if double else 2):
        yield "part of the roll (1.4)"
        if not double and _smaller_is_refused(position, seat, roll, plays):
            yield "the larger must be played (1.4)"


def _smaller_is_refused(position: Position, seat: int, roll: tuple[int, int], plays: LegalPlays) -> bool:
    number = min(roll)
    for origin in range(1, BAR + 1):
        play = (Step(number, origin, max(origin - number, OFF)),)
        refused = GAME.explain(position, seat, roll, play)
        if refused is not None and refused.rule == "1.4" and GAME.apply(position, seat, play)[0] not in plays:
            return True
    return False


def _print_kinds(cases: list[Case]) -> None:
    table = Table("positions with a roll", "number", "resulting positions")
    for kind in dict.fromkeys(kind for case in cases for kind in case.kinds):
        of_kind = [case for case in cases if kind in case.kinds]
        table.add_row(kind, f"{len(of_kind):,}", f"{sum(len(case.ours) for case in of_kind):,}")
    OUT.print(table)


def _differing(name: str, cases: list[Case], theirs: list[Any]) -> int:
    """How many cases a peer answers otherwise; prints that and the first of them."""
    pairs = [(case, answer) for case, answer in zip(cases, theirs, strict=True) if answer != case.ours]
    OUT.print(f"{name}: {len(cases) - len(pairs):,} of {len(cases):,} the same, {len(pairs):,} differ")
    for case, answer in pairs[:SHOWN]:
        OUT.print(f"  {case.text}  seat {case.seat} rolls {case.roll[0]}-{case.roll[1]}")
        OUT.print(f"    only ours:   {sorted({*case.ours} - {*answer})}")
        OUT.print(f"    only theirs: {sorted({*answer} - {*case.ours})}")
    return len(pairs)


if __name__ == "__main__":
    main()
