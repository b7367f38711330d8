"""Steps, violations and outcomes."""

from collections.abc import Iterable
from typing import assert_never

from gammon.rules.v1 import play_pb2 as pb
from gammon_engine.outcome import Finished, Outcome, Remi, Win
from gammon_engine.play import Play, Step
from gammon_engine.violation import Fault, Violation


def steps_to_proto(play: Play) -> list[pb.Step]:
    """The steps of a play."""
    return [
        pb.Step(number=step.number, origin=step.origin, target=step.target, disc=step.piece, hit=step.hit)
        for step in play
    ]


def steps_from_proto(steps: Iterable[pb.Step]) -> Play:
    """A play of the steps."""
    return tuple(Step(step.number, step.origin, step.target, step.hit, step.disc) for step in steps)


def violation_to_proto(violation: Violation) -> pb.Violation:
    """The contract's violation."""
    return pb.Violation(rule=violation.rule, reason=violation.reason, field=violation.field, value=violation.value)


def violation_from_proto(message: pb.Violation) -> Violation:
    """The engine's violation."""
    return Violation(message.rule, message.reason, message.field, message.value)


def fault_to_proto(fault: Fault) -> pb.Violation:
    """The contract has one form for a broken rule and for a faulty field."""
    return pb.Violation(rule=fault.rule, reason=fault.reason, field=fault.field, value=fault.value)


def outcome_to_proto(outcome: Outcome) -> pb.Outcome:
    """The contract's outcome."""
    match outcome:
        case Win(seat, level):
            return pb.Outcome(winners=[seat], level=level)
        case Remi():
            return pb.Outcome()
        case Finished(seat):
            return pb.Outcome(finished=seat)
        case _:
            assert_never(outcome)
