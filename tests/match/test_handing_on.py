"""Which calls are handed on, and what is told of those that another process does not answer."""

from dataclasses import dataclass
from typing import Any

import grpc
import pytest
from grpc import StatusCode
from grpc.aio import AioRpcError, Metadata

from gammon.match.v1 import match_service_pb2 as pb
from gammon_match.core.refusals import NotYourSeat, Refusal, TimedElsewhere
from gammon_match.service.handing_on import HandingOn, handed_on
from gammon_match.service.refusal_table import DOMAIN, rejection
from gammon_shell.errors import RefusedToStart, Rejected, to_status

REQUEST = pb.PauseMatchRequest(match_id="m_003_X")


@dataclass
class Context:
    """A call as a method sees it."""

    metadata: tuple[tuple[str, str], ...] = (("authorization", "Bearer me"), ("x-other", "no"))

    def invocation_metadata(self) -> tuple[tuple[str, str], ...]:
        return self.metadata

    def time_remaining(self) -> float | None:
        return 3.0


class Elsewhere(HandingOn):
    """The other process: what it is asked, and what it answers."""

    def __init__(self, answer: pb.PauseMatchResponse | AioRpcError) -> None:
        super().__init__(lambda match_id: "there:1" if match_id == REQUEST.match_id else "", self._dialled_here)
        self.answer = answer
        self.asked: list[tuple[tuple[tuple[str, str], ...], float | None]] = []
        self.dialled: list[str] = []

    def _dialled_here(self, address: str) -> grpc.aio.Channel:
        self.dialled.append(address)
        return grpc.aio.insecure_channel(address)

    def stub(self, match_id: str, context: object) -> object:  # type: ignore[override]
        return None if super().stub(match_id, context) is None else self  # type: ignore[arg-type]

    async def PauseMatch(  # noqa: N802 - the contract's name
        self, request: pb.PauseMatchRequest, metadata: tuple[tuple[str, str], ...], timeout: float | None
    ) -> pb.PauseMatchResponse:
        assert request == REQUEST
        self.asked.append((metadata, timeout))
        if isinstance(self.answer, AioRpcError):
            raise self.answer
        return self.answer


class Service:
    """A service whose one method is refused here."""

    def __init__(self, elsewhere: HandingOn, refusal: Refusal) -> None:
        self._handing_on = elsewhere
        self._refusal = refusal

    @handed_on
    async def PauseMatch(  # noqa: N802 - the contract's name
        self, request: pb.PauseMatchRequest, context: Any
    ) -> pb.PauseMatchResponse:
        raise Rejected(rejection(self._refusal))


async def asked(elsewhere: HandingOn, refusal: Refusal, context: Any = None) -> pb.PauseMatchResponse | str:
    """The answer, or the reason of the refusal."""
    given: Any = context or Context()
    try:
        return await Service(elsewhere, refusal).PauseMatch(REQUEST, given)
    except Rejected as refused:
        return refused.rejection.reason
    finally:
        await elsewhere.close()


def failed(code: StatusCode, refusal: Refusal | None = None) -> AioRpcError:
    """How a call ends that the other process refused (or, None, never answered)."""
    trailing = Metadata()
    if refusal is not None:
        status = to_status(rejection(refusal), DOMAIN)
        trailing.add("grpc-status-details-bin", status.SerializeToString())
        return AioRpcError(code, Metadata(), trailing, details=status.message)
    return AioRpcError(code, Metadata(), trailing, details="connection refused")


async def test_a_call_is_handed_on_as_its_caller_and_answered_by_the_other() -> None:
    elsewhere = Elsewhere(pb.PauseMatchResponse())
    assert await asked(elsewhere, TimedElsewhere("another")) == pb.PauseMatchResponse()
    assert elsewhere.asked == [((("authorization", "Bearer me"), ("x-handed-on", "1")), 3.0)]
    assert elsewhere.dialled == ["there:1"]


async def test_other_refusals_stay_here() -> None:
    elsewhere = Elsewhere(pb.PauseMatchResponse())
    assert await asked(elsewhere, NotYourSeat(0)) == "NOT_YOUR_SEAT"
    assert not elsewhere.asked


async def test_a_call_is_handed_on_once() -> None:
    elsewhere = Elsewhere(pb.PauseMatchResponse())
    handed = Context((("authorization", "Bearer me"), ("x-handed-on", "1")))
    assert await asked(elsewhere, TimedElsewhere("another"), handed) == "TIMED_ELSEWHERE"
    assert not elsewhere.asked


async def test_where_it_is_not_known_or_may_not_be_dialled_it_stays_refused() -> None:
    def refuses(_address: str) -> grpc.aio.Channel:
        raise RefusedToStart("plaintext")

    assert await asked(HandingOn(lambda _: "", refuses), TimedElsewhere("another")) == "TIMED_ELSEWHERE"
    assert await asked(HandingOn(lambda _: "there:1", refuses), TimedElsewhere("another")) == "TIMED_ELSEWHERE"


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (failed(StatusCode.PERMISSION_DENIED, NotYourSeat(0)), "NOT_YOUR_SEAT"),
        (failed(StatusCode.UNAVAILABLE, TimedElsewhere("a third")), "TIMED_ELSEWHERE"),
        (failed(StatusCode.UNAVAILABLE), "OUTCOME_UNKNOWN"),
        (failed(StatusCode.DEADLINE_EXCEEDED), "OUTCOME_UNKNOWN"),
    ],
)
async def test_what_the_other_says_is_passed_on_and_its_silence_is_not_taken_for_no(
    answer: AioRpcError, reason: str
) -> None:
    assert await asked(Elsewhere(answer), TimedElsewhere("another")) == reason
