"""The calls of the contract whose code comes with a later issue: each answers UNIMPLEMENTED with its reason."""

from typing import Any, NoReturn, TypeAlias

from grpc import StatusCode
from grpc.aio import ServicerContext

from gammon.match.v1 import match_service_pb2 as pb
from gammon.match.v1 import match_service_pb2_grpc
from gammon_shell.errors import Rejected, Rejection

Context: TypeAlias = "ServicerContext[Any, Any]"


class NotServedYet(match_service_pb2_grpc.MatchServiceServicer):
    """The part of the contract that is not served yet."""

    async def CommitDice(self, request: pb.CommitDiceRequest, context: Context) -> NoReturn:
        """Not served yet."""
        _unimplemented("CommitDice")

    async def ContributeDraw(self, request: pb.ContributeDrawRequest, context: Context) -> NoReturn:
        """Not served yet."""
        _unimplemented("ContributeDraw")


def _unimplemented(method: str) -> NoReturn:
    raise Rejected(
        Rejection(StatusCode.UNIMPLEMENTED, "UNIMPLEMENTED", f"{method} is not served yet", {"method": method})
    )
