"""The formula against figures worked out by hand, and what of a feed is rated."""

from dataclasses import replace
from math import isclose

import pytest

from gammon_rating.core import fibs
from gammon_rating.core.fibs import Rating, rate
from gammon_rating.core.units import Ended, unit_of

OLD = 1000

MATCH = Ended(
    match_id="m_000_A",
    match_hash=b"h",
    players=("alice", "bob"),
    recorded=False,
    rated=True,
    match_points=5,
    games=0,
    game_number=3,
    game_winners=(0,),
    match_winners=(0,),
)


def test_r8_an_even_one_point_match_moves_two() -> None:
    winner, loser = rate(Rating(1500, OLD), Rating(1500, OLD), 1)
    assert (winner.value, loser.value) == (1502.0, 1498.0)


@pytest.mark.parametrize(("favourite_wins", "move"), [(True, 4.97), (False, 7.03)])
def test_r8_nine_points_with_a_favourite_by_a_hundred(favourite_wins: bool, move: float) -> None:
    strong, weak = Rating(1600, OLD), Rating(1500, OLD)
    winner, loser = (strong, weak) if favourite_wins else (weak, strong)
    after = rate(winner, loser, 9)
    assert round(after[0].value - winner.value, 2) == move
    assert round(after[1].value - loser.value, 2) == -move


def test_a_newcomer_moves_up_to_five_times_as_fast() -> None:
    winner, loser = rate(Rating(), Rating(1500, OLD), 1)
    assert (winner.value, loser.value) == (1510.0, 1498.0)
    assert rate(Rating(1500, 200), Rating(1500, OLD), 1)[0].value == 1506.0
    assert rate(Rating(1500, 400), Rating(1500, OLD), 1)[0].value == 1502.0


def test_experience_grows_by_the_length() -> None:
    assert [rating.experience for rating in rate(Rating(), Rating(1500, 10), 7)] == [7, 17]


def test_r5_many_even_games_stay_bounded() -> None:
    one, other = Rating(1500, OLD), Rating(1500, OLD)
    for game in range(300_000):
        one, other = rate(one, other, 1) if game % 2 == 0 else rate(other, one, 1)[::-1]
    assert isclose(one.value + other.value, 3000, abs_tol=1e-3)
    assert abs(one.value - 1500) < 10


def test_the_constants_are_frozen() -> None:
    """The ledger names the formula; another constant is another name."""
    constants = (fibs.NAME, fibs.START, fibs.RAMP, fibs.FASTEST, fibs.SLOPE, fibs.SPREAD, fibs.STEP)
    assert constants == ("fibs/1", 1500.0, 400, 5.0, 100.0, 2000.0, 4.0)


def test_a_match_counts_once_with_its_length() -> None:
    unit = unit_of(MATCH)
    assert unit is not None
    assert (unit.key, unit.pool, unit.winner, unit.loser, unit.length) == ("m_000_A", "main", "alice", "bob", 5)
    assert unit_of(replace(MATCH, match_winners=None)) is None


def test_each_game_of_a_session_with_a_fixed_number_counts() -> None:
    session = replace(MATCH, match_points=None, games=3, match_winners=None, game_winners=(1,))
    unit = unit_of(session)
    assert unit is not None
    assert (unit.key, unit.winner, unit.length) == ("m_000_A:3", "bob", 1)
    assert unit_of(replace(session, games=0)) is None
    assert unit_of(replace(session, game_winners=())) is None


def test_records_count_in_a_pool_of_their_own() -> None:
    unit = unit_of(replace(MATCH, recorded=True, rated=False))
    assert unit is not None
    assert unit.pool == "imported"
    assert unit_of(replace(MATCH, rated=False)) is None
    assert unit_of(replace(MATCH, players=("alice", "alice"))) is None
