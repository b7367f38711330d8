"""Boards of 24 points as text, drawn by hand from the positions above them."""

from tests.drawing.views import SAME_WAY, gammon

from gammon_drawing.text import draw_text

SEEN_BY_ONE = """\
  13  14  15  16  17  18       19  20  21  22  23  24
+------------------------+---+------------------------+
| O               X      | X | X                   O  |
| O               X      |   | X                   O  |
| O               X      |   | X                      |
| O                      |   | X                      |
| O                      |   | 6                      |
|                        |BAR|                        |
|                        |   | O                      |
| X                      |   | O                      |
| X                      |   | O                      |
| X                      |   | O                      |
| X               O      |   | O                   X  | O off 2
+------------------------+---+------------------------+
  12  11  10  9   8   7        6   5   4   3   2   1"""

# On 24 and 7 of seat 0 lie trapped checkers of seat 0 and seat 1, under 9 and 1.
TRAPS = "24:1t,18:2,7:1,6:11 20:5,18:1t,1:9"
TRAPS_SEEN_BY_NOUGHT = """\
  13  14  15  16  17  18       19  20  21  22  23  24
+------------------------+---+------------------------+
|                     X  |   |                     x  |
|                     X  |   |                     O  |
|                        |   |                     O  |
|                        |   |                     O  |
|                        |   |                     9  |
|                        |BAR|                        |
|                        |   | 11  O                  |
|                        |   | X   O                  |
|                        |   | X   O                  |
|                     X  |   | X   O                  |
|                     o  |   | X   O                  |
+------------------------+---+------------------------+
  12  11  10  9   8   7        6   5   4   3   2   1"""

# Both move the same way: 24 of one is 12 of the other.
RUNNERS = "24:13,15:1,off:1 24:10,13:3,2:2"
RUNNERS_SEEN_BY_NOUGHT = """\
  13  14  15  16  17  18       19  20  21  22  23  24
+------------------------+---+------------------------+
|     O   X              |   |                     X  |
|     O                  |   |                     X  |
|                        |   |                     X  |
|                        |   |                     X  |
|                        |   |                     13 |
|                        |BAR|                        |
| 10                     |   |                        |
| O                      |   |                        |
| O                      |   |                     O  |
| O                      |   |                     O  |
| O                      |   |                     O  | X off 1
+------------------------+---+------------------------+
  12  11  10  9   8   7        6   5   4   3   2   1"""
RUNNERS_SEEN_BY_ONE = """\
  13  14  15  16  17  18       19  20  21  22  23  24
+------------------------+---+------------------------+
| O                      |   |                     O  | X off 1
| O                      |   |                     O  |
| O                      |   |                     O  |
|                        |   |                     O  |
|                        |   |                     10 |
|                        |BAR|                        |
| 13                     |   |                        |
| X                      |   |                        |
| X                      |   |                        |
| X                      |   |                 O      |
| X                      |   |             X   O      |
+------------------------+---+------------------------+
  12  11  10  9   8   7        6   5   4   3   2   1"""


def test_a_board_from_the_second_seat() -> None:
    view = gammon("bar:1,24:1,13:4,8:3,6:6 24:2,13:5,8:1,6:5,off:2")
    assert draw_text(view, 1) == SEEN_BY_ONE


def test_the_start_looks_the_same_from_both_seats_but_for_the_letters() -> None:
    start = gammon("24:2,13:5,8:3,6:5 24:2,13:5,8:3,6:5")
    swapped = draw_text(start, 1).translate(str.maketrans("XO", "OX"))
    assert draw_text(start, 0) == swapped
    assert max(map(len, swapped.splitlines())) <= 80


def test_a_trapped_checker_lies_at_the_edge_and_only_its_trappers_are_counted() -> None:
    assert draw_text(gammon(TRAPS), 0) == TRAPS_SEEN_BY_NOUGHT


def test_who_moves_the_same_way_sees_the_board_turned_by_half() -> None:
    view = gammon(RUNNERS, SAME_WAY)
    assert draw_text(view, 0) == RUNNERS_SEEN_BY_NOUGHT
    assert draw_text(view, 1) == RUNNERS_SEEN_BY_ONE
