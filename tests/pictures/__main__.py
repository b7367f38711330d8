"""Draws the pictures of docs/rules anew, as SVG and as PNG: `make pictures`."""

import sys

import resvg_py
from tests.pictures.stamp import stamped
from tests.pictures.table import FOLDER, PICTURES, drawn

from gammon_drawing.picture import FONT

WIDTH = 960
# What comes out blank where none of the fonts of our pictures is installed.
LETTER = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" font-family="{FONT}"><text y="8">X</text></svg>'


def main() -> None:
    """Writes every picture of the table, and says so."""
    if _png(LETTER) == _png(LETTER.replace("X", "")):
        sys.exit("No font is installed here: the pictures would have no numbers. On Debian install fonts-dejavu-core.")
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, shown in PICTURES.items():
        drawing = drawn(shown)
        (FOLDER / f"{name}.svg").write_text(drawing, encoding="utf-8", newline="\n")
        (FOLDER / f"{name}.png").write_bytes(stamped(_png(drawing), drawing))
        print(FOLDER / name)


def _png(drawing: str) -> bytes:
    return bytes(resvg_py.svg_to_bytes(svg_string=drawing, width=WIDTH))


if __name__ == "__main__":
    main()
