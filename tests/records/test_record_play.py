"""Illegal plays of a record over the wire, and where they may not come from."""

from tests.audit.recordings import envelope, find, rechained, recording, with_envelope

from gammon.match.v1 import match_service_pb2
from gammon.rules.v1 import action_pb2, fact_pb2
from gammon_audit.audit import audit
from gammon_engine.play import Step
from gammon_engine.referee import actions as act
from gammon_engine.referee import facts
from gammon_engine.referee.state import Phase
from gammon_engine.violation import Violation
from gammon_match.service.requests import check_act
from gammon_wire.actions import action_from_proto, action_to_proto
from gammon_wire.facts import fact_to_proto

START = "24:2,13:5,8:3,6:5 24:2,13:5,8:3,6:5"
# Seat 0 has played a 6 and a 5 as two checkers of 13 to 2 and to 8.
WRONG = "24:2,13:3,8:4,6:5,2:1 24:2,13:5,8:3,6:5"


def test_action_and_fact_come_back_over_the_wire() -> None:
    action = act.RecordPlay(1, (Step(2, 6, 8), Step(6, 14, 8, hit=True)), WRONG)
    sent = action_pb2.Action.FromString(action_to_proto(action).SerializeToString())
    assert action_from_proto(sent, Phase.TO_PLAY) == action
    empty = act.RecordPlay(0, (), WRONG)
    assert action_from_proto(action_to_proto(empty), Phase.TO_PLAY) == empty
    fact = facts.IllegalPlayRecorded(0, action.play, WRONG, Violation("1.3", "why", "play[0]", "6/8"))
    told = fact_pb2.Fact.FromString(fact_to_proto(fact).SerializeToString()).illegal_play_recorded
    assert [(s.number, s.origin, s.target, s.hit) for s in told.steps] == [(2, 6, 8, False), (6, 14, 8, True)]
    assert (told.position, told.violation.rule, told.violation.reason) == (WRONG, "1.3", "why")


def test_a_client_cannot_act_it() -> None:
    request = match_service_pb2.ActRequest(
        match_id="m_000_" + "A" * 26,
        seat=0,
        request_id="one",
        seen_sequence=4,
        action=action_to_proto(act.RecordPlay(0, (), WRONG)),
    )
    assert [fault.field for fault in check_act(request).malformed] == ["action.kind"]


def test_the_auditor_takes_it_in_no_match_that_was_played_here() -> None:
    record = recording(1)
    sequence = find(record, "play_made")
    forged = envelope(record, sequence)
    steps = list(forged.fact.play_made.steps)
    seat = forged.fact.play_made.seat
    forged.fact.illegal_play_recorded.seat = seat
    forged.fact.illegal_play_recorded.steps.extend(steps)
    forged.fact.illegal_play_recorded.position = START
    report = audit(rechained(with_envelope(record, sequence, forged)))
    (law,) = [check for check in report.checks if check.name == "law"]
    assert (law.verdict.value, law.sequence) == ("FAIL", sequence)
    assert "played elsewhere" in law.detail
