"""What all pictures share: a frame and a ground of their own, so that they show on light and dark pages alike."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

import svg

FRAME = "#4e3726"
FRAME_INK = "#f3e6cd"
GROUND = "#e3cfa9"

FONT = "Helvetica, Arial, DejaVu Sans, sans-serif"
# From the middle of a line of digits down to its foot, in parts of the font's size.
_HALF_A_DIGIT = 0.36


class Box(NamedTuple):
    """A part of the picture."""

    left: float
    top: float
    width: float
    height: float

    def rect(self, *, rx: float, fill: str) -> svg.Rect:
        """The part filled, its corners rounded by `rx`."""
        left, top, width, height = map(rounded, self)
        return svg.Rect(x=left, y=top, width=width, height=height, rx=rx, fill=fill)


def document(title: str, description: str, box: Box, drawn: Iterable[svg.Element]) -> str:
    """An SVG document of all that is drawn in `box`, as large as its place."""
    told = svg.Title(text=title), svg.Desc(text=description)
    picture = svg.SVG(
        viewBox=svg.ViewBoxSpec(*map(rounded, box)),
        elements=[*told, box.rect(rx=12, fill=FRAME), *drawn],
        extra={"role": "img", "font-family": FONT, "font-weight": "bold", "text-anchor": "middle"},
    )
    # An element a line, so that two pictures can be compared. No text in them begins or ends with a bracket.
    return picture.as_str().replace("><", ">\n<") + "\n"


def label(x: float, y: float, text: str, size: float, ink: str, anchor: Literal["start"] | None = None) -> svg.Text:
    """Text whose line has its middle at the height `y`, around `x` unless anchored at its start."""
    foot = rounded(y + size * _HALF_A_DIGIT)
    return svg.Text(x=rounded(x), y=foot, text=text, font_size=size, fill=ink, text_anchor=anchor)


def rounded(length: float) -> float:
    """To a tenth, whole numbers without a point: what no eye misses, and no two machines compute differently."""
    tenth = round(length, 1)
    return int(tenth) if tenth == int(tenth) else tenth
