"""Lists of matches as a client sees them: finding, and watching what comes, changes and goes."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from datetime import datetime

from grpc import aio

from gammon.match.v1 import events_pb2, match_service_pb2_grpc
from gammon.match.v1 import match_service_pb2 as pb
from gammon.rules.v1 import settings_pb2 as rules_pb2
from gammon_client.calls import Caller, Metadata, Patience
from gammon_client.errors import LedgerError, Unavailable
from gammon_client.resuming import Resuming

PAGE = 1000


class MatchLists:
    """The calls about many matches."""

    __slots__ = ()

    patience: Patience
    _stub: match_service_pb2_grpc.MatchServiceAsyncStub
    _caller: Caller

    async def list_matches(
        self,
        *,
        player: str = "",
        tag: str = "",
        status: events_pb2.MatchStatus.ValueType = events_pb2.MATCH_STATUS_UNSPECIFIED,
        game: rules_pb2.Game.ValueType = rules_pb2.GAME_UNSPECIFIED,
        created_from: datetime | None = None,
        created_before: datetime | None = None,
    ) -> AsyncIterator[pb.MatchListing]:
        """The matches that fit in every way that is given, by id. Times have a time zone."""
        request = pb.ListMatchesRequest(page_size=PAGE, player=player, tag=tag, status=status, game=game)
        if created_from is not None:
            request.created_from.FromDatetime(created_from)
        if created_before is not None:
            request.created_before.FromDatetime(created_before)

        async def attempt(metadata: Metadata, seconds: float) -> pb.ListMatchesResponse:
            return await self._stub.ListMatches(request, metadata=metadata, timeout=seconds)

        while True:
            page = await self._caller.call(attempt)
            for listing in page.matches:
                yield listing
            request.page_token = page.next_page_token
            if not page.next_page_token:
                return

    async def watch_matches(self, *, player: str = "", tag: str = "") -> AsyncIterator[pb.WatchMatchesResponse]:
        """The matches of a set that are not closed, then an answer without a match, then each change.

        It resumes by itself, and then tells what has changed meanwhile. A match that has left the set comes without its
        entry. Raises LedgerError; `Unavailable` only when the service stays away longer than the budget.
        """
        request = pb.WatchMatchesRequest(player=player, tag=tag)
        told: dict[str, pb.WatchMatchesResponse] = {}
        all_told, resuming = False, Resuming(self.patience)
        while True:
            call = self._stub.WatchMatches(request, metadata=self._caller.metadata())
            unseen = set(told)
            try:
                async for update in call:
                    resuming.heard(news=True)
                    if update.match_id:
                        unseen.discard(update.match_id)
                        if told.get(update.match_id) != update:
                            _remember(told, update)
                            yield update
                        continue
                    async for gone in self._gone(unseen):
                        _remember(told, gone)
                        yield gone
                    if not all_told:
                        all_told = True
                        yield update
                raise AssertionError("unreachable: a set is watched as long as the call lives")
            except aio.AioRpcError as failed:
                await resuming.after(failed)
            finally:
                call.cancel()

    async def _gone(self, match_ids: Iterable[str]) -> AsyncIterator[pb.WatchMatchesResponse]:
        """Matches that left a set while nobody watched it, with their status as far as the caller may know it."""
        for match_id in sorted(match_ids):
            request = pb.GetMatchRequest(match_id=match_id)

            async def attempt(
                metadata: Metadata, seconds: float, request: pb.GetMatchRequest = request
            ) -> pb.GetMatchResponse:
                return await self._stub.GetMatch(request, metadata=metadata, timeout=seconds)

            try:
                status = (await self._caller.call(attempt)).match.status
            except Unavailable:
                raise
            except LedgerError:
                status = events_pb2.MATCH_STATUS_UNSPECIFIED
            yield pb.WatchMatchesResponse(match_id=match_id, status=status)


def _remember(told: dict[str, pb.WatchMatchesResponse], update: pb.WatchMatchesResponse) -> None:
    if update.HasField("listing") and update.status != events_pb2.MATCH_STATUS_CLOSED:
        told[update.match_id] = update
    else:
        told.pop(update.match_id, None)
