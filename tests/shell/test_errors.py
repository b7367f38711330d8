"""Rejections as google.rpc.Status and back."""

from dataclasses import replace
from typing import Any

import grpc
import pytest
from google.rpc import error_details_pb2
from tests.shell.conftest import Opened
from tests.shell.echo import Echo, Keyless, policy

from gammon_shell.errors import FieldFault, Rejected, Rejection, malformed, read_error, to_status

FULL = Rejection(
    grpc.StatusCode.ABORTED,
    "CONFLICT",
    "somebody else was first: 17",
    {"sequence": "17"},
    (FieldFault("a.b", "17: too late (rule 3)"), FieldFault("c", "missing")),
)


def test_a_status_has_one_error_info_and_the_fields() -> None:
    status = to_status(FULL, "echo.test")
    assert (status.code, status.message) == (10, "somebody else was first: 17")
    info, bad = error_details_pb2.ErrorInfo(), error_details_pb2.BadRequest()
    assert [detail.TypeName() for detail in status.details] == ["google.rpc.ErrorInfo", "google.rpc.BadRequest"]
    status.details[0].Unpack(info)
    status.details[1].Unpack(bad)
    assert (info.reason, info.domain, dict(info.metadata)) == ("CONFLICT", "echo.test", {"sequence": "17"})
    assert [(v.field, v.description) for v in bad.field_violations] == [
        ("a.b", "17: too late (rule 3)"),
        ("c", "missing"),
    ]


def test_without_field_faults_there_is_no_bad_request() -> None:
    status = to_status(Rejection(grpc.StatusCode.NOT_FOUND, "NONE", "none"), "echo.test")
    assert [detail.TypeName() for detail in status.details] == ["google.rpc.ErrorInfo"]


def test_malformed_names_all_fields() -> None:
    rejection = malformed((FieldFault("a", "missing"), FieldFault("b", "9: at most 4 (rule 5.1)")))
    assert (rejection.code, rejection.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "MALFORMED")
    assert rejection.message == "malformed: a, b"
    assert len(rejection.fields) == 2


def test_the_exception_says_what_was_rejected() -> None:
    assert str(Rejected(FULL)) == "ABORTED CONFLICT: somebody else was first: 17"


class Raising(Keyless):
    """Takes everybody for a stranger, at length."""

    def __init__(self, rejection: Rejection) -> None:
        self.rejection = rejection

    def principal(self, authorization: str | None) -> object:
        raise Rejected(self.rejection)


@pytest.mark.parametrize("letter", ["x", "é", "😀", "\ud800"])
async def test_any_status_arrives(opened: Opened, echo: Echo, letter: str) -> None:
    """A status too large for the headers would arrive as another error, or not at all."""
    rejection = Rejection(
        grpc.StatusCode.INVALID_ARGUMENT,
        "MALFORMED",
        letter * 5000,
        {f"key{i}": letter * 5000 for i in range(8)},
        tuple(FieldFault(f"field{i}" + letter * 500, letter * 5000) for i in range(300)),
    )
    own = replace(policy(echo.key), principals=Raising(rejection))  # type: ignore[arg-type]
    async with opened(own) as client:
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await client.say()
    told = read_error(caught.value)
    assert (told.code, told.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "MALFORMED")
    assert set(told.metadata) == set(rejection.metadata)
    *named, last = told.fields
    assert named
    assert all(fault.field.startswith("field") for fault in named)
    assert last == FieldFault("", f"and {300 - len(named)} more field faults")


async def test_ordinary_field_faults_all_arrive(opened: Opened, echo: Echo) -> None:
    faults = tuple(FieldFault(f"settings.option{i}", "9: at most 4 (rule 5.1)") for i in range(50))
    own = replace(policy(echo.key), principals=Raising(malformed(faults)))  # type: ignore[arg-type]
    async with opened(own) as client:
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await client.say()
    assert read_error(caught.value).fields == faults


async def test_an_error_without_details_is_read_as_far_as_it_goes() -> None:
    async with grpc.aio.insecure_channel("127.0.0.1:1") as channel:
        call: Any = channel.unary_unary("/a.B/C")
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await call(b"", timeout=2)
    told = read_error(caught.value)
    assert told.code is grpc.StatusCode.UNAVAILABLE
    assert (told.reason, told.domain, told.metadata, told.fields) == ("", "", {}, ())
    assert told.message


def test_unreadable_details_are_no_fault_of_the_reader() -> None:
    for details in (b"\xff\xff\xff", b""):
        trailers = grpc.aio.Metadata(("grpc-status-details-bin", details))
        error = grpc.aio.AioRpcError(grpc.StatusCode.UNKNOWN, grpc.aio.Metadata(), trailers, details="odd")
        assert read_error(error) == Rejection(grpc.StatusCode.UNKNOWN, "", "odd")
