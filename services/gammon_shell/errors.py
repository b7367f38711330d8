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

# The status travels in HTTP/2 trailers, in base64, and peers commonly allow 8 KiB for all of them.
MOST_BYTES_A_TEXT = 200
MOST_BYTES_OF_FIELDS = 2400


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
    named = ", ".join(fault.field for fault in fields)
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
        status.details.add().Pack(_bad_request(rejection.fields))
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


def _bad_request(fields: tuple[FieldFault, ...]) -> error_details_pb2.BadRequest:
    bad, left = error_details_pb2.BadRequest(), MOST_BYTES_OF_FIELDS
    for told, fault in enumerate(fields):
        name, description = _cut(fault.field), _cut(fault.description)
        left -= len(name.encode()) + len(description.encode())
        if left < 0:
            bad.field_violations.add(description=f"and {len(fields) - told} more field faults")
            break
        bad.field_violations.add(field=name, description=description)
    return bad


def _unpack(detail: AnyMessage, into: error_details_pb2.ErrorInfo | error_details_pb2.BadRequest) -> None:
    try:
        detail.Unpack(into)
    except DecodeError:
        into.Clear()


def _cut(text: str) -> str:
    # A lone surrogate cannot be sent, and an error about an error helps nobody.
    encoded = text.encode(errors="replace")
    if len(encoded) <= MOST_BYTES_A_TEXT:
        return encoded.decode()
    return encoded[: MOST_BYTES_A_TEXT - 3].decode(errors="ignore") + "…"
