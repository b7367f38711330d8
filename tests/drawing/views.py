"""Views written as the texts of rules 9.1 and 9.2."""

from gammon_engine.view import GammonBoard, Pile, TrackBoard

# The number that seat 1 gives to each point of seat 0 (1.2; section 4). Entry 0 is empty.
FACING = (0, *range(24, 0, -1))
SAME_WAY = (0, *range(13, 25), *range(1, 13))
FOUR, TWO = (3, 6, 9, 12), (5, 10)


def gammon(text: str, other: tuple[int, ...] = FACING) -> GammonBoard:
    """A board of 24 points; a trapped checker is written 1t."""
    piles: list[list[Pile]] = [[] for _ in range(25)]
    bar, off = [0, 0], [0, 0]
    for seat, side in enumerate(text.split(" ")):
        for where, count in (pair.split(":") for pair in side.split(",")):
            number = int(count.removesuffix("t"))
            if where == "bar":
                bar[seat] = number
            elif where == "off":
                off[seat] = number
            else:
                point = other.index(int(where)) if seat else int(where)
                piles[point].insert(0 if count.endswith("t") else len(piles[point]), Pile(seat, number))
    return GammonBoard(tuple(map(tuple, piles)), (bar[0], bar[1]), (off[0], off[1]), other)


def track(text: str, centres: tuple[int, ...] = FOUR) -> TrackBoard:
    """A track."""
    return TrackBoard(tuple(tuple(map(int, side.split(","))) for side in text.split(" ")), centres)
