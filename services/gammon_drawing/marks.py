"""How seats are told apart, whoever looks: by a letter in text, by a colour in pictures."""

from __future__ import annotations

from dataclasses import dataclass

# In text, one a seat.
LETTERS = ("X", "O", "Y", "Z")


@dataclass(frozen=True, slots=True)
class Colour:
    """Of a piece: its face, its rim, and what is written on it."""

    face: str
    rim: str
    ink: str


# One a seat. They differ in lightness as well, for who does not see colours and for printers.
COLOURS = (
    Colour("#fbf5e6", "#6b5138", "#33261a"),
    Colour("#2e2b2f", "#948a8f", "#fbf5e6"),
    Colour("#d1512d", "#7a2a12", "#fff7ec"),
    Colour("#6db3d9", "#2a6487", "#10293a"),
)
