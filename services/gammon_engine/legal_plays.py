"""The legal plays of one roll, kept as packed positions until somebody looks closer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from gammon_engine.play import Play
from gammon_engine.position import Position


@dataclass(frozen=True, slots=True)
class LegalPlays:
    """Distinct resulting positions (1.9), and on demand their texts and one way to play each.

    `text` and `way` are lent by the game: a position as text, and a play that leads to a result.
    """

    results: frozenset[Position] | set[Position]
    text: Callable[[Position], str]
    way: Callable[[Position], Play]

    def __len__(self) -> int:
        return len(self.results)

    def __iter__(self) -> Iterator[Position]:
        """The results, in an order that is the same on every machine."""
        return iter(sorted(self.results))

    def __contains__(self, result: object) -> bool:
        return result in self.results

    def texts(self) -> list[str]:
        """The texts of all results, sorted as ASCII."""
        return sorted(map(self.text, self.results))

    def plays(self) -> Iterator[tuple[Position, Play]]:
        """Each result with one way to play it."""
        for result in self:
            yield result, self.way(result)
