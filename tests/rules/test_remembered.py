"""What is remembered changes no answer and stays in its bounds."""

import pytest
from tests.wire.walks import SETTINGS, walk

from gammon.rules.v1 import rules_service_pb2 as pb
from gammon.rules.v1.action_pb2 import Action, Beaver, MakePlay, OfferDouble, Roll
from gammon_engine.violation import Violation
from gammon_rules.app.misunderstood import Misunderstood
from gammon_rules.app.remembered import Remembered
from gammon_rules.app.rulings import MOST_KEY_BYTES, Rulings
from gammon_wire.actions import action_to_proto
from gammon_wire.settings import settings_to_proto
from gammon_wire.state import state_to_bytes


def test_what_was_not_asked_for_the_longest_is_forgotten() -> None:
    kept: Remembered[str, int] = Remembered(2)
    kept.keep("a", 1)
    kept.keep("b", 2)
    assert kept.get("a") == 1
    kept.keep("c", 3)
    assert (kept.get("a"), kept.get("b"), kept.get("c")) == (1, None, 3)
    assert len(kept) == 2


def test_none_is_kept_where_none_may_be() -> None:
    kept: Remembered[str, int] = Remembered(0)
    kept.keep("a", 1)
    assert kept.get("a") is None


def test_a_service_that_remembers_rules_as_one_that_does_not() -> None:
    with_memory, small, without = Rulings(), Rulings(3), Rulings(0)
    for settings in SETTINGS:
        message = settings_to_proto(settings)
        for acted in walk(settings, 3):
            question = pb.Question(
                rules_version="1",
                settings=message,
                state=state_to_bytes(settings, acted.before),
                action=action_to_proto(acted.action),
            )
            ruling = without.rule(question)
            assert not isinstance(ruling, Violation | Misunderstood)
            assert ruling.state == state_to_bytes(settings, acted.after)
            assert with_memory.rule(question) == small.rule(question) == ruling


def test_one_state_under_two_settings_is_judged_by_each() -> None:
    """Beavers were agreed in one session and not in the other; the state's bytes are the same."""
    rulings = Rulings()
    agreed, not_agreed = settings_to_proto(SETTINGS[2]), settings_to_proto(SETTINGS[2])
    not_agreed.session.beavers = not_agreed.session.raccoons = False
    begun = rulings.begin(agreed)
    assert isinstance(begun, pb.Ruling)
    state = begun.state
    for action in (
        Action(seat=0, roll=Roll(dice=[2, 1])),
        Action(seat=0, play=MakePlay(text="24/22 22/21")),
        Action(seat=1, double=OfferDouble()),
        Action(seat=0, beaver=Beaver()),
    ):
        question = pb.Question(rules_version="1", settings=agreed, state=state, action=action)
        answer = rulings.rule(question)
        assert isinstance(answer, pb.Ruling), answer
        state_before, state = state, answer.state
    question.settings.CopyFrom(not_agreed)
    question.state = state_before
    refused = rulings.rule(question)
    assert isinstance(refused, Violation)
    assert refused.rule == "6.6"


def test_long_keys_are_not_kept() -> None:
    """Unknown fields of a message travel in its bytes, and a caller could fill the memory with them."""
    rulings = Rulings()
    padded = settings_to_proto(SETTINGS[0])
    # Field 1000, length-delimited: the key 8002, as a varint c2 3e, then the length.
    padded.MergeFromString(b"\xc2\x3e\x80\x20" + b"x" * MOST_KEY_BYTES)
    begun = rulings.begin(padded)
    assert isinstance(begun, pb.Ruling)
    question = pb.Question(rules_version="1", settings=padded, state=begun.state)
    question.action.seat = 0
    question.action.roll.dice.extend((3, 1))
    assert isinstance(rulings.rule(question), pb.Ruling)
    assert len(rulings._settings) == len(rulings._states) == 0


def test_a_state_that_was_given_is_not_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """The hot path: a match goes on from the state of its last ruling."""
    settings = SETTINGS[0]
    message, acts = settings_to_proto(settings), walk(settings, 1)
    rulings = Rulings()
    assert isinstance(rulings.begin(message), pb.Ruling)

    def read_again(*_: object) -> None:
        raise AssertionError("the state was remembered, and is read again")

    monkeypatch.setattr("gammon_rules.app.rulings.state_from_bytes", read_again)
    for acted in acts:
        stored = state_to_bytes(settings, acted.before)
        question = pb.Question(rules_version="1", settings=message, state=stored, action=action_to_proto(acted.action))
        assert isinstance(rulings.rule(question), pb.Ruling)
