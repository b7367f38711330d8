"""Positions of Rungammon for tests: by their text, or drawn at random."""

from collections import Counter
from itertools import combinations_with_replacement

from hypothesis import strategies as st
from tests.engine.rung_by_the_book import theirs_on

from gammon_engine.board24 import pack
from gammon_engine.games.rungammon import Rungammon
from gammon_engine.play import Roll, Step
from gammon_engine.position import Position
from gammon_engine.settings import RunnerRelease

OWN, BOTH = Rungammon(), Rungammon(RunnerRelease.BOTH)
START = "24:15 24:15"
ROLLS = list(combinations_with_replacement(range(1, 7), 2))


def at(text: str, game: Rungammon = OWN) -> Position:
    """The position of a text that the game takes."""
    position = game.parse(text)
    assert isinstance(position, int), position
    return position


def ways(text: str, roll: Roll, game: Rungammon = OWN, seat: int = 0) -> list[str]:
    """One way to play each result, in written form, sorted."""
    plays = game.legal_plays(at(text, game), seat, roll)
    return sorted(game.write_play(play) for _, play in plays.plays())


def broken(text: str, roll: Roll, *steps: tuple[int, int], game: Rungammon = OWN, seat: int = 0) -> str | None:
    """The rule that a play of these (number, origin) steps breaks."""
    play = tuple(Step(number, origin, max(origin - number, 0)) for number, origin in steps)
    refusal = game.explain(at(text, game), seat, roll, play)
    return None if refusal is None else refusal.rule


def deadlock() -> Position:
    """Each runner on 12 has the other's six points before it. No position that 9.3 allows is like it."""
    side = [0] * 26
    for point in range(18, 24):
        side[point] = 2
    side[12] = 3
    return pack(side, side)


def swapped(position: Position, game: Rungammon = OWN) -> Position:
    """The same position with the seats exchanged."""
    first, second = game.text(position).split()
    return at(f"{second} {first}", game)


@st.composite
def positions(draw: st.DrawFn, game: Rungammon) -> Position:
    """Positions that need not arise in play: a runner anywhere, men piled up at the start or at home, few or many."""
    runs = draw(st.booleans())
    other_runs = runs if game is BOTH else draw(st.booleans())  # 9.3: there one alone cannot be released
    mine = draw(_men(runs, frozenset({12} if other_runs else ())))
    theirs = draw(_men(other_runs, frozenset(theirs_on(point) for point in mine if point)))
    return at(f"{_side(mine)} {_side(theirs)}", game)


@st.composite
def _men(draw: st.DrawFn, runs: bool, taken: frozenset[int]) -> Counter[int]:
    if runs:
        runner = draw(st.sampled_from([point for point in range(1, 25) if point not in taken]))
        return Counter({24: 14}) + Counter([runner])
    span = draw(st.sampled_from((range(1, 7), range(1, 9), range(17, 25), range(1, 25))))
    points = [0, *(point for point in span if point not in taken)]
    men = Counter(draw(st.lists(st.sampled_from(points), max_size=14)))
    while all(men[point] for point in range(19, 25)):
        del men[draw(st.sampled_from(range(19, 25)))]
    men[0] += 15 - men.total()  # at least one, so that a runner has passed
    return men


def _side(men: Counter[int]) -> str:
    names = {point: "off" if point == 0 else str(point) for point in men}
    return ",".join(f"{names[point]}:{men[point]}" for point in sorted(men, reverse=True) if men[point])
