"""The rules service with three and four players, the mixed match, ends without points, and an operator's rulings."""

from collections.abc import Sequence

import pytest
from tests.engine.race import quick_games

from gammon.rules.v1 import action_pb2, fact_pb2, play_pb2, settings_pb2, state_pb2
from gammon.rules.v1 import rules_service_pb2 as pb
from gammon_engine.settings import RULES_VERSION
from gammon_engine.violation import Violation
from gammon_rules.app.boards import board_settings
from gammon_rules.app.catalogue import games
from gammon_rules.app.misunderstood import Misunderstood
from gammon_rules.app.rulings import Rulings

__all__ = ["quick_games"]
pytestmark = pytest.mark.usefixtures("quick_games")

THREE = settings_pb2.Settings(game=settings_pb2.GAME_TRACKGAMMON, seats=3, session=settings_pb2.SessionPlay(games=2))
GAMMON = settings_pb2.Settings(game=settings_pb2.GAME_GAMMON, seats=2, match=settings_pb2.MatchPlay(points=9))


def action(kind: str, seat: int | None = None, dice: Sequence[int] = ()) -> action_pb2.Action:
    """An action without more to say than its kind, or a throw."""
    message = action_pb2.Action(seat=seat)
    getattr(message, kind).SetInParent()
    if dice:
        message.roll.dice.extend(dice)
    return message


def begun(settings: settings_pb2.Settings) -> pb.Ruling:
    """Where play starts."""
    ruling = Rulings().begin(settings)
    assert isinstance(ruling, pb.Ruling), ruling
    return ruling


def ruled(settings: settings_pb2.Settings, before: pb.Ruling, *actions: action_pb2.Action) -> pb.Ruling:
    """The last ruling of actions that must all succeed, each from the stored bytes of the one before."""
    for asked in actions:
        question = pb.Question(rules_version=RULES_VERSION, settings=settings, state=before.state, action=asked)
        ruling = Rulings(remembered=0).rule(question)
        assert isinstance(ruling, pb.Ruling), (asked, ruling)
        before = ruling
    return before


def state_of(ruling: pb.Ruling) -> state_pb2.State:
    """The state of a ruling."""
    return state_pb2.State.FromString(ruling.state)


def test_5_15_an_opening_asks_for_the_draws_it_needs() -> None:
    ruling = begun(THREE)
    assert (ruling.summary.draw.count, list(ruling.summary.draw.seats)) == (3, [0, 1, 2])
    ruling = ruled(THREE, ruling, action("roll", 1, [4, 6, 6]))
    draw = ruling.summary.draw
    assert (draw.count, list(draw.seats), draw.at_once) == (2, [1, 2], True)
    assert list(state_of(ruling).contenders) == [1, 2]
    ruling = ruled(THREE, ruling, action("roll", None, [3, 5]))
    draw = ruling.summary.draw
    assert (draw.count, list(draw.seats), draw.at_once, draw.purpose) == (2, [2], True, state_pb2.DRAW_PURPOSE_TURN)
    ruling = ruled(THREE, ruling, action("roll", None, [2, 5]))
    assert [fact.WhichOneof("kind") for fact in ruling.facts] == ["game_opened", "rolled"]
    assert (state_of(ruling).turn, list(state_of(ruling).dice)) == (2, [5, 2])


def test_6_10_stored_states_carry_who_has_stayed_left_and_paid() -> None:
    rulings = Rulings()
    asked = pb.SetUpRequest(settings=THREE, position="0 0 0", turn=1, cube_log2=1, last_doubler=0)
    set_up = rulings.set_up(asked)
    assert isinstance(set_up, pb.Ruling)
    ruling = ruled(THREE, set_up, action("double", 1), action("stay", 2))
    state = state_of(ruling)
    assert (state.doubled_by, list(state.stayed), state.last_doubler) == (1, [2], 0)
    assert list(ruling.summary.seats_to_act) == [0]
    ruling = ruled(THREE, ruling, action("leave", 0))
    assert ruling.facts[0].seat_left == fact_pb2.SeatLeft(seat=0, paid=play_pb2.Points(numerator=2))
    state = state_of(ruling)
    assert (state.cube_log2, state.last_doubler, list(state.left), state.HasField("doubled_by")) == (2, 1, [0], False)
    assert [paid.numerator for paid in state.paid] == [2, 0, 0]
    ruling = ruled(THREE, ruling, action("leave", 1))
    assert [own.numerator for own in ruling.summary.score] == [-2, -4, 6]


def test_6_10_the_last_doubler_is_of_more_than_two_and_an_owner_of_two() -> None:
    for change in ({"cube_owner": 0}, {"last_doubler": 3}):
        asked = pb.SetUpRequest(settings=THREE, position="0 0 0", cube_log2=1, **change)  # type: ignore[arg-type]
        refused = Rulings().set_up(asked)
        assert isinstance(refused, Misunderstood)
        assert [fault.field for fault in refused.faults] == ["cube_log2"]


def test_7_6_the_mixed_match_is_set_up_in_its_first_game_and_its_choice_is_stored() -> None:
    one_each = "1:1,off:14 1:1,off:14"
    ruling = Rulings().set_up(pb.SetUpRequest(settings=GAMMON, position=one_each))
    assert isinstance(ruling, pb.Ruling)
    assert ruling.summary.playing == settings_pb2.GAME_BACKGAMMON
    play = action_pb2.Action(seat=0, play=action_pb2.MakePlay(text="1/off"))
    ruling = ruled(GAMMON, ruling, action("roll", 0, [2, 1]), play)
    assert (ruling.summary.phase, list(ruling.summary.seats_to_act)) == (state_pb2.PHASE_CHOOSING, [0])
    choose = action_pb2.Action(seat=0, choose=action_pb2.ChooseGame(game=settings_pb2.GAME_RUNGAMMON))
    ruling = ruled(GAMMON, ruling, choose)
    assert ruling.summary.playing == settings_pb2.GAME_RUNGAMMON
    assert list(state_of(ruling).chosen) == [settings_pb2.GAME_CATCHGAMMON]


def test_1_11_8_5_agreements_and_rulings_are_served() -> None:
    ruling = ruled(THREE, begun(THREE), action("roll", 0, [6, 1, 2]), action("roll", None, [2, 1]))
    ruling = ruled(THREE, ruling, action("no_result", 0), action("accept", 2))
    assert list(state_of(ruling).offer.accepted) == [2]
    assert list(ruling.summary.seats_to_act) == [1]
    withdrawn = ruled(THREE, ruling, action("withdraw", 0))
    assert withdrawn.facts[0].offer_closed.withdrawn
    agreed = ruled(THREE, ruling, action("accept", 1))
    assert (agreed.summary.game_number, agreed.summary.phase) == (2, state_pb2.PHASE_OPENING)
    voided = ruled(THREE, withdrawn, action("void_game"))
    assert voided.summary.game_number == 1
    score = [
        play_pb2.Points(numerator=1, denominator=2),
        play_pb2.Points(numerator=-1, denominator=2),
        play_pb2.Points(),
    ]
    told = ruled(THREE, voided, action_pb2.Action(set_score=action_pb2.SetScore(score=score)))
    assert [(own.numerator, own.denominator) for own in told.summary.score] == [(1, 2), (-1, 2), (0, 0)]


def test_what_does_not_fit_the_number_of_players_is_a_violation() -> None:
    ruling = ruled(THREE, begun(THREE), action("roll", 0, [6, 1, 2]), action("roll", None, [2, 1]))
    for kind, rule in (("take", "6.2"), ("resign", "8.1"), ("choose", "7.6")):
        asked = action(kind, 0)
        if kind == "choose":
            asked.choose.game = settings_pb2.GAME_RUNGAMMON
        question = pb.Question(rules_version=RULES_VERSION, settings=THREE, state=ruling.state, action=asked)
        refused = Rulings().rule(question)
        assert isinstance(refused, Violation)
        assert refused.rule == rule


def test_7_6_the_mixed_match_is_listed_and_is_no_board() -> None:
    listed = {described.game: described for described in games()}
    mixed = listed[settings_pb2.GAME_GAMMON]
    assert (mixed.min_seats, mixed.max_seats) == (2, 2)
    assert "runner_release" in mixed.options
    assert not [option for option in mixed.options if option.startswith("session")]
    refused = board_settings(settings_pb2.Settings(game=settings_pb2.GAME_GAMMON, seats=2))
    assert isinstance(refused, tuple)
    assert [fault.field for fault in refused] == ["game"]
