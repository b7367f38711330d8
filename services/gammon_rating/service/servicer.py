"""The gRPC face of the rating service."""

from typing import Any, NoReturn, TypeAlias

from grpc import StatusCode
from grpc.aio import ServicerContext
from redis.exceptions import RedisError

from gammon.rating.v1 import ledger_pb2, rating_service_pb2_grpc
from gammon.rating.v1 import rating_service_pb2 as pb
from gammon_rating.app.ports import Ledger, Standing
from gammon_rating.core.units import MAIN
from gammon_shell.errors import FieldFault, Rejected, Rejection, malformed

DOMAIN = "rating.gammon"
NS = 1_000_000_000
PAGE = 1000
Context: TypeAlias = "ServicerContext[Any, Any]"


class RatingService(rating_service_pb2_grpc.RatingServiceServicer):
    """RatingService of the contract."""

    def __init__(self, ledger: Ledger) -> None:
        """Builds the service on its ledger."""
        self._ledger = ledger

    async def GetRating(self, request: pb.GetRatingRequest, context: Context) -> pb.GetRatingResponse:
        """Gives a player's rating."""
        if not request.player:
            _malformed("player", "is required")
        pool = request.pool or MAIN
        try:
            standing = await self._ledger.rating(pool, request.player)
        except RedisError as error:
            _away(error)
        if standing is None:
            raise Rejected(
                Rejection(
                    StatusCode.NOT_FOUND,
                    "PLAYER_NOT_RATED",
                    f"{request.player} has no rating in pool {pool}",
                    {"player": request.player, "pool": pool},
                )
            )
        return pb.GetRatingResponse(rating=_rating(standing))

    async def ListLeaders(self, request: pb.ListLeadersRequest, context: Context) -> pb.ListLeadersResponse:
        """Lists the leaders of a pool."""
        after, limit = _page(request.page_size, request.page_token, 20)
        try:
            standings = await self._ledger.leaders(request.pool or MAIN, after, limit)
        except RedisError as error:
            _away(error)
        return pb.ListLeadersResponse(
            ratings=map(_rating, standings),
            next_page_token=str(after + limit) if len(standings) == limit else "",
        )

    async def ListRatingChanges(
        self, request: pb.ListRatingChangesRequest, context: Context
    ) -> pb.ListRatingChangesResponse:
        """Lists ledger entries in their order; a page may be short where others are left out."""
        after, limit = _page(request.page_size, request.page_token, 100)
        try:
            stored = await self._ledger.entries(after, limit)
        except RedisError as error:
            _away(error)
        response = pb.ListRatingChangesResponse(
            next_page_token=str(stored[-1].position) if len(stored) == limit else ""
        )
        for one in stored:
            entry = ledger_pb2.RatingEntry.FromString(one.entry)
            if request.player and request.player not in await self._players(entry):
                continue
            if request.match_id and request.match_id != entry.match_id:
                continue
            response.entries.add(position=one.position, entry=one.entry, hash=one.hash)
        return response

    async def _players(self, entry: ledger_pb2.RatingEntry) -> set[str]:
        """Whose ratings an entry changes; one that takes another back changes those of that one."""
        if entry.HasField("reversed"):
            (stored,) = await self._ledger.entries(entry.reversed.position - 1, 1)
            entry = ledger_pb2.RatingEntry.FromString(stored.entry)
        return {change.player for change in entry.rated.changes}


def _rating(standing: Standing) -> pb.Rating:
    rating = pb.Rating(
        player=standing.player,
        pool=standing.pool,
        value=standing.rating.value,
        experience=standing.rating.experience,
        rated=standing.rated,
        place=standing.place,
    )
    rating.change_time.seconds, rating.change_time.nanos = divmod(standing.change_ns, NS)
    return rating


def _page(size: int, token: str, usual: int) -> tuple[int, int]:
    if size < 0:
        _malformed("page_size", f"is not negative (it is {size})")
    if token and not (token.isascii() and token.isdigit()):
        _malformed("page_token", f"comes from the page before (it is {token})")
    return int(token or 0), min(size, PAGE) or usual


def _malformed(field: str, reason: str) -> NoReturn:
    raise Rejected(malformed((FieldFault(field, reason),)))


def _away(error: RedisError) -> NoReturn:
    raise Rejected(
        Rejection(StatusCode.UNAVAILABLE, "STORE_UNAVAILABLE", f"the store does not answer: {type(error).__name__}")
    ) from error
