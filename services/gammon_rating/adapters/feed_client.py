"""The match service's feeds over gRPC: nobody reads another service's keys."""

import asyncio
import hashlib
from collections.abc import AsyncIterator, Callable

import grpc

from gammon.match.v1 import events_pb2, match_service_pb2, match_service_pb2_grpc, settings_pb2
from gammon_rating.app.ports import FeedItem, FeedRewound, Place
from gammon_rating.core.units import Ended

AGAIN_S = 0.3
Metadata = tuple[tuple[str, str], ...]


class FeedClient:
    """Reads feeds, and reads on where a stream broke."""

    def __init__(self, channel: grpc.aio.Channel, metadata: Callable[[], Metadata], partitions: int) -> None:
        """`metadata`: gives the credentials of each stream. `partitions`: of the store."""
        self._stub = match_service_pb2_grpc.MatchServiceStub(channel)
        self._metadata = metadata
        self._partitions = partitions

    async def partitions(self) -> int:
        """How many feeds there are."""
        return self._partitions

    async def read(self, partition: int, after: Place) -> AsyncIterator[FeedItem]:
        """Entries after a place, for ever. Raises FeedRewound."""
        while True:
            request = match_service_pb2.ReadFeedRequest(
                partition=partition, after_position=after.position, after_hash=after.hash
            )
            try:
                async for response in self._stub.ReadFeed(request, metadata=self._metadata()):
                    item = _item(partition, response)
                    yield item
                    after = Place(item.position, item.hash)
            except grpc.aio.AioRpcError as error:
                if error.code() is grpc.StatusCode.DATA_LOSS:
                    raise FeedRewound(f"partition {partition}: {error.details()}") from error
            await asyncio.sleep(AGAIN_S)


def _item(partition: int, response: match_service_pb2.ReadFeedResponse) -> FeedItem:
    entry = events_pb2.FeedEntry.FromString(response.entry)
    is_match = entry.rules.HasField("match")
    ended = Ended(
        match_id=entry.match_id,
        match_hash=entry.hash,
        players=tuple(entry.players),
        recorded=entry.dice == settings_pb2.DICE_SOURCE_RECORDED,
        rated=entry.rated,
        match_points=entry.rules.match.points if is_match else None,
        games=entry.rules.session.games,
        game_number=entry.game.game_number,
        game_winners=tuple(entry.game.winners) if entry.HasField("game") else None,
        match_winners=tuple(entry.result.winners) if entry.HasField("result") else None,
        sequence=entry.sequence,
        corrects_from=entry.corrects_from,
    )
    return FeedItem(partition, response.position, hashlib.sha256(response.entry).digest(), ended)
