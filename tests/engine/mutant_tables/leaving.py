"""Mutants of rules.md section 8."""

from tests.mutation.mutant import Mutant

_HERE = "test_paragraphs_6_to_8.py"
_MORE = "test_rounds_and_leaving.py"
_SCRIPT = "test_match_scripts.py::test_match_script"

MUTANTS = (
    Mutant(
        "8.1",
        "referee/offers.py",
        "_FREE = (Phase.OPENING, Phase.TO_ROLL, Phase.TO_PLAY)",
        "_FREE = (Phase.TO_ROLL, Phase.TO_PLAY)",
        f"{_SCRIPT}[8.1 a game may be resigned from the opening on]",
    ),
    Mutant(
        "8.1",
        "referee/offers.py",
        "_FREE = (Phase.OPENING, Phase.TO_ROLL, Phase.TO_PLAY)",
        "_FREE = (Phase.OPENING, Phase.TO_ROLL, Phase.TO_PLAY, Phase.RESIGNING)",
        f"{_HERE}::test_8_1_no_second_offer_while_one_is_open",
    ),
    Mutant(
        "8.1",
        "referee/offers.py",
        "replace(state, phase=state.offer.back, offer=None), (OfferDeclined",
        "replace(state, phase=Phase.TO_ROLL, offer=None), (OfferDeclined",
        f"{_SCRIPT}[8.1 a declined resignation gives the roll back]",
    ),
    Mutant(
        "8.1",
        "referee/offers.py",
        "return end_at_level(settings, state, 1 - seat, level, How.RESIGNATION, accepted)",
        "return end_at_level(settings, state, 1 - seat, 1, How.RESIGNATION, accepted)",
        f"{_SCRIPT}[8.1 a resignation waits for its answer, and either seat may offer it]",
    ),
    Mutant(
        "8.3",
        "referee/forfeits.py",
        "return end_at_level(settings, state, 1 - loser, level, how, facts)",
        "return end_at_level(settings, state, 1 - loser, 1, how, facts)",
        f"{_SCRIPT}[8.3 a forfeited game, a forfeited match]",
    ),
    Mutant(
        "8.3",
        "referee/forfeits.py",
        "return end_all(state, Over(Ended.MATCH, (1 - loser,))",
        "return end_all(state, Over(Ended.MATCH, (loser,))",
        f"{_SCRIPT}[8.3 a forfeited game, a forfeited match]",
    ),
    Mutant(
        "8.4",
        "games/backgammon.py",
        "return 1 if mine[OFF] else 3",
        "return 3",
        f"{_HERE}::test_8_4_a_lapse_in_a_session_is_priced_by_what_is_borne_off[6:14,off:1 6:15-2]",
    ),
    Mutant(
        "8.4",
        "referee/forfeits.py",
        "        return _lose_match(state, action.seat, lapse=True)",
        "        return _lose_game(settings, state, action.seat, 3, How.LAPSE)",
        f"{_HERE}::test_8_4_a_lapse_in_a_match_loses_the_match",
    ),
    Mutant(
        "8.6",
        "referee/offers.py",
        "if not isinstance(settings.play, SessionPlay):",
        "if False:",
        f"{_SCRIPT}[8.6 no settlement in a match]",
    ),
    Mutant(
        "8.6",
        "referee/offers.py",
        "return end_by_settlement(settings, state, to, points, accepted)",
        "return end_by_settlement(settings, state, state.offer.seat, points, accepted)",
        f"{_SCRIPT}[8.6 a settlement]",
    ),
    Mutant(
        "8.2",
        "referee/leaving.py",
        "            if action.seat != state.turn:",
        "            if False:",
        f"{_MORE}::test_8_2_a_player_leaves_on_their_own_turn_and_an_unplayed_roll_is_void",
    ),
    Mutant(
        "8.2",
        "referee/leaving.py",
        "    if seat == state.turn:",
        "    if False:",
        f"{_MORE}::test_8_2_a_player_leaves_on_their_own_turn_and_an_unplayed_roll_is_void",
    ),
    Mutant(
        "8.3",
        "referee/leaving.py",
        "return after_turn(settings, replace(left, stayed=()), seat, facts)",
        "return after_turn(settings, left, seat, facts)",
        f"{_MORE}::test_8_3_8_4_a_forfeit_and_a_lapse_are_a_leaving_in_every_phase[True]",
    ),
    Mutant(
        "8.3",
        "referee/leaving.py",
        "finished=_without(state.finished, seat)",
        "finished=state.finished",
        f"{_MORE}::test_8_3_the_only_finisher_goes_and_the_game_goes_on",
    ),
    Mutant(
        "8.5",
        "referee/corrections.py",
        "How.VOID, (), replayed=True",
        "How.VOID, (), replayed=False",
        "test_ruling_scripts.py::test_ruling_script[8.5 a voided game is played again under its number, in any phase]",
    ),
    Mutant(
        "8.5",
        "referee/corrections.py",
        "status = Crawford.PLAYED if action.crawford_played else",
        "status =",
        "test_ruling_scripts.py::test_ruling_script"
        "[7.2 8.5 a score that is set says whether the Crawford game has been played]",
    ),
)
