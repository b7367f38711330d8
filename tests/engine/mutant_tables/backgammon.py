"""Mutants of rules.md section 2."""

from tests.mutation.mutant import Mutant

_HERE = "test_paragraphs_1_and_2.py"
_LEVELS = "test_moves.py::test_2_4_levels"

MUTANTS = (
    Mutant(
        "2.1",
        "games/backgammon.py",
        "SetUp.STANDARD: {24: 2, 13: 5, 8: 3, 6: 5},",
        "SetUp.STANDARD: {24: 2, 13: 5, 7: 3, 6: 5},",
        "test_moves.py::test_2_1_set_ups[SetUp.STANDARD-24:2,13:5,8:3,6:5]",
    ),
    Mutant(
        "2.1",
        "games/backgammon.py",
        "SetUp.NACKGAMMON: {24: 2, 23: 2, 13: 4, 8: 3, 6: 4},",
        "SetUp.NACKGAMMON: {24: 2, 23: 2, 13: 4, 8: 4, 6: 3},",
        "test_moves.py::test_2_1_set_ups[SetUp.NACKGAMMON-24:2,23:2,13:4,8:3,6:4]",
    ),
    Mutant(
        "2.2",
        "games/backgammon.py",
        "origins = [point for point in own if point > number and theirs[point - number] < 2]",
        "origins = [point for point in own if point > number and theirs[point - number] < 3]",
        f"{_HERE}::test_2_2_a_step_may_land_where_at_most_one_opponent_is[2]",
    ),
    Mutant(
        "2.2",
        "games/backgammon.py",
        "elif theirs[step.target] > 1:",
        "elif theirs[step.target] > 0:",
        f"{_HERE}::test_2_2_a_step_may_land_where_at_most_one_opponent_is[1]",
    ),
    Mutant(
        "2.2",
        "board24.py",
        "_one(1 - seat, BAR) - _one(1 - seat, 25 - target)",
        "_one(1 - seat, 24) - _one(1 - seat, 25 - target)",
        f"{_HERE}::test_2_2_a_blot_that_is_hit_goes_to_its_owners_bar",
    ),
    Mutant(
        "2.2",
        "whole_roll.py",
        "            results.discard(landed + hit[blot])\n",
        "",
        "test_moves.py::test_2_2_a_blot_that_both_steps_reach_is_hit_once",
    ),
    Mutant(
        "2.3",
        "games/backgammon.py",
        "if mine[BAR] and step.origin != BAR:",
        "if False:",
        f"{_HERE}::test_2_3_a_checker_on_the_bar_enters_first",
    ),
    Mutant(
        "2.3",
        "whole_roll.py",
        "if mine[BAR] > 1:",
        "if mine[BAR] > 2:",
        f"{_HERE}::test_2_3_a_checker_on_the_bar_enters_first",
    ),
    Mutant(
        "2.3",
        "games/backgammon.py",
        "return [BAR] if theirs[BAR - number] < 2 else []",
        "return [BAR] if theirs[number] < 2 else []",
        f"{_HERE}::test_2_3_number_d_enters_on_point_25_less_d",
    ),
    Mutant(
        "2.4",
        "games/backgammon.py",
        "if theirs[25]:  # the opponent's checkers off",
        "if theirs[25] > 1:",
        f"{_LEVELS}[off:15 6:14,off:1-1]",
    ),
    Mutant(
        "2.4",
        "games/backgammon.py",
        "in_winners_home = any(theirs[:7])",
        "in_winners_home = any(theirs[1:7])",
        f"{_LEVELS}[off:15 bar:1,6:14-3]",
    ),
    Mutant(
        "2.4",
        "games/backgammon.py",
        "in_winners_home = any(theirs[:7])",
        "in_winners_home = any(theirs[:8])",
        f"{_LEVELS}[off:15 18:1,6:14-2]",
    ),
)
