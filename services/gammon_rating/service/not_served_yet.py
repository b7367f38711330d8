"""The calls of the contract whose code comes with a later issue: each answers UNIMPLEMENTED with its reason."""

from typing import Any, NoReturn, TypeAlias

from grpc import StatusCode
from grpc.aio import ServicerContext

from gammon.rating.v1 import rating_service_pb2 as pb
from gammon.rating.v1 import rating_service_pb2_grpc
from gammon_shell.errors import Rejected, Rejection

DOMAIN = "rating.gammon"
Context: TypeAlias = "ServicerContext[Any, Any]"


class NotServedYet(rating_service_pb2_grpc.RatingServiceServicer):
    """RatingService of the contract; nothing of it is served yet."""

    async def GetRating(self, request: pb.GetRatingRequest, context: Context) -> NoReturn:
        """Not served yet."""
        _unimplemented("GetRating")

    async def ListLeaders(self, request: pb.ListLeadersRequest, context: Context) -> NoReturn:
        """Not served yet."""
        _unimplemented("ListLeaders")

    async def ListRatingChanges(self, request: pb.ListRatingChangesRequest, context: Context) -> NoReturn:
        """Not served yet."""
        _unimplemented("ListRatingChanges")


def _unimplemented(method: str) -> NoReturn:
    raise Rejected(
        Rejection(StatusCode.UNIMPLEMENTED, "UNIMPLEMENTED", f"{method} is not served yet", {"method": method})
    )
