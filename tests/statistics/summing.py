"""What many games have in common: lengths, branching, how they ended."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import accumulate

from tests.statistics.playing import Played

ENDS = ("single", "gammon", "triple", "shared", "remi", "cut")


@dataclass(slots=True)
class Summed:
    """Counts over games. Histograms, so that parts made by several processes can be added."""

    games: int = 0
    passes: int = 0
    ends: Counter[str] = field(default_factory=Counter)
    lengths: Counter[int] = field(default_factory=Counter)
    non_doubles: Counter[int] = field(default_factory=Counter)
    doubles: Counter[int] = field(default_factory=Counter)

    def add(self, other: Summed) -> None:
        """Takes the counts of other games in."""
        self.games += other.games
        self.passes += other.passes
        for name in ("ends", "lengths", "non_doubles", "doubles"):
            getattr(self, name).update(getattr(other, name))


def summed(games: Iterable[Played]) -> Summed:
    """Counts over these games."""
    total = Summed()
    for played in games:
        total.games += 1
        total.passes += played.passes
        total.ends[played.end] += 1
        total.lengths[played.turns] += 1
        total.non_doubles.update(played.non_doubles)
        total.doubles.update(played.doubles)
    return total


def mean(counts: Counter[int]) -> float:
    """The mean of a histogram."""
    return sum(value * count for value, count in counts.items()) / counts.total() if counts else 0.0


def quantile(counts: Counter[int], share: float) -> int:
    """The least value that at least `share` of a histogram does not exceed."""
    values = sorted(counts)
    reached = accumulate(counts[value] for value in values)
    return next(value for value, up_to in zip(values, reached, strict=True) if up_to >= share * counts.total())


PLAY_HEADINGS = (
    "game",
    "games",
    "turns",
    "median, 95 %, most",
    "non-double: mean, most",
    "double: mean, most",
    "passed",
)
END_HEADINGS = ("game", *ENDS)


def play_row(name: str, total: Summed) -> tuple[str, ...]:
    """How long games last, and how many results a roll has; `PLAY_HEADINGS` says what the cells are."""
    lengths = total.lengths
    turns = sum(value * count for value, count in lengths.items())
    return (
        name,
        f"{total.games:,}",
        f"{mean(lengths):.1f}",
        f"{quantile(lengths, 0.5)}, {quantile(lengths, 0.95)}, {max(lengths)}",
        _branching(total.non_doubles),
        _branching(total.doubles),
        f"{100 * total.passes / turns:.1f} %",
    )


def _branching(results: Counter[int]) -> str:
    """Mean and most; nothing where nobody listed the results."""
    return f"{mean(results):.1f}, {max(results):,}" if results else "-"


def end_row(name: str, total: Summed) -> tuple[str, ...]:
    """The share of each end in the order of `ENDS`."""
    shares = (f"{100 * total.ends[end] / total.games:.2f} %" if total.ends[end] else "-" for end in ENDS)
    return (name, *shares)
