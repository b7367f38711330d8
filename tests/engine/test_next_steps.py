"""Building a play step by step: what is open next leads to exactly the legal plays, whatever the game."""

from random import Random

import pytest
from tests.engine.boards import BACKGAMMON, facing

from gammon_engine.game import Game
from gammon_engine.next_steps import NextSteps
from gammon_engine.play import Play, Roll, Step
from gammon_engine.position import Position
from gammon_engine.registry import GAMES
from gammon_engine.settings import SessionPlay, Settings
from gammon_engine.violation import Violation

GAMES_AND_SEATS = [
    pytest.param(registered.of(Settings(game, SessionPlay(), seats)), id=f"{game.value} for {seats}")
    for game, registered in GAMES.items()
    for seats in registered.description.seats
]


def built(game: Game, position: Position, seat: int, roll: Roll, chosen: Play = ()) -> set[Position]:
    """Every position that choosing one open step after the other ends in."""
    found = game.next_steps(position, seat, roll, chosen)
    assert isinstance(found, NextSteps)
    assert bool(found.steps) is not found.complete
    if found.complete:
        return {found.position}
    return {end for step in found.steps for end in built(game, position, seat, roll, (*chosen, step))}


@pytest.mark.parametrize("game", GAMES_AND_SEATS)
def test_the_open_steps_lead_to_every_legal_result_and_no_other(game: Game) -> None:
    chance = Random(4)
    position, seat = game.start(), 0
    for _ in range(40):
        roll = (chance.randint(1, 6), chance.randint(1, 6))
        plays = game.legal_plays(position, seat, roll)
        if roll[0] != roll[1]:
            assert built(game, position, seat, roll) == set(plays)
        position = chance.choice(list(plays))
        if any(game.outcome(position, other) is not None for other in range(game.seats)):
            position = game.start()
        seat = (seat + 1) % game.seats


def test_a_step_that_would_lose_a_number_is_not_open() -> None:
    # The 6 from 24 is blocked, so it can only follow 24/23; with 2/1 it would be lost.
    position = facing("24:1 2:2", "18:2")
    found = BACKGAMMON.next_steps(position, 0, (6, 1), ())
    assert isinstance(found, NextSteps)
    assert found.steps == (Step(1, 24, 23),)
    refused = BACKGAMMON.next_steps(position, 0, (6, 1), (Step(1, 2, 1),))
    assert isinstance(refused, Violation)
    assert (refused.rule, refused.field) == ("1.4", "chosen[0]")


def test_of_two_numbers_that_exclude_each_other_only_the_larger_is_open() -> None:
    # 24/18 and 24/23 are free, and nothing follows either of them: 17 is held.
    found = BACKGAMMON.next_steps(facing("24:1", "17:2"), 0, (6, 1), ())
    assert isinstance(found, NextSteps)
    assert found.steps == (Step(6, 24, 18),)


def test_a_chosen_step_that_is_no_step_names_its_rule() -> None:
    refused = BACKGAMMON.next_steps(BACKGAMMON.start(), 0, (6, 5), (Step(5, 24, 19),))
    assert isinstance(refused, Violation)
    assert (refused.rule, refused.field) == ("2.2", "play[0]")
