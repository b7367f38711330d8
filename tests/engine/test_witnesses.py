"""Generator, explainer and the slow counter of `by_the_book` must say the same about every play."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engine import by_the_book
from tests.engine.agreement import agree, agree_on_a_play, mutations
from tests.engine.boards import BACKGAMMON, positions, rolls, swapped

from gammon_engine.games.backgammon import Backgammon
from gammon_engine.play import Roll
from gammon_engine.position import Position
from gammon_engine.settings import SetUp


@settings(max_examples=400, deadline=None)
@given(positions(), rolls)
def test_agreement_on_awkward_positions(position: Position, roll: Roll) -> None:
    agree(BACKGAMMON, by_the_book.sequences, position, 0, roll)


@settings(max_examples=60, deadline=None)
@given(positions(), rolls)
def test_both_seats_have_the_same_law(position: Position, roll: Roll) -> None:
    mine = BACKGAMMON.legal_plays(position, 0, roll)
    theirs = BACKGAMMON.legal_plays(swapped(position), 1, roll)
    assert {swapped(result) for result in mine} == theirs.results
    assert BACKGAMMON.legal_plays(position, 0, roll[::-1]).results == mine.results


@pytest.mark.parametrize("set_up", list(SetUp))
@settings(max_examples=4, deadline=None)
@given(data=st.data())
def test_agreement_along_random_games(set_up: SetUp, data: st.DataObject) -> None:
    game = Backgammon(set_up)
    position, seat = game.start(), 0
    for _ in range(12):
        roll = data.draw(rolls)
        if roll[0] != roll[1]:  # the slow counter needs too long for most doubles; awkward positions have them
            agree(game, by_the_book.sequences, position, seat, roll)
        results = list(game.legal_plays(position, seat, roll))
        position, seat = results[data.draw(st.integers(0, len(results) - 1))], 1 - seat
        if game.outcome(position, 1 - seat) is not None:
            return


@settings(max_examples=400, deadline=None)
@given(positions(), rolls, st.data())
def test_explain_refuses_exactly_what_the_book_does_not_list(
    position: Position, roll: Roll, data: st.DataObject
) -> None:
    book = by_the_book.sequences(BACKGAMMON.text(position), 0, roll)
    play = data.draw(st.sampled_from(sorted(book)))
    for _ in range(data.draw(st.integers(0, 2))):
        play = data.draw(st.sampled_from(mutations(play, roll)))
    agree_on_a_play(BACKGAMMON, by_the_book.sequences, position, 0, roll, play)


@settings(max_examples=25, deadline=None)
@given(set_up=st.sampled_from(list(SetUp)), seed=st.integers(0, 10**9))
def test_random_games_end_and_lose_no_checker(set_up: SetUp, seed: int) -> None:
    chance = Random(seed)
    game = Backgammon(set_up)
    position, seat, turns = game.start(), 0, 0
    checkers = [sum(side) for side in by_the_book.read(game.text(position))]
    while game.outcome(position, 1 - seat) is None:
        roll = (chance.randint(1, 6), chance.randint(1, 6))
        position = chance.choice(list(game.legal_plays(position, seat, roll)))
        first, second = by_the_book.read(game.text(position))
        assert [sum(first), sum(second)] == checkers
        assert not any(first[point] and second[25 - point] for point in range(1, 25))
        assert game.parse(game.text(position)) == position
        seat, turns = 1 - seat, turns + 1
        assert turns < 5000
