"""Rungammon: generator, explainer and the slow counter of `rung_by_the_book` say the same about every play."""

from functools import partial
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.bench.legal_plays import random_cases
from tests.engine import rung_by_the_book as book
from tests.engine.agreement import Book, agree, agree_on_a_play, mutations, said
from tests.engine.boards import rolls
from tests.engine.rungammon_boards import BOTH, OWN, at, positions, swapped

from gammon_engine.games.rungammon import Rungammon

READINGS = pytest.mark.parametrize("game", [pytest.param(OWN, id="own"), pytest.param(BOTH, id="both")])


def plays_of(game: Rungammon) -> Book:
    return partial(book.sequences, release=game.release.value)


@READINGS
@settings(max_examples=200, deadline=None)
@given(data=st.data(), roll=rolls)
def test_agreement_on_awkward_positions(game: Rungammon, data: st.DataObject, roll: tuple[int, int]) -> None:
    agree(game, plays_of(game), data.draw(positions(game)), 0, roll)


@READINGS
@settings(max_examples=200, deadline=None)
@given(data=st.data(), roll=rolls)
def test_explain_refuses_exactly_what_the_book_does_not_list(
    game: Rungammon, data: st.DataObject, roll: tuple[int, int]
) -> None:
    position = data.draw(positions(game))
    play = data.draw(st.sampled_from(sorted(plays_of(game)(game.text(position), 0, roll))))
    for _ in range(data.draw(st.integers(0, 2))):
        play = data.draw(st.sampled_from(mutations(play, roll)))
    agree_on_a_play(game, plays_of(game), position, 0, roll, play)


@READINGS
@settings(max_examples=200, deadline=None)
@given(data=st.data(), roll=rolls)
def test_both_seats_have_the_same_law(game: Rungammon, data: st.DataObject, roll: tuple[int, int]) -> None:
    position = data.draw(positions(game))
    mine = game.legal_plays(position, 0, roll)
    theirs = game.legal_plays(swapped(position, game), 1, roll)
    assert {swapped(result, game) for result in mine} == theirs.results
    assert game.legal_plays(position, 0, roll[::-1]).results == mine.results


@READINGS
@settings(max_examples=200, deadline=None)
@given(data=st.data(), seat=st.integers(0, 1))
def test_the_end_is_as_in_the_book(game: Rungammon, data: st.DataObject, seat: int) -> None:
    position = data.draw(positions(game))
    in_the_book = book.outcome(game.text(position), seat, game.release.value)
    assert said(game.outcome(position, seat), seat, "rungammon") == in_the_book


@READINGS
def test_agreement_along_random_games(game: Rungammon) -> None:
    non_doubles, doubles = random_cases(game)
    for position, seat, roll in non_doubles[:300]:
        agree(game, plays_of(game), position, seat, roll)
    for position, seat, roll in doubles[:100]:
        found = game.legal_plays(position, seat, roll).texts()
        assert found == book.results(game.text(position), seat, roll, game.release.value)


@pytest.mark.parametrize("low", range(1, 7))
def test_4_5_holds_in_every_play_from_every_set_of_start_points(low: int) -> None:
    for held in range(63):
        start = [point for point in range(24, 18, -1) if held >> (point - 19) & 1]
        pairs = [*(f"{point}:2" for point in start), "11:1", f"off:{14 - 2 * len(start)}"]
        text = f"{','.join(pairs)} 1:1,off:14"
        for high in range(low, 7):
            found = OWN.legal_plays(at(text), 0, (high, low)).texts()
            assert found == book.results(text, 0, (high, low)), (text, high)


@READINGS
def test_random_games_end_by_the_rules_and_lose_no_checker(game: Rungammon) -> None:
    chance = Random(5)
    ends: set[str | None] = set()
    for _ in range(500):
        position, seat, turns = game.start(), 0, 0
        while (outcome := game.outcome(position, 1 - seat)) is None:
            roll = (chance.randint(1, 6), chance.randint(1, 6))
            position = chance.choice(list(game.legal_plays(position, seat, roll)))
            # Totals, shared points, the start prime and the runner law are judged by reading the text (9.3).
            assert game.parse(game.text(position)) == position
            seat, turns = 1 - seat, turns + 1
            assert turns < 2000
        ends.add(said(outcome, 1 - seat, "rungammon"))
    assert ends == {"single", "gammon", "rungammon"}
