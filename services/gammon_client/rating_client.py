"""The rating service as a client sees it."""

from __future__ import annotations

from dataclasses import dataclass, field

from grpc import aio

from gammon.rating.v1 import rating_service_pb2 as pb
from gammon.rating.v1 import rating_service_pb2_grpc
from gammon_client.calls import USUAL, Caller, Metadata, Patience, Token

PAGE = 1000


@dataclass(slots=True)
class RatingClient:
    """Calls the rating service, over a channel that the caller owns. Every method raises `LedgerError` by reason."""

    channel: aio.Channel
    token: Token
    patience: Patience = USUAL
    _stub: rating_service_pb2_grpc.RatingServiceAsyncStub = field(init=False, repr=False)
    _caller: Caller = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._stub = rating_service_pb2_grpc.RatingServiceStub(self.channel)
        self._caller = Caller(self.token, self.patience)

    async def rating(self, player: str, pool: str = "") -> pb.Rating:
        """A player's rating; without a pool, of the main one."""
        request = pb.GetRatingRequest(player=player, pool=pool)

        async def attempt(metadata: Metadata, seconds: float) -> pb.GetRatingResponse:
            return await self._stub.GetRating(request, metadata=metadata, timeout=seconds)

        return (await self._caller.call(attempt)).rating

    async def leaders(self, pool: str = "", most: int = 20) -> list[pb.Rating]:
        """The highest ratings of a pool."""
        request = pb.ListLeadersRequest(pool=pool, page_size=most)

        async def attempt(metadata: Metadata, seconds: float) -> pb.ListLeadersResponse:
            return await self._stub.ListLeaders(request, metadata=metadata, timeout=seconds)

        return list((await self._caller.call(attempt)).ratings)

    async def changes(self, match_id: str = "") -> list[pb.StoredRatingEntry]:
        """The ledger's entries in its order: all, or those of one match."""
        entries: list[pb.StoredRatingEntry] = []
        token = ""
        while True:
            page = await self._changes_page(match_id, token)
            entries += page.entries
            token = page.next_page_token
            if not token:
                return entries

    async def _changes_page(self, match_id: str, token: str) -> pb.ListRatingChangesResponse:
        request = pb.ListRatingChangesRequest(match_id=match_id, page_size=PAGE, page_token=token)

        async def attempt(metadata: Metadata, seconds: float) -> pb.ListRatingChangesResponse:
            return await self._stub.ListRatingChanges(request, metadata=metadata, timeout=seconds)

        return await self._caller.call(attempt)
