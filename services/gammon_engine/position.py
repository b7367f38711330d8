"""The packed position."""

from __future__ import annotations

# Every game packs a whole position, all seats included, into one int that means nothing outside its game:
# equal positions are equal ints, a step is an addition or little more, and a set of results costs one int a
# result. `Game.text` and `Game.parse` turn it into the text of rules.md section 9 and back.
Position = int
