"""What the engine says comes back from the wire as it was."""

from fractions import Fraction
from typing import get_args

import pytest
from tests.engine.race import quick_games
from tests.wire.samples import ACTIONS, FACTS
from tests.wire.walks import OTHERS, SETTINGS, walk

from gammon.rules.v1 import action_pb2, fact_pb2, play_pb2, rules_service_pb2, settings_pb2, state_pb2
from gammon_engine.referee import actions as act
from gammon_engine.referee import begin, rule, summary
from gammon_engine.referee.facts import Fact, GameEnded, PlayEnded, SettlementOffered
from gammon_engine.referee.ruling import Ruling
from gammon_engine.referee.state import Ended, NoResult, Phase
from gammon_engine.settings import GameId, Settings
from gammon_engine.violation import Fault
from gammon_wire import words
from gammon_wire.actions import action_from_proto, action_to_proto
from gammon_wire.facts import fact_from_proto, fact_to_proto
from gammon_wire.points import points_from_proto
from gammon_wire.state import state_from_bytes, state_to_bytes
from gammon_wire.summary import summary_to_proto

__all__ = ["quick_games"]
SEEDS = 25


@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize("seed", range(SEEDS))
def test_states_actions_and_facts_of_random_play_come_back(settings: Settings, seed: int) -> None:
    for acted in walk(settings, seed):
        stored = state_to_bytes(settings, acted.after)
        read = state_from_bytes(settings, stored)
        assert read == acted.after
        assert state_to_bytes(settings, acted.after) == stored
        assert action_from_proto(_sent(action_to_proto(acted.action)), acted.before.phase) == acted.action
        for fact in acted.facts:
            assert fact_from_proto(_told(fact_to_proto(fact))) == fact


@pytest.mark.usefixtures("quick_games")
@pytest.mark.parametrize("settings", OTHERS)
@pytest.mark.parametrize("seed", range(SEEDS))
def test_states_actions_and_facts_of_more_players_and_of_mixed_matches_come_back(settings: Settings, seed: int) -> None:
    test_states_actions_and_facts_of_random_play_come_back(settings, seed)


@pytest.mark.usefixtures("quick_games")
def test_random_play_reaches_what_three_or_four_players_and_mixed_matches_have() -> None:
    """Else the test above would show less than it says."""
    states = [acted.after for settings in OTHERS for seed in range(SEEDS) for acted in walk(settings, seed)]
    assert any(state.phase is Phase.CHOOSING for state in states)
    assert {state.playing for state in states if state.chosen} == {GameId.CATCHGAMMON, GameId.RUNGAMMON}
    for parts in ("stayed", "finished", "contenders"):
        assert any(getattr(state, parts) for state in states), parts
    assert any(any(state.paid) and state.phase is Phase.DOUBLED for state in states)
    assert any(isinstance(state.offer, NoResult) and state.offer.agreed for state in states)
    assert {own.denominator for state in states for own in state.score} >= {1, 2, 3}


def test_random_play_reaches_every_phase_that_two_players_have() -> None:
    """Else the test above would show less than it says."""
    reached = {
        acted.after.phase if acted.after.offer is None else (acted.after.phase, acted.after.offer.back)
        for settings in SETTINGS
        for seed in range(SEEDS)
        for acted in walk(settings, seed)
    }
    plain = set(Phase) - {Phase.CHOOSING, Phase.RESIGNING, Phase.SETTLING}
    backs = (Phase.OPENING, Phase.TO_ROLL, Phase.TO_PLAY)
    assert reached >= plain | {(Phase.RESIGNING, back) for back in backs} | {(Phase.SETTLING, Phase.TO_ROLL)}


@pytest.mark.parametrize("action", ACTIONS, ids=repr)
def test_an_action_of_each_kind_comes_back(action: act.Action) -> None:
    phase = Phase.OPENING if isinstance(action, act.Open) else Phase.TO_ROLL
    assert action_from_proto(_sent(action_to_proto(action)), phase) == action


@pytest.mark.parametrize("fact", FACTS, ids=repr)
def test_a_fact_of_each_kind_comes_back(fact: Fact) -> None:
    assert fact_from_proto(_told(fact_to_proto(fact))) == fact


def test_every_action_of_engine_and_contract_has_its_partner() -> None:
    assert {type(action) for action in ACTIONS} == set(get_args(act.Action))
    said = {action_to_proto(action).WhichOneof("kind") for action in ACTIONS}
    assert {field.name for field in action_pb2.Action.DESCRIPTOR.oneofs_by_name["kind"].fields} == said


def test_every_fact_of_engine_and_contract_has_its_partner() -> None:
    assert {type(fact) for fact in FACTS} == set(get_args(Fact))
    stated = {fact_to_proto(fact).WhichOneof("kind") for fact in FACTS}
    assert {field.name for field in fact_pb2.Fact.DESCRIPTOR.oneofs_by_name["kind"].fields} == stated


def test_all_that_is_wrong_with_an_action_comes_at_once() -> None:
    nothing = action_pb2.Action()
    assert {fault.field for fault in _faults(nothing)} == {"action.seat", "action.kind"}
    play = action_pb2.Action(play=action_pb2.MakePlay())
    assert {fault.field for fault in _faults(play)} == {"action.seat", "action.play"}
    choice = action_pb2.Action(seat=0, choose=action_pb2.ChooseGame(game=99))  # type: ignore[arg-type]
    assert {fault.field for fault in _faults(choice)} == {"action.choose.game"}
    forfeit = action_pb2.Action(seat=0, forfeit=action_pb2.Forfeit())
    assert {fault.field for fault in _faults(forfeit)} == {"action.forfeit.scope"}
    throw = action_pb2.Action(seat=0, roll=action_pb2.Roll(dice=[3] * 101))
    assert {fault.field for fault in _faults(throw)} == {"action.roll.dice"}
    fifths = action_pb2.SetScore(score=[play_pb2.Points(numerator=1, denominator=5)])
    assert {fault.field for fault in _faults(action_pb2.Action(set_score=fifths))} == {"action.set_score.score"}
    huge = action_pb2.SetScore(score=[play_pb2.Points(numerator=1 << 62)])
    assert {fault.field for fault in _faults(action_pb2.Action(set_score=huge))} == {"action.set_score.score"}


@pytest.mark.parametrize(
    ("message", "field"),
    [
        (fact_pb2.Fact(), "fact.kind"),
        (fact_pb2.Fact(rolled=fact_pb2.Rolled(dice=[1])), "fact.rolled.dice"),
        (fact_pb2.Fact(game_opened=fact_pb2.GameOpened()), "fact.game_opened.game"),
        (fact_pb2.Fact(offer_made=fact_pb2.OfferMade()), "fact.offer_made.offer"),
        (fact_pb2.Fact(game_chosen=fact_pb2.GameChosen()), "fact.game_chosen.game"),
        (
            fact_pb2.Fact(offer_closed=fact_pb2.OfferClosed(withdrawn=True, accepted=True)),
            "fact.offer_closed.withdrawn",
        ),
        (fact_pb2.Fact(forfeited=fact_pb2.Forfeited()), "fact.forfeited.forfeit.scope"),
        (
            fact_pb2.Fact(game_ended=fact_pb2.GameEnded(game=settings_pb2.GAME_BACKGAMMON)),
            "fact.game_ended.end",
        ),
        (
            fact_pb2.Fact(game_ended=fact_pb2.GameEnded(end=fact_pb2.GAME_END_DROPPED)),
            "fact.game_ended.game",
        ),
        (
            fact_pb2.Fact(game_ended=fact_pb2.GameEnded()),
            "fact.game_ended.end",
        ),
    ],
    ids=lambda value: " ".join(str(value).split()),
)
def test_what_is_no_fact_is_refused_by_field(message: fact_pb2.Fact, field: str) -> None:
    fault = fact_from_proto(message)
    assert not isinstance(fault, get_args(Fact))
    assert fault.field == field  # type: ignore[union-attr]


def test_a_remi_is_told_apart_from_a_game_that_was_won() -> None:
    ends = {fact_to_proto(fact).game_ended.end for fact in FACTS if isinstance(fact, GameEnded) and not fact.winners}
    assert ends == {fact_pb2.GAME_END_REMI, fact_pb2.GAME_END_AGREED, fact_pb2.GAME_END_VOIDED}


def test_points_that_the_contract_cannot_carry_are_never_rounded() -> None:
    half = Fraction(1, 2)
    with pytest.raises(ValueError, match="1/2 points are not whole"):
        action_to_proto(act.Settle(0, half, 1))
    with pytest.raises(ValueError, match="1/2 points are not whole"):
        fact_to_proto(SettlementOffered(0, half, 1))
    with pytest.raises(ValueError, match="out of range"):
        fact_to_proto(PlayEnded(Ended.SESSION, (), (Fraction(1 << 63), Fraction(-(1 << 63)))))


def test_a_summary_tells_what_the_engine_does() -> None:
    for settings in SETTINGS:
        for acted in walk(settings, 1):
            told, message = summary(acted.after), summary_to_proto(acted.after)
            assert message.phase == words.PHASES[told.phase]
            assert tuple(message.seats_to_act) == told.seats_to_act
            assert points_from_proto(message.score) == told.score
            assert message.game_number == told.game_number
            assert message.HasField("draw") == (told.draw is not None)
            if told.draw is not None:
                draw = (message.draw.count, tuple(message.draw.seats), message.draw.at_once)
                assert draw == (told.draw.count, told.draw.seats, told.draw.at_once)
                assert message.draw.purpose == words.PURPOSES[told.draw.purpose]
            assert message.HasField("result") == (told.over is not None)
            if told.over is not None:
                assert tuple(message.result.winners) == told.over.winners


def test_a_stored_state_reads_as_the_contract_says() -> None:
    """Written by hand from state.proto and rules 1.7 and 9.1."""
    settings = SETTINGS[0]
    opened = rule(settings, begin(settings), act.Open((2, 5)))
    assert isinstance(opened, Ruling)
    assert state_pb2.State.FromString(state_to_bytes(settings, opened.state)) == state_pb2.State(
        phase=state_pb2.PHASE_TO_PLAY,
        game_number=1,
        playing=settings_pb2.GAME_BACKGAMMON,
        position="24:2,13:5,8:3,6:5 24:2,13:5,8:3,6:5",
        turn=1,
        starter=1,
        dice=[5, 2],
        score=[{}, {}],  # type: ignore[list-item]
        crawford=state_pb2.CRAWFORD_PENDING,
        rolls=[0, 1],
    )


def _sent(message: action_pb2.Action) -> action_pb2.Action:
    question = rules_service_pb2.Question(action=message)
    return rules_service_pb2.Question.FromString(question.SerializeToString()).action


def _told(message: fact_pb2.Fact) -> fact_pb2.Fact:
    return fact_pb2.Fact.FromString(message.SerializeToString())


def _faults(message: action_pb2.Action) -> tuple[Fault, ...]:
    read = action_from_proto(message, Phase.TO_ROLL)
    assert isinstance(read, tuple), read
    return read
