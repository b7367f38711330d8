"""The one table from what gets no ruling to status codes and reasons (design 13)."""

from typing import assert_never

from grpc import StatusCode

from gammon_engine.settings import RULES_VERSION
from gammon_engine.violation import Fault
from gammon_rules.app.misunderstood import Misunderstood, Reason
from gammon_shell.errors import FieldFault, Rejection

DOMAIN = "rules.gammon"


def rejection(wrong: Misunderstood) -> Rejection:
    """The status of a question that cannot be answered: code, reason, every field at fault."""
    fields = tuple(map(_field, wrong.faults))
    message = "; ".join(f"{fault.field}: {fault.reason}" for fault in wrong.faults)
    match wrong.reason:
        case Reason.MALFORMED:
            return Rejection(StatusCode.INVALID_ARGUMENT, "MALFORMED", message, fields=fields)
        case Reason.UNSUPPORTED:
            return Rejection(StatusCode.FAILED_PRECONDITION, "UNSUPPORTED", message, fields=fields)
        case Reason.UNKNOWN_RULES_VERSION:
            versions = {"asked": wrong.faults[0].value, "served": RULES_VERSION}
            return Rejection(StatusCode.FAILED_PRECONDITION, "UNKNOWN_RULES_VERSION", message, versions, fields)
        case _:
            assert_never(wrong.reason)


def _field(fault: Fault) -> FieldFault:
    return FieldFault(fault.field, f"rule {fault.rule}: {fault.reason} (it is {fault.value or 'missing'})")
