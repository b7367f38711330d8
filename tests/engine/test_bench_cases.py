"""What the speed measurement generates is right: positions of it against the slow counter."""

from dataclasses import astuple

import pytest
from tests.bench.legal_plays import Case, games, measure, measure_backgammon, random_cases, shared_cases
from tests.engine import by_the_book
from tests.engine.boards import BACKGAMMON

EVERY_TENTH = slice(None, None, 10)


@pytest.mark.parametrize("kind", [0, 1], ids=["non_doubles", "doubles"])
def test_results_of_the_measured_positions(kind: int) -> None:
    measured = (shared_cases() or random_cases(BACKGAMMON))[kind][:: 1 if kind == 0 else 10]
    assert measured
    for case in measured:
        expect_results(case)


def test_results_of_random_play() -> None:
    for case in random_cases(BACKGAMMON)[0][EVERY_TENTH]:
        expect_results(case)


def expect_results(case: Case) -> None:
    position, seat, roll = case
    found = BACKGAMMON.legal_plays(position, seat, roll).texts()
    assert found == by_the_book.results(BACKGAMMON.text(position), seat, roll)


def test_the_measurement_measures() -> None:
    measured = measure(games(), rounds=1)
    assert set(measured) == set(games())
    assert all(value > 0 for speed in measured.values() for value in astuple(speed))


def test_the_measurement_of_backgammon_alone_measures() -> None:
    assert all(value > 0 for value in astuple(measure_backgammon(rounds=1)))
