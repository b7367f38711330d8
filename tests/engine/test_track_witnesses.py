"""Trackgammon: generator, explainer and the slow counter of `track_book` must say the same about every play."""

from itertools import permutations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engine.track_boards import doubles, rolls, seats_and_centres, table, texts, track, unequal
from tests.engine.track_book import BookPlay, Table, numbers

from gammon_engine.games.trackgammon import Trackgammon
from gammon_engine.next_steps import NextSteps
from gammon_engine.outcome import Finished
from gammon_engine.play import Play, Roll, Step
from gammon_engine.position import Position
from gammon_engine.settings import Centres

KINDS = [(seats, centres) for seats in (2, 3, 4) for centres in Centres]


def agree(game: Trackgammon, book: Table, text: str, seat: int, roll: Roll, most_plays: int) -> None:
    """Generator and counter list the same results; `most_plays` of the plays are explained, applied and read back."""
    position = game.parse(text)
    assert isinstance(position, int), position
    assert game.text(position) == text
    plays = game.legal_plays(position, seat, roll)
    assert plays.texts() == book.results(text, seat, roll)
    assert game.must_pass(position, seat, roll) is book.finished(book.read(text), seat)
    results = list(plays)
    for result in results[:: len(results) // most_plays + 1]:
        play = plays.way(result)
        assert book.result(text, seat, roll, bare(play)) == game.text(result)
        assert game.explain(position, seat, roll, play) is None
        assert game.apply(position, seat, play) == (result, play)
        home = book.finished(book.read(game.text(result)), seat)
        assert game.outcome(result, seat) == (Finished(seat) if home else None)
        if play:
            read = game.read_play(game.write_play(play), position, seat, roll)
            assert read == play


def bare(play: Play) -> BookPlay:
    return tuple((step.number, step.piece, step.origin, step.target) for step in play)


@settings(max_examples=150, deadline=None)
@given(seats_and_centres, unequal, st.data())
def test_agreement_on_odd_positions(kind: tuple[int, Centres], roll: Roll, data: st.DataObject) -> None:
    text = data.draw(texts(*kind))
    agree(track(*kind), table(*kind), text, data.draw(st.integers(0, kind[0] - 1)), roll, most_plays=40)


@settings(max_examples=12, deadline=None)
@given(seats_and_centres, doubles, st.data())
def test_agreement_on_doubles(kind: tuple[int, Centres], roll: Roll, data: st.DataObject) -> None:
    text = data.draw(texts(*kind))
    agree(track(*kind), table(*kind), text, data.draw(st.integers(0, kind[0] - 1)), roll, most_plays=10)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: f"{kind[0]}-{kind[1].value}")
def test_agreement_along_random_play(kind: tuple[int, Centres]) -> None:
    chance = Random(5)
    game, book = track(*kind), table(*kind)
    position, seat = game.start(), 0
    for turn in range(100):
        roll = (chance.randint(1, 6), chance.randint(1, 6))
        if roll[0] != roll[1] or turn % 25 == 0:  # the slow counter needs long for a double
            agree(game, book, game.text(position), seat, roll, most_plays=5)
        position = chance.choice(list(game.legal_plays(position, seat, roll)))
        if game.outcome(position, seat) is not None:
            return
        seat = (seat + 1) % game.seats


@settings(max_examples=40, deadline=None)
@given(seats_and_centres, unequal, st.data())
def test_what_explain_allows_is_what_is_generated(kind: tuple[int, Centres], roll: Roll, data: st.DataObject) -> None:
    game = track(*kind)
    position, seat = game.parse(data.draw(texts(*kind))), data.draw(st.integers(0, kind[0] - 1))
    assert isinstance(position, int)
    assert allowed(game, position, seat, roll) == game.legal_plays(position, seat, roll).results


def allowed(game: Trackgammon, position: Position, seat: int, roll: Roll) -> set[Position]:
    """The results of every play of an unequal roll that `explain` lets pass, found by trying all steps there are."""
    if game.explain(position, seat, roll, ()) is None:
        return {position}
    found = set()
    for first in tried(game, position, seat, roll):
        refused = game.explain(position, seat, roll, (first,))
        reached, _ = game.apply(position, seat, (first,)) if refused is None or refused.rule == "5.10" else (None, ())
        if refused is None and reached is not None:
            found.add(reached)
        elif reached is not None:
            for second in tried(game, reached, seat, roll):
                if game.explain(position, seat, roll, (first, second)) is None:
                    found.add(game.apply(position, seat, (first, second))[0])
    return found


def tried(game: Trackgammon, position: Position, seat: int, roll: Roll) -> list[Step]:
    discs = game.text(position).split(" ")[seat].split(",")
    return [
        Step(number, int(origin), target, piece=size)
        for number in roll
        for size, origin in enumerate(discs, start=1)
        for target in range(1, 15)
    ]


@settings(max_examples=300, deadline=None)
@given(seats_and_centres, rolls, st.data())
def test_explain_refuses_exactly_what_the_book_does(kind: tuple[int, Centres], roll: Roll, data: st.DataObject) -> None:
    game, book = track(*kind), table(*kind)
    text, seat = data.draw(texts(*kind)), data.draw(st.integers(0, kind[0] - 1))
    position = game.parse(text)
    assert isinstance(position, int)
    play = legal_play(book, text, seat, roll, data)
    for _ in range(data.draw(st.integers(0, 2))):
        play = data.draw(st.sampled_from(mutations(play, roll)))
    steps = tuple(Step(number, origin, target, piece=disc) for number, disc, origin, target in play)
    refused = game.explain(position, seat, roll, steps)
    expected = book.result(text, seat, roll, play)
    assert (refused is None) == (expected is not None), refused
    if refused is None:
        assert game.text(game.apply(position, seat, steps)[0]) == expected


def legal_play(book: Table, text: str, seat: int, roll: Roll, data: st.DataObject) -> BookPlay:
    """A legal play put together from steps of the book."""
    board, left, play = book.read(text), numbers(roll), []
    while left and not book.finished(board, seat):
        steps = [
            ((number, disc, origin, target), after)
            for number in sorted(set(left))
            for disc, origin in book.tops(board, seat)
            for target in range(1, 15)
            if (after := book.step(board, seat, (number, disc, origin, target))) is not None
        ]
        step, board = data.draw(st.sampled_from(steps))
        left.remove(step[0])
        play.append(step)
    return tuple(play)


def mutations(play: BookPlay, roll: Roll) -> list[BookPlay]:
    """The play with a step left out, added, or changed, and in other orders."""
    found = [play[:index] + play[index + 1 :] for index in range(len(play))]
    found += permutations(play)
    for index, (number, disc, origin, target) in enumerate(play):
        changed = [(other, disc, origin, target) for other in range(1, 7)]
        changed += [(number, other, origin, target) for other in range(6)]
        changed += [(number, disc, other, target) for other in range(1, 15)]
        changed += [(number, disc, origin, other) for other in range(16)]
        found += [(*play[:index], step, *play[index + 1 :]) for step in changed]
        found += [(*play, (other, disc, target, origin)) for other in numbers(roll)]
    return found or [()]


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(list(Centres)), rolls, st.data())
def test_every_seat_has_the_same_law(centres: Centres, roll: Roll, data: st.DataObject) -> None:
    seats = data.draw(st.integers(2, 4))
    game, parts = track(seats, centres), data.draw(texts(seats, centres)).split(" ")
    turned = [*parts[-1:], *parts[:-1]]
    first, second = game.parse(" ".join(parts)), game.parse(" ".join(turned))
    assert isinstance(first, int)
    assert isinstance(second, int)
    results = {tuple(text.split(" ")) for text in game.legal_plays(first, 0, roll).texts()}
    shifted = {tuple(text.split(" ")) for text in game.legal_plays(second, 1, roll[::-1]).texts()}
    assert {(*parts[-1:], *parts[:-1]) for parts in results} == shifted


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_random_games_keep_the_discs_and_the_order_of_stacks(seats: int) -> None:
    chance = Random(seats)
    for number in range(100):
        centres = list(Centres)[number % 2]
        game, book = track(seats, centres), table(seats, centres)
        position, seat = game.start(), 0
        for _ in range(400):
            roll = (chance.randint(1, 6), chance.randint(1, 6))
            position = played_at_random(game, position, seat, roll, chance)
            board = book.read(game.text(position))  # fails on two discs of one size
            assert sorted(disc for stack in board.values() for disc in stack) == [
                (size, owner) for size in range(1, 6) for owner in range(seats)
            ]
            assert game.parse(game.text(position)) == position
            if game.outcome(position, seat) is not None:
                break
            seat = (seat + 1) % seats


def played_at_random(game: Trackgammon, position: Position, seat: int, roll: Roll, chance: Random) -> Position:
    """A play built step by step: far cheaper than listing all plays of a double."""
    chosen: Play = ()
    while True:
        found = game.next_steps(position, seat, roll, chosen)
        assert isinstance(found, NextSteps)
        if found.complete:
            return found.position
        chosen = (*chosen, chance.choice(found.steps))
