"""Positions read off pictures, as somebody would who looks at one: from where things are, their colours and labels."""

from collections import Counter
from dataclasses import dataclass
from xml.etree import ElementTree

SVG = "{http://www.w3.org/2000/svg}"
# Faces of the pieces by seat.
FACES = ("#fbf5e6", "#2e2b2f", "#d1512d", "#6db3d9")


@dataclass(frozen=True)
class Label:
    """A text and the middle of its line."""

    text: str
    x: float
    y: float
    size: int

    def is_at(self, x: float, y: float) -> bool:
        """Whether its middle is there, but for rounding."""
        return abs(self.x - x) < 0.2 and abs(self.y - y) < 0.2


class Picture:
    """A parsed drawing."""

    def __init__(self, drawn: str) -> None:
        root = ElementTree.fromstring(drawn)
        self.title, self.description = (root.findtext(SVG + name) for name in ("title", "desc"))
        self.box = tuple(map(float, root.attrib["viewBox"].split()))
        self.shapes = [(element.tag.removeprefix(SVG), element.attrib) for element in root]
        self.labels = [
            Label(e.text or "", float(e.attrib["x"]), float(e.attrib["y"]) - 0.36 * float(e.attrib["font-size"]),
                  int(e.attrib["font-size"]))
            for e in root.iter(SVG + "text")
        ]  # fmt: skip

    def rects(self) -> list[tuple[float, float, float, float, str]]:
        """Middle, width, height and fill of each rectangle, in the order they are drawn."""
        found = []
        for tag, at in self.shapes:
            if tag == "rect":
                x, y, width, height = (float(at[name]) for name in ("x", "y", "width", "height"))
                found.append((x + width / 2, y + height / 2, width, height, at["fill"]))
        return found


def gammon_counts(drawn: str) -> list[Counter[str]]:
    """Of a board of 24 points, for each seat: checkers by the number at the edge they are nearest to, `bar`, `off`.

    A trapped checker is counted under its number with a t.
    """
    picture = Picture(drawn)
    numbers = [label for label in picture.labels if label.size == 13]
    middle = picture.box[3] / 2
    points = {}
    for label in numbers:
        # A number beside a tray is how many are off.
        if label.y < 30 or label.y > picture.box[3] - 30:
            points[label.x, label.y < middle] = label.text
    trapped = [label for label in picture.labels if label.text == "t"]
    counts = [Counter[str](), Counter[str]()]
    for tag, at in picture.shapes:
        if tag == "circle" and at["r"] == "19":
            x, y, seat = float(at["cx"]), float(at["cy"]), FACES.index(at["fill"])
            where = points.get((x, y < middle), "bar")
            # The label of a trapped checker lies within it, and nothing of its own colour above it.
            caught = [label for label in trapped if label.x == x and abs(label.y - y) < 19 and _is_edge(picture, y)]
            counts[seat][where + ("t" if caught else "")] += 1
    for _, _, width, _, fill in picture.rects():
        if width == 42 and fill in FACES:
            counts[FACES.index(fill)]["off"] += 1
    for label in numbers:
        if (label.x, label.y < middle) not in points:
            assert int(label.text) in {side["off"] for side in counts}
    return counts


def _is_edge(picture: Picture, y: float) -> bool:
    return min(y, picture.box[3] - y) == 50


def track_numbers(picture: Picture) -> dict[tuple[int, int], tuple[float, float]]:
    """Where the numbers of a track are, by the seat whose colour they are on, and the number."""
    numbers: dict[tuple[int, int], tuple[float, float]] = {}
    for x, y, width, height, fill in picture.rects():
        if (width, height) == (21, 15):
            (number,) = {label.text for label in picture.labels if label.is_at(x, y)}
            assert numbers.setdefault((FACES.index(fill), int(number)), (x, y)) == (x, y)
    return numbers


def track_discs(drawn: str, seats: int) -> list[list[int]]:
    """Of a track, for each seat: the number below each of its discs, size 1 first, on the seat's own colour."""
    picture = Picture(drawn)
    pads = [(float(at["cx"]), float(at["cy"])) for tag, at in picture.shapes if tag == "ellipse"]
    rects = picture.rects()
    chips = track_numbers(picture)
    assert len(chips) == 14 * seats
    found = [[0] * 5 for _ in range(seats)]
    stood_on = dict.fromkeys(pads, 0)
    for x, y, width, height, fill in rects:
        if height != 13:
            continue
        owner = FACES.index(fill)
        # It stands on the nearest point straight below, on what was drawn there before.
        pad = min((pad for pad in pads if abs(pad[0] - x) < 0.2 and pad[1] >= y - 5), key=lambda pad: pad[1] - y)
        assert abs(pad[1] - y - 3.5 - 13 * stood_on[pad]) < 0.2
        stood_on[pad] += 1
        (size,) = {label.text for label in picture.labels if label.is_at(x, y)}
        assert width == 20 + 9 * int(size)
        (number,) = {
            n for (o, n), (cx, cy) in chips.items() if o == owner and abs(cx - x) < 12 and 0 < cy - pad[1] < 20
        }
        found[owner][int(size) - 1] = number
    return found
