"""A director's rulings in the audit: each has its reason before it, and nothing else poses as one."""

from fractions import Fraction

import pytest
from tests.audit.recorder import OPERATOR, Recorder, directed, money, seat_actor
from tests.audit.test_recorder import assert_lawful, checks, law_fault

from gammon.match.v1 import events_pb2
from gammon_audit.record import MatchRecord
from gammon_audit.replay import Turn, replay
from gammon_audit.report import Verdict
from gammon_engine.referee import actions as acts

WORD = directed(events_pb2.DIRECTOR_REASON_PENALTY)
CLOSED = events_pb2.Envelope(match_closed=events_pb2.MatchClosed(reason=events_pb2.CLOSE_REASON_OPERATOR))


def played() -> Recorder:
    """A session in which seat 0 has rolled."""
    recorder = Recorder(money(), faces=(3, 1))
    recorder.throw(0)
    return recorder


def voided(recorder: Recorder) -> list[events_pb2.Envelope]:
    """The facts of voiding the game, which is voided."""
    return recorder.ruled(acts.VoidGame())


def test_a_match_closed_as_it_stands_passes() -> None:
    assert_lawful(played().close())
    assert_lawful(Recorder(money()).close())


def test_rulings_are_told_with_their_reason() -> None:
    recorder = played()
    recorder.do(OPERATOR, acts.SetScore((Fraction(1), Fraction(-1))))
    turns = [turn.what for turn in replay(recorder.close()) if isinstance(turn, Turn)]
    assert turns[-2:] == [
        "the director rules to put right what was wrong; the score is set to 1 : -1",
        "the director rules because a player is absent; the match is closed",
    ]


@pytest.mark.parametrize(
    ("before", "fault"),
    [
        ([], "a ruling has no reason"),
        ([WORD, WORD], "a director rules in the middle of something else"),
        ([directed(events_pb2.DIRECTOR_REASON_UNSPECIFIED)], "a director ruled for the unknown reason 0"),
        ([directed(9)], "a director ruled for the unknown reason 9"),  # type: ignore[arg-type]
    ],
)
def test_a_ruling_has_one_reason(before: list[events_pb2.Envelope], fault: str) -> None:
    recorder = played()
    events = [events_pb2.Envelope.FromString(each.SerializeToString()) for each in before]
    recorder.batch(OPERATOR, [*events, *voided(recorder)])
    assert law_fault(recorder.record())[1] == fault


def test_one_reason_is_for_one_ruling() -> None:
    recorder = played()
    once = voided(recorder)
    recorder.batch(OPERATOR, [directed(events_pb2.DIRECTOR_REASON_REQUEST), *once, *voided(recorder)])
    assert law_fault(recorder.record())[1] == "a ruling has no reason"


def test_a_director_says_a_reason_for_something() -> None:
    recorder = played()
    recorder.batch(OPERATOR, [directed(events_pb2.DIRECTOR_REASON_REQUEST)])
    assert law_fault(recorder.record())[1] == "the batch ends, and a director ruled, and nothing came of it"


@pytest.mark.parametrize("actor", [seat_actor(0), events_pb2.Actor(system=events_pb2.SystemActor())])
def test_nobody_else_rules_as_a_director(actor: events_pb2.Actor) -> None:
    recorder = played()
    recorder.batch(actor, [directed(events_pb2.DIRECTOR_REASON_REQUEST), *voided(recorder)])
    assert "only an operator directs a match" in law_fault(recorder.record())[1]


def test_a_director_makes_no_plays() -> None:
    recorder = played()
    play = recorder.ruled(acts.MakePlay(0, "8/5 6/5"))
    recorder.batch(OPERATOR, [directed(events_pb2.DIRECTOR_REASON_REQUEST), *play])
    assert law_fault(recorder.record())[1] == "an operator acts for a seat"


def closed(recorder: Recorder, actor: events_pb2.Actor, *before: events_pb2.Envelope) -> MatchRecord:
    """The match closed as by an operator."""
    recorder.status = events_pb2.MATCH_STATUS_CLOSED
    recorder.batch(actor, [*before, events_pb2.Envelope.FromString(CLOSED.SerializeToString())])
    return recorder.record()


def test_closing_has_a_reason_and_an_operator() -> None:
    assert law_fault(closed(played(), OPERATOR))[1] == "a director's closing has a reason, and no other has"
    found = checks(closed(played(), seat_actor(0), directed(events_pb2.DIRECTOR_REASON_REQUEST)))
    assert {found[name].verdict for name in ("envelopes", "law")} == {Verdict.FAIL}


def test_a_match_played_elsewhere_has_no_director() -> None:
    recorder = Recorder(money(), imported=True)
    assert "one that is played here" in law_fault(recorder.close())[1]
