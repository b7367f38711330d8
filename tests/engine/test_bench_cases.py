"""What the speed measurement generates is right: every position of it against the slow counter."""

import pytest
from tests.bench.legal_plays import Case, cases, measure, random_cases
from tests.engine import by_the_book
from tests.engine.boards import BACKGAMMON

EVERY_TENTH = slice(None, None, 10)


@pytest.mark.parametrize("kind", [0, 1], ids=["non_doubles", "doubles"])
def test_results_of_the_measured_positions(kind: int) -> None:
    measured = cases()[kind][:: 1 if kind == 0 else 10]
    assert measured
    for position, roll in measured:
        expect_results((position, roll))


def test_results_of_random_play() -> None:
    for case in (kind[EVERY_TENTH] for kind in random_cases()):
        for position, roll in case:
            if roll[0] != roll[1]:
                expect_results((position, roll))


def expect_results(case: Case) -> None:
    position, roll = case
    found = BACKGAMMON.legal_plays(position, 0, roll).texts()
    assert found == by_the_book.results(BACKGAMMON.text(position), 0, roll)


def test_the_measurement_measures() -> None:
    assert all(value > 0 for value in measure(rounds=1).values())
