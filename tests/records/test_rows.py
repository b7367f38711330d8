"""Lines of a game as cells, in the layouts of the programs that write them."""

import pytest

from gammon_records.mat import Cell, Cubed, GaveUp, Rolled, Won, Word
from gammon_records.mat_row import is_known, read_row

LEFT, RIGHT = 0, 1


def said(text: str) -> list[tuple[int, object]]:
    return [(cell.column, cell.says) for cell in read_row(text, 7)]


def test_a_cell_keeps_its_line() -> None:
    assert read_row("  1) 53: 8/3 6/3", 7) == (Cell(7, LEFT, Rolled((5, 3), "8/3 6/3")),)


@pytest.mark.parametrize(
    "text",
    [
        "  1) 53: 8/3 6/3                 62: 24/18 13/11",
        "  10) 53: 8/3 6/3                      62: 24/18 13/11               ",
        " 1) 53: 8/3 6/3                      62: 24/18 13/11",
        "  1)\t53: 8/3 6/3\t62: 24/18 13/11",
        "  1) 53: 8/3 6/3\t62: 24/18 13/11",
        "  1) 53: 8/3 6/3 62: 24/18 13/11",
    ],
)
def test_two_cells_whatever_the_columns(text: str) -> None:
    assert said(text) == [(LEFT, Rolled((5, 3), "8/3 6/3")), (RIGHT, Rolled((6, 2), "24/18 13/11"))]


@pytest.mark.parametrize(
    "text",
    [
        "  1)                             62: 24/18",
        "  1)\t\t62: 24/18",
        "  1)                                62: 24/18",
    ],
)
def test_only_a_right_cell(text: str) -> None:
    assert said(text) == [(RIGHT, Rolled((6, 2), "24/18"))]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("  7)  Doubles => 2                Takes", [(LEFT, Cubed(Word.DOUBLE, 2)), (RIGHT, Cubed(Word.TAKE))]),
        (" 12) Doubles => 2              Drops", [(LEFT, Cubed(Word.DOUBLE, 2)), (RIGHT, Cubed(Word.DROP))]),
        (
            "  3)  Beavers => 4                Raccoons => 8",
            [(LEFT, Cubed(Word.BEAVER, 4)), (RIGHT, Cubed(Word.RACCOON, 8))],
        ),
        ("  3)  accepts                     REJECTS", [(LEFT, Cubed(Word.TAKE)), (RIGHT, Cubed(Word.DROP))]),
        ("  3)  Redoubles => 4              Passes", [(LEFT, Cubed(Word.DOUBLE, 4)), (RIGHT, Cubed(Word.DROP))]),
    ],
)
def test_cube_words(text: str, words: list[tuple[int, object]]) -> None:
    assert said(text) == words


@pytest.mark.parametrize(
    ("text", "column", "won"),
    [
        ("      Wins 1 point", LEFT, Won(1, False)),
        (" Wins 2 points", LEFT, Won(2, False)),
        ("   Wins 6 points and the match     ", LEFT, Won(6, True)),
        ("                                  Wins 4 point and the match", RIGHT, Won(4, True)),
        ("  6)  Wins 1 point                      ", LEFT, Won(1, False)),
        ("  25)                                    Wins 4 point", RIGHT, Won(4, False)),
        ("                                            Wins 1 points    ", RIGHT, Won(1, False)),
    ],
)
def test_results_by_their_column(text: str, column: int, won: Won) -> None:
    assert said(text) == [(column, won)]


def test_a_result_in_the_row_of_a_lone_roll() -> None:
    assert said(" 29) 64:                          Wins 4 points") == [(LEFT, Rolled((6, 4))), (RIGHT, Won(4, False))]


@pytest.mark.parametrize("text", ["Cannot Move", "cannot move", "Can't move"])
def test_a_dance_in_words(text: str) -> None:
    assert said(f"  4) 33: {text}") == [(LEFT, Rolled((3, 3), says_stuck=True))]


@pytest.mark.parametrize("text", ["62: ????", "62: ???", "62: Concedes", "62:  Resigns", "62: Resigned Game"])
def test_giving_up_after_a_roll(text: str) -> None:
    assert said(f" 31) {text}                           Wins 2 point") == [
        (LEFT, Rolled((6, 2), gave_up=True)),
        (RIGHT, Won(2, False)),
    ]


def test_dice_that_were_never_thrown() -> None:
    assert said(" 31) 00: ????") == [(LEFT, Rolled(None, gave_up=True))]


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        (
            "  2)  Losses 1 point                                               Wins 1 point and the match",
            [(LEFT, GaveUp(points=1)), (RIGHT, Won(1, True))],
        ),
        (
            " 14) 22: 13/11(2)      14)  Losses 1 point                                 Wins 1 point and the match",
            [(LEFT, Rolled((2, 2), "13/11(2)")), (RIGHT, GaveUp(points=1)), (RIGHT, Won(1, True))],
        ),
        (" 21) Resigns                                    Wins 2 points", [(LEFT, GaveUp()), (RIGHT, Won(2, False))]),
        (" 21) Resigned Match", [(LEFT, GaveUp(whole=True))]),
    ],
)
def test_losers_words(text: str, cells: list[tuple[int, object]]) -> None:
    assert said(text) == cells


def test_a_losers_word_outside_a_row_has_no_column() -> None:
    assert said(" Losses 2 point") == []
    assert is_known(" Losses 2 point")


def test_the_parenthesis_of_an_illegal_play_is_one_piece() -> None:
    board = "0;0;0;0;1;A (x) 12: Wins;Bob;0;0;0;1;0;0;0;0;0;0;0;0;5;0;3;0;0;0;-5;5;0;0;0;-3;0;-5;0;0;0;0;2;0;0;0;"
    assert said(f"  4) 33: Illegal play ({board})       62: 24/18") == [
        (LEFT, Rolled((3, 3), position=board)),
        (RIGHT, Rolled((6, 2), "24/18")),
    ]


@pytest.mark.parametrize(("text", "known"), [("  32)      ", True), ("  8) hello", False), ("Remarks", False)])
def test_what_a_line_says_nothing_of(text: str, known: bool) -> None:
    assert said(text) == []
    assert is_known(text) == known
