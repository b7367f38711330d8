"""Mutants of rules.md section 3."""

from tests.mutation.mutant import Mutant

_HERE = "test_catchgammon.py"
_ALSO = "test_paragraphs_3_to_5.py"

MUTANTS = (
    Mutant(
        "3.1",
        "games/catchgammon.py",
        "_CHECKERS if point == 24 else 0",
        "_CHECKERS if point == 23 else 0",
        f"{_HERE}::test_3_1_all_on_their_own_24_and_360_pips_each",
    ),
    Mutant(
        "3.2",
        "games/catchgammon.py",
        "if mine[step.origin] == TRAPPED:",
        "if False:",
        f"{_HERE}::test_3_2_a_trapped_checker_may_not_move",
    ),
    Mutant(
        "3.2",
        "trap_board24.py",
        "free = [0 if their >= HOLDING else",
        "free = [1 if their >= HOLDING else",
        f"{_HERE}::test_3_2_a_trapped_checker_may_not_move",
    ),
    Mutant(
        "3.2",
        "trap_board24.py",
        "return position & _ALL_BUT_HOLDS[seat], free, theirs, lone",
        "return position, free, theirs, lone",
        f"{_HERE}::test_3_2_it_is_a_blot_again_when_the_last_trapper_leaves",
    ),
    Mutant(
        "3.2",
        "games/catchgammon.py",
        "        theirs[step.origin] = 1\n",
        "        pass\n",
        f"{_ALSO}::test_3_2_a_freed_checker_can_be_trapped_again_in_the_same_play",
    ),
    Mutant(
        "3.3",
        "games/catchgammon.py",
        "elif 1 < theirs[target] < TRAPPED or mine[target] == TRAPPED:",
        "elif 1 < theirs[target] < TRAPPED:",
        f"{_HERE}::test_3_3_where_the_opponent_may_not_land[21:1,off:14 trapping-False]",
    ),
    Mutant(
        "3.3",
        "games/catchgammon.py",
        "elif 1 < theirs[target] < TRAPPED or mine[target] == TRAPPED:",
        "elif mine[target] == TRAPPED:",
        f"{_HERE}::test_3_3_where_the_opponent_may_not_land[21:2,off:13-False]",
    ),
    Mutant(
        "3.3",
        "games/catchgammon.py",
        "elif 1 < theirs[target] < TRAPPED or mine[target] == TRAPPED:",
        "elif theirs[target] > 1 or mine[target] == TRAPPED:",
        f"{_ALSO}::test_3_3_the_trappers_own_checkers_may_join_it",
    ),
    Mutant(
        "3.4",
        "games/catchgammon.py",
        "if TRAPPED in mine and not any(mine[7:]):",
        "if False:",
        f"{_HERE}::test_3_4_v1_no_bearing_off_while_a_checker_is_trapped",
    ),
    Mutant(
        "3.4",
        "games/catchgammon.py",
        "sum(free[:7]) == _CHECKERS",
        "sum(free[7:]) == 0",
        f"{_HERE}::test_3_4_v1_also_when_bearing_off_has_begun",
    ),
    Mutant(
        "3.5",
        "games/catchgammon.py",
        "if any(theirs[1:7]):",
        "if any(theirs[1:6]):",
        f"{_HERE}::test_3_5_levels[off:15 19:1,6:14-3]",
    ),
    Mutant(
        "3.5",
        "games/catchgammon.py",
        "return Win(seat, 1 if theirs[25] else 2)",
        "return Win(seat, 2 if theirs[25] else 1)",
        f"{_HERE}::test_3_5_levels[off:15 6:15-2]",
    ),
    Mutant(
        "3.6",
        "games/catchgammon.py",
        "mine[1] >= HOLDING and theirs[24] >= HOLDING",
        "mine[1] >= HOLDING or theirs[24] >= HOLDING",
        f"{_HERE}::test_3_6_v4_one_last_checker_trapped_does_not_end_the_game",
    ),
    Mutant(
        "3.6",
        "games/catchgammon.py",
        "return Remi() if mine[1] >= HOLDING and theirs[24] >= HOLDING else None",
        "return None",
        f"{_HERE}::test_3_6_v3_both_last_checkers_trapped_at_their_start_is_a_remi",
    ),
)
