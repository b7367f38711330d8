"""What a game says about itself: who can play it, its options, and our rulings where the published rules are silent."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RulingNote:
    """A reading of the rules that is ours, under its paragraph of rules.md."""

    rule: str
    text: str


@dataclass(frozen=True, slots=True)
class Description:
    """A game for people: `seats` are the numbers of players it is for, `options` the names of its own settings."""

    name: str
    seats: range
    options: tuple[str, ...]
    rulings: tuple[RulingNote, ...]
