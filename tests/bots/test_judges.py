"""What bots make of positions of the games other than Backgammon, by plain cases and by play against chance."""

from dataclasses import replace
from random import Random

import pytest

from gammon_bots.cube import is_behind, stays
from gammon_bots.decisions import best_play, decide
from gammon_bots.judges import judge_of
from gammon_engine.game import Game
from gammon_engine.outcome import Finished, Win
from gammon_engine.position import Position
from gammon_engine.referee import begin
from gammon_engine.referee.state import NoResult, Phase, State
from gammon_engine.registry import GAMES, game_of
from gammon_engine.settings import GameId, MatchPlay, SessionPlay, Settings

CATCH, RUN, TRACK = GameId.CATCHGAMMON, GameId.RUNGAMMON, GameId.TRACKGAMMON


def game(named: GameId, seats: int = 2) -> Game:
    return game_of(Settings(named, SessionPlay(), seats))


def position(of: Game, text: str) -> Position:
    read = of.parse(text)
    assert isinstance(read, int), read
    return read


@pytest.mark.parametrize("named", [CATCH, RUN, TRACK])
def test_a_bot_beats_whoever_plays_at_random(named: GameId) -> None:
    """26 of 30 at least; a coin would do that once in 30,000."""
    of, chance = game(named), Random(9)
    judge = judge_of(of)
    won = 0
    for number in range(30):
        where, seat = of.start(), number % 2
        while True:
            plays = of.legal_plays(where, seat, (chance.randint(1, 6), chance.randint(1, 6)))
            results = list(plays)
            where = max(results, key=lambda result: judge.value(result, 0)) if seat == 0 else chance.choice(results)
            match of.outcome(where, seat):
                case None:
                    seat = 1 - seat
                case Win() | Finished():
                    won += seat == 0
                    break
                case _:
                    break
    assert won >= 26


@pytest.mark.parametrize(
    ("named", "seats"),
    [(named, seats) for named, registered in GAMES.items() for seats in registered.description.seats],
)
def test_every_seat_has_an_even_chance_at_the_start_but_for_the_roll(named: GameId, seats: int) -> None:
    of = game(named, seats)
    chances = [judge_of(of).chance(of.start(), seat) for seat in range(seats)]
    assert len(set(chances)) == 1
    assert 1 / seats <= chances[0] < 1.3 / seats


def test_a_trap_is_worth_more_the_longer_the_way_home_of_its_victim() -> None:
    of = game(CATCH)
    judge = judge_of(of)
    # Seat 0 has trapped one checker of seat 1, all else the same but for the place: on its 23, then on its 6.
    far, near = position(of, "24:13,2:2 24:14,23:1t"), position(of, "24:13,19:2 24:14,6:1t")
    assert judge.value(far, 0) - judge.value(near, 0) > 0
    assert judge.chance(far, 0) > 0.5 > judge.chance(far, 1)


def test_a_wall_in_the_way_counts_and_one_behind_does_not() -> None:
    of = game(RUN)
    judge = judge_of(of)
    # Seat 0's 6 to 3 are seat 1's 18 to 15: still ahead of seat 1's checkers on 24.
    wall = position(of, "24:7,6:2,5:2,4:2,3:2 24:14,11:1")
    stack = position(of, "24:7,6:8 24:14,11:1")
    assert judge.value(wall, 0) > judge.value(stack, 0) + 8


def test_a_disc_home_before_a_larger_one_is_in_the_way() -> None:
    of = game(TRACK)
    judge = judge_of(of)
    in_order, in_the_way = position(of, "13,13,13,13,14 1,1,1,1,1"), position(of, "14,13,13,13,13 1,1,1,1,1")
    assert judge.value(in_order, 0) > judge.value(in_the_way, 0)


def three(text: str, **changes: object) -> tuple[Settings, State]:
    """A game for three in which seat 0 is on turn."""
    settings = Settings(TRACK, SessionPlay(), 3)
    begun = begin(settings)
    state = replace(begun, phase=Phase.TO_ROLL, turn=0, position=position(game(TRACK, 3), text))
    return settings, replace(state, **changes)  # type: ignore[arg-type]


def test_one_of_three_doubles_with_a_lead_and_who_is_far_behind_leaves() -> None:
    settings, state = three("9,10,12,14,14 9,10,12,13,14 1,1,1,1,1")
    assert stays(settings, state, 1)
    assert not stays(settings, state, 2)
    settings, asked = three("9,10,12,14,14 9,10,12,13,14 1,1,1,1,1", phase=Phase.DOUBLED)
    assert decide(settings, asked, 1).WhichOneof("kind") == "stay"
    assert decide(settings, asked, 2).WhichOneof("kind") == "leave"
    settings, ahead = three("12,13,14,14,14 2,2,2,2,2 1,1,1,1,1")
    assert decide(settings, ahead, 0).WhichOneof("kind") == "double"


def test_an_end_without_points_suits_whoever_is_behind() -> None:
    settings, state = three(
        "12,13,14,14,14 2,2,2,2,2 12,13,14,14,14", phase=Phase.RESIGNING, offer=NoResult(2, Phase.TO_ROLL)
    )
    assert is_behind(settings, state, 1)
    assert decide(settings, state, 1).WhichOneof("kind") == "accept"
    assert decide(settings, state, 0).WhichOneof("kind") == "decline"


def test_each_of_the_games_that_may_be_chosen_gets_its_turn() -> None:
    settings = Settings(GameId.GAMMON, MatchPlay(9))
    begun = begin(settings)
    states = [replace(begun, phase=Phase.CHOOSING, chooser=1, game_number=number) for number in (2, 5)]
    chosen = {decide(settings, state, 1).choose.game for state in states}
    assert len(chosen) == 2


def test_a_play_of_the_bot_is_legal_in_every_game() -> None:
    for named in GAMES:
        settings = Settings(named, MatchPlay(3))
        of = game_of(settings)
        for dice in ((6, 5), (3, 3)):
            state = replace(begin(settings), phase=Phase.TO_PLAY, turn=0, dice=dice)
            assert of.explain(state.position, 0, dice, best_play(settings, state, 0)) is None
