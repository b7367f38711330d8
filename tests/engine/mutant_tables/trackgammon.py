"""Mutants of rules.md section 5."""

from tests.mutation.mutant import Mutant

_ROUNDS = "test_rounds_and_leaving.py"

MUTANTS = (
    Mutant(
        "5.14",
        "referee/rounds.py",
        "return any(place(other) > place(seat) for other in state.seats_in)",
        "return False",
        f"{_ROUNDS}::test_5_14_everybody_has_the_turns_of_the_first_to_finish",
    ),
    Mutant(
        "5.14",
        "referee/rounds.py",
        "starter = state.starter or 0",
        "starter = state.seats_in[0]",
        f"{_ROUNDS}::test_5_14_rounds_are_counted_from_a_starter_who_has_left",
    ),
    Mutant(
        "5.14",
        "referee/rounds.py",
        "finished=tuple(sorted({*state.finished, seat}))",
        "finished=(seat,)",
        f"{_ROUNDS}::test_5_14_finishers_tie_and_share",
    ),
    Mutant(
        "5.15",
        "referee/opening.py",
        "state = replace(state, contenders=highest)",
        "state = replace(state, contenders=highest if len(highest) == 1 else seats)",
        f"{_ROUNDS}::test_5_15_ties_throw_again_among_themselves_and_the_starter_throws_both_dice",
    ),
    Mutant(
        "5.15",
        "referee/opening.py",
        "elif not starter_rolls:",
        "else:",
        f"{_ROUNDS}::test_5_15_ties_throw_again_among_themselves_and_the_starter_throws_both_dice",
    ),
)
