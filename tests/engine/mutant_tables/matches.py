"""Mutants of rules.md section 7."""

from tests.mutation.mutant import Mutant

_HERE = "test_paragraphs_6_to_8.py"
_MIXED = "test_mixed_match.py"
_SCRIPT = "test_match_scripts.py::test_match_script"

MUTANTS = (
    Mutant(
        "7.1",
        "referee/ending.py",
        "if own >= points)",
        "if own > points)",
        f"{_HERE}::test_7_1_the_first_to_reach_the_points_wins",
    ),
    Mutant(
        "7.1",
        "referee/ending.py",
        "if own >= points)",
        "if own == points)",
        f"{_HERE}::test_7_1_more_points_than_needed_win_as_well",
    ),
    Mutant(
        "7.2",
        "referee/ending.py",
        "return Crawford.NOW if max(state.score) == points - 1 else Crawford.PENDING",
        "return Crawford.NOW if min(state.score) == points - 1 else Crawford.PENDING",
        f"{_HERE}::test_7_2_exactly_one_game_of_a_match_has_no_cube",
    ),
    Mutant(
        "7.2",
        "referee/ending.py",
        "            return Crawford.PLAYED",
        "            return Crawford.NOW",
        f"{_HERE}::test_7_2_exactly_one_game_of_a_match_has_no_cube",
    ),
    Mutant(
        "7.2",
        "referee/stakes.py",
        "isinstance(settings.play, MatchPlay) and settings.play.crawford and settings.play.points > 1",
        "isinstance(settings.play, MatchPlay) and settings.play.points > 1",
        f"{_HERE}::test_7_2_crawford_may_be_left_out",
    ),
    Mutant(
        "7.2",
        "referee/beginning.py",
        "    status = crawford or crawford_at(settings, points)",
        "    status = crawford_at(settings, points)",
        "test_settings.py::test_7_2_a_set_score_says_whether_the_crawford_game_is_played",
    ),
    Mutant(
        "7.3",
        "referee/stakes.py",
        "tuple(max(own, Fraction(0)) for own in net) if isinstance(settings.play, MatchPlay) else net",
        "tuple(max(own, Fraction(0)) for own in net)",
        f"{_HERE}::test_7_3_the_score_of_a_session_is_net_and_sums_to_zero",
    ),
    Mutant(
        "7.3",
        "referee/ending.py",
        "if state.game_number == games else None",
        "if games is None else None",
        f"{_SCRIPT}[7.3 a session ends after its games]",
    ),
    Mutant(
        "7.3",
        "referee/forfeits.py",
        "begun = state.contenders or len(state.seats_in) < settings.seats",
        "begun = len(state.seats_in) < settings.seats",
        f"{_SCRIPT}[7.3 an open session is ended between games]",
    ),
    Mutant(
        "7.4",
        "referee/ending.py",
        "number = state.game_number if replayed else state.game_number + 1",
        "number = state.game_number + 1",
        "test_referee.py::test_7_4_a_remi_is_replayed_as_the_same_game",
    ),
    Mutant(
        "7.4",
        "referee/ending.py",
        "crawford = _crawford_after(settings, scored) if any(result.points) else state.crawford",
        "crawford = _crawford_after(settings, scored)",
        "test_referee.py::test_7_4_a_remi_is_replayed_as_the_same_game",
    ),
    Mutant(
        "7.5",
        "referee/beginning.py",
        "        phase=Phase.OPENING,",
        "        phase=Phase.TO_ROLL,\n        turn=0,",
        f"{_HERE}::test_7_5_each_game_starts_with_a_new_opening_throw",
    ),
    Mutant(
        "7.4",
        "referee/ending.py",
        "_crawford_after(settings, scored) if any(result.points) else state.crawford",
        "_crawford_after(settings, scored)",
        "test_rounds_and_leaving.py"
        "::test_7_4_a_tie_of_two_scores_nothing_counts_as_a_game_and_keeps_the_crawford_status",
    ),
    Mutant(
        "7.6",
        "referee/mixed.py",
        "if state.playing is first:",
        "if True:",
        f"{_MIXED}::test_7_6_backgammon_the_choice_the_one_left_and_again",
    ),
    Mutant(
        "7.6",
        "referee/mixed.py",
        "if action.seat != state.chooser:",
        "if action.seat == state.chooser:",
        f"{_MIXED}::test_7_6_backgammon_the_choice_the_one_left_and_again",
    ),
    Mutant(
        "7.6",
        "referee/ending.py",
        "if result.winners:\n        following = after_win(settings, following, result.winners[0])",
        "following = after_win(settings, following, (result.winners or (0,))[0])",
        f"{_MIXED}::test_7_6_a_game_without_a_winner_is_followed_by_the_same_game",
    ),
)
