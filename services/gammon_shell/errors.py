"""Refusals that leave or reach the process: a `Rejection` and its `google.rpc.Status` form, both ways.

Each service owns the table from its own refusals to (code, reason); here are only the parts that all share.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import grpc
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.message import DecodeError
from google.rpc import error_details_pb2, status_pb2
from grpc_status import rpc_status

# The status travels in one HTTP/2 header, and peers commonly allow 8 KiB for all of them.
MOST_FIELDS = 24
MOST_CHARACTERS = 200


class RefusedToStart(Exception):
    """The process cannot start as asked; the text says what to change. `server.run` prints it and exits with 2."""


@dataclass(frozen=True, slots=True)
class FieldFault:
    """One field of a request that is missing or malformed.

    field: path as in the request, `settings.seats`. description: value and rule, in words.
    """

    field: str
    description: str


@dataclass(frozen=True, slots=True)
class Rejection:
    """Why a call was refused.

    code: gRPC status. reason: constant of the service's ErrorReason enum without its prefix.
    message: one sentence for developers. metadata: every value in the message, by name.
    fields: all field faults at once. domain: empty until sent; set when read by a client.
    """

    code: grpc.StatusCode
    reason: str
    message: str
    metadata: Mapping[str, str] = field(default_factory=dict)
    fields: tuple[FieldFault, ...] = ()
    domain: str = ""


class Rejected(Exception):
    """Raised by a handler to refuse the call; the interceptor turns it into the call's status."""

    def __init__(self, rejection: Rejection) -> None:
        super().__init__(f"{rejection.code.name} {rejection.reason}: {rejection.message}")
        self.rejection = rejection


def malformed(fields: tuple[FieldFault, ...]) -> Rejection:
    """INVALID_ARGUMENT, MALFORMED, with all the field faults."""
    named = ", ".join(fault.field for fault in fields[:MOST_FIELDS])
    return Rejection(grpc.StatusCode.INVALID_ARGUMENT, "MALFORMED", f"malformed: {named}", fields=fields)


def to_status(rejection: Rejection, domain: str) -> status_pb2.Status:
    """The status message: exactly one ErrorInfo, and a BadRequest if there are field faults.

    domain: the service's, `match.example`; a domain already in the rejection is kept. Long values are cut and
    surplus field faults counted, so that the status fits into a header.
    """
    info = error_details_pb2.ErrorInfo(
        reason=rejection.reason,
        domain=rejection.domain or domain,
        metadata={name: _cut(value) for name, value in rejection.metadata.items()},
    )
    code: int = rejection.code.value[0]
    status = status_pb2.Status(code=code, message=_cut(rejection.message))
    status.details.add().Pack(info)
    if rejection.fields:
        violations = [
            error_details_pb2.BadRequest.FieldViolation(field=_cut(f.field), description=_cut(f.description))
            for f in rejection.fields[:MOST_FIELDS]
        ]
        surplus = len(rejection.fields) - MOST_FIELDS
        if surplus > 0:
            more = error_details_pb2.BadRequest.FieldViolation(description=f"and {surplus} more field faults")
            violations.append(more)
        status.details.add().Pack(error_details_pb2.BadRequest(field_violations=violations))
    return status


def read_error(error: grpc.RpcError) -> Rejection:
    """What a failed call says. Without a readable status in it, reason, domain and metadata are empty."""
    assert isinstance(error, grpc.Call | grpc.aio.AioRpcError)
    try:
        status = rpc_status.from_call(error)  # type: ignore[arg-type]
    except (ValueError, DecodeError):
        status = None
    if status is None:
        return Rejection(error.code(), "", error.details() or "")
    info, bad = error_details_pb2.ErrorInfo(), error_details_pb2.BadRequest()
    for detail in status.details:
        _unpack(detail, info)
        _unpack(detail, bad)
    return Rejection(
        error.code(),
        info.reason,
        status.message,
        dict(info.metadata),
        tuple(FieldFault(v.field, v.description) for v in bad.field_violations),
        info.domain,
    )


def _unpack(detail: AnyMessage, into: error_details_pb2.ErrorInfo | error_details_pb2.BadRequest) -> None:
    try:
        detail.Unpack(into)
    except DecodeError:
        into.Clear()


def _cut(text: str) -> str:
    return text if len(text) <= MOST_CHARACTERS else text[: MOST_CHARACTERS - 1] + "…"
