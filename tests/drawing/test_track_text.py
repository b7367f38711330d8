"""Tracks as text, drawn by hand from the positions above them."""

from tests.drawing.views import TWO, track

from gammon_drawing.text import draw_text

# Disc 3 of seat 0 is on its 3, which is 12 of seat 1, under disc 1 of seat 1. On 6 of seat 0, 9 of seat 1, lie its
# discs 4 and 2 and between them disc 3 of seat 1.
TWO_PLAYERS = "1,6,3,6,14 12,1,9,1,5"
SEEN_BY_NOUGHT = """\
X seat 0   O seat 1

O  14         13         12         11         10         9          8
   .          .                     .          .                     .
=                        X3O1                             X4O3X2
   X1         .                     .          .                     .
X  1          2          3          4          5          6          7

O  7          6          5          4          3          2          1
   .                     O5         .                     .          O42
=             .                                .
   .                     .          .                     .          X5
X  8          9          10         11         12         13         14"""

THREE_PLAYERS = "1,1,1,1,1 10,10,14,9,5 5,5,10,4,11"
SEEN_BY_TWO = """\
X seat 0   O seat 1   Y seat 2

X  14         13         12         11         10         9          8
   .          .          .          .                     .          .
=                                              Y21
   .          .          .          Y4                    .          .
Y  1          2          3          4          5          6          7

O  14         13         12         11         10         9          8
   O3         .          .          .                     O4         .
=                                              O21
   X54321     .          .          .                     .          .
X  1          2          3          4          5          6          7

O  7          6          5          4          3          2          1
   .          .                     .          .          .          .
=                        O5Y3
   .          .                     Y5         .          .          .
Y  8          9          10         11         12         13         14"""


def test_two_players_share_both_legs() -> None:
    assert draw_text(track(TWO_PLAYERS), 0) == SEEN_BY_NOUGHT


def test_of_three_legs_the_two_of_who_looks_have_its_points_below() -> None:
    assert draw_text(track(THREE_PLAYERS, TWO), 2) == SEEN_BY_TWO


def test_four_players_fit_on_a_terminal_wherever_their_discs_are() -> None:
    # The widest cell: five discs of two players in turn.
    widest = draw_text(track("3,14,3,14,3 1,12,1,12,1 1,1,1,1,1 1,1,1,1,1"), 3)
    assert "X5O4X3O2X1" in widest
    # The legend; then each leg with its upper and its lower seat, clockwise from the left leg of seat 3.
    assert [line[0] for line in widest.splitlines() if line[:1].isalpha()] == list("XXZOXYOYZ")
    assert max(map(len, widest.splitlines())) <= 80
    assert widest.isascii()
