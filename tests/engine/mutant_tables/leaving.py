"""Mutants of rules.md section 8."""

from tests.mutation.mutant import Mutant

_HERE = "test_paragraphs_6_to_8.py"
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
        "replace(state, phase=state.offer.back, offer=None)",
        "replace(state, phase=Phase.TO_ROLL, offer=None)",
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
        "if not isinstance(settings.play, SessionPlay) or settings.seats != 2:",
        "if settings.seats != 2:",
        f"{_SCRIPT}[8.6 no settlement in a match]",
    ),
    Mutant(
        "8.6",
        "referee/offers.py",
        "return end_by_settlement(settings, state, to, points, accepted)",
        "return end_by_settlement(settings, state, state.offer.seat, points, accepted)",
        f"{_SCRIPT}[8.6 a settlement]",
    ),
)
