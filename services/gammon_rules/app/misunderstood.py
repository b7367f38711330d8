"""A question that gets no ruling, and why."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum

from gammon.rules.v1 import settings_pb2
from gammon_engine.violation import Fault
from gammon_wire.settings import is_unsupported


class Reason(Enum):
    """Reasons of the contract, as in its ErrorReason without the prefix."""

    MALFORMED = "MALFORMED"
    UNKNOWN_RULES_VERSION = "UNKNOWN_RULES_VERSION"
    UNSUPPORTED = "UNSUPPORTED"


@dataclass(frozen=True, slots=True)
class Misunderstood:
    """The reason, and all that is wrong with which field."""

    reason: Reason
    faults: tuple[Fault, ...]


def malformed(faults: Iterable[Fault]) -> Misunderstood:
    """Fields are missing or have values that they cannot have."""
    return Misunderstood(Reason.MALFORMED, tuple(faults))


def unsupported(faults: Iterable[Fault]) -> Misunderstood:
    """Well formed, and waiting for a later version."""
    return Misunderstood(Reason.UNSUPPORTED, tuple(faults))


def wrong_settings(message: settings_pb2.Settings, faults: tuple[Fault, ...], at: str) -> Misunderstood:
    """Settings that cannot be played; `at`: what stands before their fields in the question, `settings.`."""
    reason = Reason.UNSUPPORTED if is_unsupported(message, faults) else Reason.MALFORMED
    return within(Misunderstood(reason, faults), at)


def within(wrong: Misunderstood, at: str) -> Misunderstood:
    """The same, of a part of a larger message: `at` stands before each field."""
    return replace(wrong, faults=tuple(replace(fault, field=at + fault.field) for fault in wrong.faults))
