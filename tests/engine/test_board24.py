"""The packed board: how the opponent's points lie on the own ones, in both ways there are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gammon_engine.board24 import CONTRARY, PARALLEL, POINTS, pack, parallel_sides, sides, view
from gammon_engine.view import Pile

counts = st.lists(st.integers(0, 15), min_size=26, max_size=26)


def test_the_points_of_the_opponent() -> None:
    assert [CONTRARY[point] for point in (1, 12, 13, 24)] == [24, 13, 12, 1]
    assert [PARALLEL[point] for point in (1, 12, 13, 24)] == [13, 24, 1, 12]
    for other in (CONTRARY, PARALLEL):
        assert [other[other[point]] for point in POINTS] == list(POINTS)


@given(counts, counts)
def test_both_sides_of_a_board_from_either_seat(first: list[int], second: list[int]) -> None:
    position = pack(first, second)
    for seat, own, opponent in ((0, first, second), (1, second, first)):
        for seen, other in ((sides, CONTRARY), (parallel_sides, PARALLEL)):
            mine, theirs = seen(position, seat)
            assert list(mine) == own
            assert [theirs[0], theirs[25]] == [opponent[25], opponent[0]]
            assert [theirs[point] for point in POINTS] == [opponent[other[point]] for point in POINTS]


@pytest.mark.parametrize(("other", "theirs_at_6"), [(CONTRARY, 19), (PARALLEL, 18)])
def test_a_view_shows_who_stands_where(other: tuple[int, ...], theirs_at_6: int) -> None:
    first, second = [0] * 26, [0] * 26
    first[0], first[24], first[25] = 1, 12, 2
    second[0], second[theirs_at_6] = 4, 11
    board = view(pack(first, second), other)
    assert board.points[24] == (Pile(0, 12),)
    assert board.points[6] == (Pile(1, 11),)
    assert sum(map(len, board.points)) == 2
    assert (board.bar, board.off, board.other) == ((2, 0), (1, 4), other)
