"""Every reason of the contracts is an exception of its own, and nothing that is one is no reason."""

import grpc
import pytest
from grpc_status import rpc_status

from gammon.match.v1 import error_reason_pb2 as match_reasons
from gammon.rating.v1 import error_reason_pb2 as rating_reasons
from gammon.rules.v1 import error_reason_pb2 as rules_reasons
from gammon_client import errors
from gammon_client.errors import BY_REASON, ConnectionLost, LedgerError, Unavailable, error_of
from gammon_shell.errors import FieldFault, Rejection, to_status

PREFIX = "ERROR_REASON_"


def _contract_reasons() -> set[str]:
    names = {
        name
        for enum in (match_reasons.ErrorReason, rules_reasons.ErrorReason, rating_reasons.ErrorReason)
        for name in enum.keys()  # noqa: SIM118 - an enum wrapper is not iterable
    }
    return {name.removeprefix(PREFIX) for name in names} - {"UNSPECIFIED"}


def _failed(code: grpc.StatusCode, reason: str, **metadata: str) -> grpc.aio.AioRpcError:
    """A call that failed with a status as a service sends it; without a reason as gRPC itself makes it."""
    if not reason:
        return grpc.aio.AioRpcError(code, grpc.aio.Metadata(), grpc.aio.Metadata(), "Socket closed")
    rejection = Rejection(code, reason, "as it is", metadata, (FieldFault("seat", "is required"),))
    status = rpc_status.to_status(to_status(rejection, "match.gammon"))
    trailing = grpc.aio.Metadata(*((key, value) for key, value in status.trailing_metadata))
    return grpc.aio.AioRpcError(code, grpc.aio.Metadata(), trailing, status.details)


def test_the_table_has_every_reason_of_the_contracts_and_no_other() -> None:
    assert set(BY_REASON) == _contract_reasons()


def test_every_class_is_in_the_table_once() -> None:
    classes = {
        thing
        for thing in vars(errors).values()
        if isinstance(thing, type) and issubclass(thing, LedgerError) and thing not in (LedgerError, Unavailable)
    }
    assert len(set(BY_REASON.values())) == len(BY_REASON)
    assert classes - {ConnectionLost} == set(BY_REASON.values())


def test_what_the_same_request_settles_is_unavailable() -> None:
    settled = {reason for reason, kind in BY_REASON.items() if issubclass(kind, Unavailable)}
    assert settled == {
        "NOT_WRITTEN",
        "NOT_CONFIRMED",
        "OUTCOME_UNKNOWN",
        "RULES_UNAVAILABLE",
        "STORE_UNAVAILABLE",
        "TIMED_ELSEWHERE",
        "DEADLINE_EXCEEDED",
        "TOO_SLOW",
    }


def test_an_error_carries_what_the_service_said() -> None:
    error = error_of(_failed(grpc.StatusCode.ABORTED, "CONFLICT", sequence="7", hash="ab"))

    assert type(error) is errors.Conflict
    assert (error.code, error.reason, error.message) == (grpc.StatusCode.ABORTED, "CONFLICT", "as it is")
    assert error.metadata == {"sequence": "7", "hash": "ab"}
    assert error.fields == (FieldFault("seat", "is required"),)
    assert "CONFLICT" in str(error)


@pytest.mark.parametrize("code", ["UNAVAILABLE", "DEADLINE_EXCEEDED", "CANCELLED"])
def test_a_call_without_an_answer_is_a_lost_connection(code: str) -> None:
    assert type(error_of(_failed(grpc.StatusCode[code], ""))) is ConnectionLost


def test_an_answer_that_was_lost_in_the_middle_of_sending_is_a_lost_connection_and_a_fault_is_none() -> None:
    nothing, lost = grpc.aio.Metadata(), 'Internal error from Core Failed "execute_batch": (SendMessageOperation,)'
    failed = grpc.aio.AioRpcError(grpc.StatusCode.INTERNAL, nothing, nothing, lost)
    assert type(error_of(failed)) is ConnectionLost
    assert type(error_of(_failed(grpc.StatusCode.INTERNAL, "INTERNAL"))) is errors.InternalFault
    assert type(error_of(_failed(grpc.StatusCode.INTERNAL, ""))) is LedgerError


def test_an_unknown_reason_is_the_base() -> None:
    error = error_of(_failed(grpc.StatusCode.FAILED_PRECONDITION, "SOMETHING_NEWER"))
    assert type(error) is LedgerError
    assert error.reason == "SOMETHING_NEWER"


def test_a_refusal_of_grpc_itself_is_no_lost_connection() -> None:
    assert type(error_of(_failed(grpc.StatusCode.UNIMPLEMENTED, ""))) is LedgerError
