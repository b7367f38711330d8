"""Mutants of rules.md section 4."""

from tests.mutation.mutant import Mutant

_HERE = "test_rungammon.py"

MUTANTS = (
    Mutant(
        "4.1",
        "games/rungammon.py",
        "_CHECKERS if point == 24 else 0",
        "_CHECKERS if point == 23 else 0",
        f"{_HERE}::test_4_1_all_start_on_their_own_24",
    ),
    Mutant(
        "4.2",
        "games/rungammon.py",
        "if mine[point] and not theirs[point - number]]",
        "if mine[point] and theirs[point - number] < 2]",
        f"{_HERE}::test_4_2_one_checker_makes_a_point",
    ),
    Mutant(
        "4.2",
        "games/rungammon.py",
        "if theirs[step.target]:",
        "if theirs[step.target] > 1:",
        f"{_HERE}::test_4_2_one_checker_makes_a_point",
    ),
    Mutant(
        "4.2",
        "games/rungammon.py",
        "    if step.hit:",
        "    if False:",
        f"{_HERE}::test_4_2_nothing_is_hit",
    ),
    Mutant(
        "4.3",
        "games/rungammon.py",
        "return [point for point in origins if not any(mine[1:point])]",
        "return origins",
        f"{_HERE}::test_4_3_only_the_runner_moves_until_it_has_passed",
    ),
    Mutant(
        "4.3",
        "games/rungammon.py",
        "if sum(mine[12:25]) == _CHECKERS:",
        "if False:",
        f"{_HERE}::test_4_3_only_the_runner_moves_until_it_has_passed",
    ),
    Mutant(
        "4.3",
        "games/rungammon.py",
        "release is RunnerRelease.OWN or any(theirs[13:24]) or theirs[25] > 0",
        "True",
        f"{_HERE}::test_4_3_own_or_both_is_an_option",
    ),
    Mutant(
        "4.3",
        "games/rungammon.py",
        "return Rungammon(settings.runner_release or RunnerRelease.OWN)",
        "return Rungammon()",
        f"{_HERE}::test_4_3_own_or_both_is_an_option",
    ),
    Mutant(
        "4.4",
        "games/rungammon.py",
        "return any(mine[:12]) and",
        "return any(mine[:13]) and",
        f"{_HERE}::test_4_4_a_runner_has_passed_on_11_or_off_and_not_on_12[12:1-False]",
    ),
    Mutant(
        "4.4",
        "games/rungammon.py",
        "if sum(mine[12:25]) == _CHECKERS:",
        "if sum(mine[11:25]) == _CHECKERS:",
        f"{_HERE}::test_4_4_a_runner_has_passed_on_11_or_off_and_not_on_12[11:1-True]",
    ),
    Mutant(
        "4.4",
        "games/rungammon.py",
        "any(theirs[13:24]) or theirs[25] > 0",
        "any(theirs[13:23]) or theirs[25] > 0",
        f"{_HERE}::test_4_4_under_both_a_runner_that_has_passed_waits_for_the_other",
    ),
    Mutant(
        "4.5",
        "games/rungammon.py",
        "if step.target > 18 and all(",
        "if False and all(",
        f"{_HERE}::test_4_5_the_start_prime_may_not_be_completed",
    ),
    Mutant(
        "4.5",
        "games/rungammon.py",
        "if mine.count(0, 19, 25) == 1:",
        "if False:",
        f"{_HERE}::test_4_5_the_start_prime_may_not_be_completed",
    ),
    Mutant(
        "4.5",
        "games/rungammon.py",
        "if closing in origins and mine[closing] > 1:",
        "if closing in origins:",
        f"{_HERE}::test_4_5_the_start_prime_may_not_be_completed",
    ),
    Mutant(
        "4.6",
        "games/rungammon.py",
        "3 if any(theirs[1:13]) else 2",
        "3 if any(theirs[1:12]) else 2",
        f"{_HERE}::test_4_6_levels[24:1,6:14-3]",
    ),
    Mutant(
        "4.6",
        "games/rungammon.py",
        "3 if any(theirs[1:13]) else 2",
        "3 if any(theirs[1:14]) else 2",
        f"{_HERE}::test_4_6_levels[1:15-2]",
    ),
    Mutant(
        "4.7",
        "games/rungammon.py",
        "return Remi()",
        "return None",
        f"{_HERE}::test_4_7_where_nobody_can_move_it_is_a_remi",
    ),
    Mutant(
        "4.7",
        "games/rungammon.py",
        "for either in SEATS for roll",
        "for either in (1 - seat,) for roll",
        "test_paragraphs_3_to_5.py::test_4_7_while_one_player_can_move_the_game_goes_on",
    ),
)
