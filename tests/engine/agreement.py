"""What three witnesses must agree on: the generator, the explainer and a slow counter written from the rules."""

from collections.abc import Callable
from itertools import permutations

from tests.engine.by_the_book import BookPlay

from gammon_engine.game import Game
from gammon_engine.outcome import Outcome, Remi, Win
from gammon_engine.play import Play, Roll, Step
from gammon_engine.position import Position

# For a position text, a seat and a roll: every legal play with the text of the position it leads to.
Book = Callable[[str, int, Roll], dict[BookPlay, str]]


def agree(game: Game, book: Book, position: Position, seat: int, roll: Roll) -> None:
    """Every legal play is in the book with the same result, is explained, and is read back from its text."""
    legal = book(game.text(position), seat, roll)
    plays = game.legal_plays(position, seat, roll)
    assert plays.texts() == sorted(set(legal.values()))
    assert game.must_pass(position, seat, roll) is (set(legal) == {()})
    for result, play in plays.plays():
        assert legal[bare(play)] == game.text(result)
        assert game.explain(position, seat, roll, play) is None
        assert game.apply(position, seat, play) == (result, play)
        read = game.read_play(game.write_play(play), position, seat, roll)
        assert isinstance(read, tuple), read
        assert game.apply(position, seat, read)[0] == result


def agree_on_a_play(game: Game, book: Book, position: Position, seat: int, roll: Roll, play: BookPlay) -> None:
    """The play, legal or not, is refused exactly if the book does not list it."""
    legal = book(game.text(position), seat, roll)
    steps = tuple(Step(*step) for step in play)
    refused = game.explain(position, seat, roll, steps)
    assert (refused is None) == (play in legal), refused
    if refused is None:
        assert game.apply(position, seat, steps)[0] in game.legal_plays(position, seat, roll)


def bare(play: Play) -> BookPlay:
    """The play without marks."""
    return tuple((step.number, step.origin, step.target) for step in play)


def mutations(play: BookPlay, roll: Roll) -> list[BookPlay]:
    """The play with a step left out, added, or changed, and in other orders."""
    found = [play[:index] + play[index + 1 :] for index in range(len(play))]
    found += permutations(play)
    for number in {*roll}:
        for origin in range(1, 26):
            step = (number, origin, max(origin - number, 0))
            found.append((*play, step))
            found += [(*play[:index], step, *play[index + 1 :]) for index in range(len(play))]
    return found


def said(outcome: Outcome | None, seat: int, triple: str) -> str | None:
    """An outcome in the words of a book; `triple` is the game's word for a win at level 3, and only `seat` may win."""
    match outcome:
        case None:
            return None
        case Remi():
            return "remi"
        case Win(winner, level):
            assert winner == seat
            return {1: "single", 2: "gammon", 3: triple}[level]
        case other:
            raise AssertionError(other)
