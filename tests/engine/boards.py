"""Positions for tests: written from the mover's side, or drawn at random."""

from collections import Counter

from hypothesis import strategies as st

from gammon_engine.games.backgammon import Backgammon
from gammon_engine.play import Roll
from gammon_engine.position import Position

BACKGAMMON = Backgammon()


def facing(mover: str, opponent: str = "") -> Position:
    """A position with seat 0 to move, both sides in its numbering (`24:1 8:1`); the rest is borne off.

    An opponent that is not given stands on its own one-point, out of the way.
    """
    theirs = {25 - point: count for point, count in _pairs(opponent or "24:2").items()}
    text = f"{_side(_pairs(mover))} {_side(theirs)}"
    position = BACKGAMMON.parse(text)
    assert isinstance(position, int), position
    return position


def after(mover: str, roll: Roll, opponent: str = "") -> list[str]:
    """What the mover's side can look like after the roll, sorted."""
    plays = BACKGAMMON.legal_plays(facing(mover, opponent), 0, roll)
    return sorted({text.split()[0] for text in plays.texts()})


def ways(mover: str, roll: Roll, opponent: str = "") -> list[str]:
    """One way to play each result, in written form, sorted."""
    plays = BACKGAMMON.legal_plays(facing(mover, opponent), 0, roll)
    return sorted(BACKGAMMON.write_play(play) for _, play in plays.plays())


def _pairs(text: str) -> dict[int, int]:
    pairs = (pair.split(":") for pair in text.split())
    return {25 if name == "bar" else int(name): int(count) for name, count in pairs}


def _side(counts: dict[int, int]) -> str:
    on_board = [f"{'bar' if point == 25 else point}:{counts[point]}" for point in sorted(counts, reverse=True)]
    off = 15 - sum(counts.values())
    return ",".join([*on_board, f"off:{off}"] if off else on_board)


rolls = st.tuples(st.integers(1, 6), st.integers(1, 6))


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """Positions with seat 0 to move that need not arise in play: crowded bars, blots everywhere."""
    highest = draw(st.sampled_from((6, 8, 25)))
    mine = draw(st.lists(st.integers(1, highest), min_size=1, max_size=15))
    theirs = draw(st.lists(st.integers(0, 24).filter(lambda point: point not in mine), min_size=1, max_size=15))
    mover = dict(Counter(mine))
    opponent = {25 - point: count for point, count in Counter(theirs).items()}
    position = BACKGAMMON.parse(f"{_side(mover)} {_side(opponent)}")
    assert isinstance(position, int), position
    return position


def swapped(position: Position) -> Position:
    """The same position with the seats exchanged."""
    first, second = BACKGAMMON.text(position).split()
    other = BACKGAMMON.parse(f"{second} {first}")
    assert isinstance(other, int)
    return other
