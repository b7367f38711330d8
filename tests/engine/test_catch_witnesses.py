"""Catchgammon: generator, explainer and the slow counter of `catch_by_the_book` say the same about every play."""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.bench.legal_plays import random_cases
from tests.engine import catch_by_the_book as book
from tests.engine.agreement import agree, agree_on_a_play, mutations, said
from tests.engine.boards import rolls
from tests.engine.catch_boards import GAME

from gammon_engine.play import Roll
from gammon_engine.position import Position


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """Positions that need not arise in play: traps everywhere, also under many, and men off anywhere."""
    highest = draw(st.sampled_from((6, 8, 24)))
    # Mostly empty: with many piles of its own the slow counter needs too long for doubles.
    piles = st.sampled_from(("", "", "", "", "", "0", "1", "10", "01"))
    points = draw(st.lists(piles, min_size=24, max_size=24))
    board = [""]
    in_play = ["", ""]
    for point, pile in enumerate(points, start=1):
        if point > highest:
            pile = pile.strip("0")
        fits = all(len(in_play[seat]) + pile.count(f"{seat}") <= 15 for seat in (0, 1))
        board.append(pile if fits else "")
        in_play = [men + men_here for men, men_here in zip(in_play, _each(board[-1]), strict=True)]
    for seat in (0, 1):
        held = [point for point in range(1, 25) if board[point].endswith(f"{seat}")]
        spare = st.lists(st.sampled_from((0, *held)), max_size=15 - len(in_play[seat]))
        for point in draw(spare):
            board[point] += f"{seat}" if point else ""
    position = GAME.parse(book.write(tuple(board)))
    assert isinstance(position, int), position
    return position


def _each(pile: str) -> tuple[str, str]:
    return "0" * pile.count("0"), "1" * pile.count("1")


def swapped(position: Position) -> Position:
    """The same position with the seats exchanged."""
    first, second = GAME.text(position).split()
    other = GAME.parse(f"{second} {first}")
    assert isinstance(other, int)
    return other


@settings(max_examples=250, deadline=None)
@given(positions(), rolls)
def test_agreement_on_awkward_positions(position: Position, roll: Roll) -> None:
    agree(GAME, book.sequences, position, 0, roll)


@settings(max_examples=200, deadline=None)
@given(positions(), rolls)
def test_both_seats_have_the_same_law(position: Position, roll: Roll) -> None:
    mine = GAME.legal_plays(position, 0, roll)
    theirs = GAME.legal_plays(swapped(position), 1, roll)
    assert {swapped(result) for result in mine} == theirs.results
    assert GAME.legal_plays(position, 0, roll[::-1]).results == mine.results


@settings(max_examples=300, deadline=None)
@given(positions(), st.integers(0, 1))
def test_the_end_is_as_in_the_book(position: Position, seat: int) -> None:
    assert said(GAME.outcome(position, seat), seat, "catchgammon") == book.outcome(GAME.text(position), seat)


@settings(max_examples=200, deadline=None)
@given(positions(), rolls, st.data())
def test_explain_refuses_exactly_what_the_book_does_not_list(
    position: Position, roll: Roll, data: st.DataObject
) -> None:
    play = data.draw(st.sampled_from(sorted(book.sequences(GAME.text(position), 0, roll))))
    for _ in range(data.draw(st.integers(0, 2))):
        play = data.draw(st.sampled_from(mutations(play, roll)))
    agree_on_a_play(GAME, book.sequences, position, 0, roll, play)


def test_agreement_along_random_games() -> None:
    non_doubles, doubles = random_cases(GAME)
    for position, seat, roll in (*non_doubles[:400], *doubles[:40]):
        agree(GAME, book.sequences, position, seat, roll)


def test_random_games_end_by_the_rules_and_lose_no_checker() -> None:
    chance = Random(3)
    ends: set[str | None] = set()
    for _ in range(300):
        position, seat, turns = GAME.start(), 0, 0
        while (outcome := GAME.outcome(position, 1 - seat)) is None:
            roll = (chance.randint(1, 6), chance.randint(1, 6))
            position = chance.choice(list(GAME.legal_plays(position, seat, roll)))
            # Totals, traps and shared points are judged by reading the text (9.3); equal positions are equal ints.
            assert GAME.parse(GAME.text(position)) == position
            seat, turns = 1 - seat, turns + 1
            assert turns < 2000
        ends.add(said(outcome, 1 - seat, "catchgammon"))
        assert said(outcome, 1 - seat, "catchgammon") == book.outcome(GAME.text(position), 1 - seat)
    assert ends == {"single", "gammon", "catchgammon", "remi"}
