"""The board as text, checked by eye once."""

from tests.engine.boards import BACKGAMMON

from gammon_engine.drawing import draw_board

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


def test_a_board_from_the_second_seat() -> None:
    position = BACKGAMMON.parse("bar:1,24:1,13:4,8:3,6:6 24:2,13:5,8:1,6:5,off:2")
    assert isinstance(position, int)
    assert draw_board(position, 1) == SEEN_BY_ONE


def test_the_start_looks_the_same_from_both_seats_but_for_the_letters() -> None:
    start = BACKGAMMON.start()
    swapped = draw_board(start, 1).translate(str.maketrans("XO", "OX"))
    assert draw_board(start, 0) == swapped
    assert max(map(len, swapped.splitlines())) <= 80
