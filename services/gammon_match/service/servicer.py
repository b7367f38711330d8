"""The gRPC face of the match service: read, ask the handler, answer. Decisions are made in `app`."""

from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Any, TypeAlias

from grpc.aio import ServicerContext

from gammon.match.v1 import match_service_pb2 as pb
from gammon_match.app.act import ActForSeat, ActHandler
from gammon_match.app.create_match import Created, CreateMatch, CreateMatchHandler
from gammon_match.app.direct import DirectHandler
from gammon_match.app.feeding import Feeding
from gammon_match.app.identity import request_digest
from gammon_match.app.import_match import ImportedMatch, ImportMatchHandler
from gammon_match.app.live_match import LiveMatch
from gammon_match.app.ports import Head, MatchPage, Recorded, StoredEvent
from gammon_match.app.preferences import SetPreferencesHandler
from gammon_match.app.preview import PreviewHandler
from gammon_match.app.read_match import Reader
from gammon_match.app.recording import Written
from gammon_match.app.tail import FeedItem
from gammon_match.app.take_back import TakeBackHandler
from gammon_match.app.take_seat import Seated, TakeSeat, TakeSeatHandler
from gammon_match.app.watching import Watching
from gammon_match.core.refusals import Refusal
from gammon_match.service import requests
from gammon_match.service.answers import durability, match_view, stored
from gammon_match.service.at_the_table import AtTheTable
from gammon_match.service.directing import check_direct, read_direct
from gammon_match.service.record import read_record
from gammon_match.service.rejecting import check as _check
from gammon_match.service.rejecting import reject as _reject
from gammon_match.service.settings import settings_bytes
from gammon_shell.call import current_principal

Context: TypeAlias = "ServicerContext[Any, Any]"


class MatchService(AtTheTable):
    """MatchService of the contract."""

    def __init__(
        self,
        create: CreateMatchHandler,
        take_seat: TakeSeatHandler,
        act: ActHandler,
        direct: DirectHandler,
        reader: Reader,
        import_match: ImportMatchHandler,
        watching: Watching,
        feeding: Feeding,
        preview: PreviewHandler,
        preferences: SetPreferencesHandler,
        take_back: TakeBackHandler,
    ) -> None:
        """Builds the service on its handlers."""
        self._create = create
        self._take_seat = take_seat
        self._act = act
        self._direct = direct
        self._reader = reader
        self._import = import_match
        self._watching = watching
        self._feeding = feeding
        self._preview = preview
        self._preferences = preferences
        self._take_back = take_back

    async def CreateMatch(self, request: pb.CreateMatchRequest, _context: Context) -> pb.CreateMatchResponse:
        """Creates a match."""
        faults = requests.check_settings(request.settings, recorded=False)
        requests.check_request_id(faults, request.request_id)
        _check(faults)
        result = await self._create(
            CreateMatch(
                player=current_principal().subject,
                request_id=request.request_id,
                rules=request.settings.rules.SerializeToString(deterministic=True),
                settings=lambda version: settings_bytes(request.settings, version),
                level=requests.level_of(request.durability),
            )
        )
        if not isinstance(result, Created):
            _reject(result)
        return pb.CreateMatchResponse(match=match_view(result.live), achieved=durability(result.achieved))

    async def TakeSeat(self, request: pb.TakeSeatRequest, _context: Context) -> pb.TakeSeatResponse:
        """Takes a seat."""
        faults = requests.Faults()
        requests.check_match_id(faults, request.match_id)
        requests.check_request_id(faults, request.request_id)
        faults.need(request.seat < requests.MOST_SEATS, "seat", request.seat, "seats are 0 to 3")
        size = len(request.accepted_settings)
        faults.need(size in (0, requests.HASH_SIZE), "accepted_settings", size, "has 32 bytes or none")
        faults.later(not request.public_key, "public_key", "set")
        faults.later(not request.invitation, "invitation", "set")
        _check(faults)
        result = await self._take_seat(
            TakeSeat(
                match_id=request.match_id,
                player=current_principal().subject,
                seat=request.seat if request.HasField("seat") else None,
                request_id=request.request_id,
                accepted_settings=request.accepted_settings,
                level=requests.level_of(request.durability),
            )
        )
        if not isinstance(result, Seated):
            _reject(result)
        return pb.TakeSeatResponse(
            seat=result.seat, match=match_view(result.live), achieved=durability(result.achieved)
        )

    async def Act(self, request: pb.ActRequest, _context: Context) -> pb.ActResponse:
        """Acts for a seat."""
        _check(requests.check_act(request))
        action = request.action
        action.ClearField("seat")
        encoded = action.SerializeToString(deterministic=True)
        result = await self._act(
            ActForSeat(
                match_id=request.match_id,
                player=current_principal().subject,
                seat=request.seat,
                request_id=request.request_id,
                seen=Head(request.seen_sequence, request.seen_hash),
                action=encoded,
                roll=action.WhichOneof("kind") == "roll",
                digest=request_digest(bytes([request.seat]), encoded),
                level=requests.level_of(request.durability),
            )
        )
        if not isinstance(result, Written):
            _reject(result)
        return pb.ActResponse(
            events=stored(result.events),
            repeated_request=result.repeated,
            achieved=durability(result.achieved),
        )

    async def GetMatch(self, request: pb.GetMatchRequest, _context: Context) -> pb.GetMatchResponse:
        """Gives a match at a batch end."""
        faults = requests.Faults()
        requests.check_match_id(faults, request.match_id)
        _check(faults)
        result = await self._reader.match(request.match_id, request.at_sequence)
        if not isinstance(result, LiveMatch):
            _reject(result)
        return pb.GetMatchResponse(match=match_view(result))

    async def ListEvents(self, request: pb.ListEventsRequest, _context: Context) -> pb.ListEventsResponse:
        """Lists stored events, raw."""
        faults = requests.Faults()
        requests.check_match_id(faults, request.match_id)
        faults.need(request.page_size >= 0, "page_size", request.page_size, "is not negative")
        ok = not request.page_token or (request.page_token.isascii() and request.page_token.isdigit())
        faults.need(ok, "page_token", request.page_token, "comes from the page before")
        _check(faults)
        after = int(request.page_token or request.after_sequence)
        limit = requests.page_size(request.page_size, requests.PAGE)
        result = await self._reader.events(request.match_id, after, limit)
        if not isinstance(result, Recorded):
            _reject(result)
        response = pb.ListEventsResponse(events=stored(tuple(result.events)))
        if result.head is not None:
            response.head.sequence, response.head.hash = result.head.sequence, result.head.hash
        if len(result.events) == limit:
            response.next_page_token = str(result.events[-1].sequence)
        return response

    async def ListMatches(self, request: pb.ListMatchesRequest, _context: Context) -> pb.ListMatchesResponse:
        """Lists all matches by id."""
        faults = requests.Faults()
        faults.need(request.page_size >= 0, "page_size", request.page_size, "is not negative")
        if request.page_token:
            ok = bool(requests.MATCH_ID.fullmatch(request.page_token))
            faults.need(ok, "page_token", request.page_token, "comes from the page before")
        faults.later(not request.player, "player", request.player)
        faults.later(not request.tag, "tag", request.tag)
        faults.later(not request.status, "status", request.status)
        _check(faults)
        result = await self._reader.matches(request.page_token, requests.page_size(request.page_size, 100))
        if not isinstance(result, MatchPage):
            _reject(result)
        return pb.ListMatchesResponse(
            matches=[pb.MatchListing(match_id=match_id) for match_id in result.match_ids],
            next_page_token=result.match_ids[-1] if result.more else "",
        )

    async def ImportMatch(
        self, request_iterator: AsyncIterator[pb.ImportMatchRequest], _context: Context
    ) -> pb.ImportMatchResponse:
        """Imports a match played elsewhere: all of it is judged before any of it is stored."""
        record = await read_record(request_iterator, current_principal().subject)
        if isinstance(record, Refusal):
            _reject(record)
        result = await self._import(record)
        if not isinstance(result, ImportedMatch):
            _reject(result)
        return pb.ImportMatchResponse(
            match=match_view(result.live),
            repeated_request=result.stored_acts == 0 and result.known,
            stored_acts=result.stored_acts,
        )

    async def DirectMatch(self, request: pb.DirectMatchRequest, _context: Context) -> pb.DirectMatchResponse:
        """Rules as a director."""
        _check(check_direct(request))
        result = await self._direct(read_direct(request, current_principal().subject))
        if not isinstance(result, Written):
            _reject(result)
        return pb.DirectMatchResponse(events=stored(result.events))

    async def WatchMatch(self, request: pb.WatchMatchRequest, context: Context) -> AsyncIterator[pb.WatchMatchResponse]:
        """Streams every event of a match once and in order."""
        faults = requests.Faults()
        requests.check_match_id(faults, request.match_id)
        _check(faults)
        # Closed with the call: a watcher that goes away must not be left to the garbage collector.
        async with aclosing(self._watching.watch(request.match_id, request.after_sequence)) as events:
            async for event in events:
                if not isinstance(event, StoredEvent):
                    _reject(event)
                yield pb.WatchMatchResponse(event=stored((event,))[0])

    async def ReadFeed(self, request: pb.ReadFeedRequest, context: Context) -> AsyncIterator[pb.ReadFeedResponse]:
        """Streams what ends games and matches of one partition."""
        faults = requests.Faults()
        size = len(request.after_hash)
        faults.need(size in (0, requests.HASH_SIZE), "after_hash", size, "has 32 bytes or none")
        _check(faults)
        read = self._feeding.read(request.partition, request.after_position, request.after_hash, once=request.once)
        async with aclosing(read) as items:
            async for item in items:
                if not isinstance(item, FeedItem):
                    _reject(item)
                yield pb.ReadFeedResponse(position=item.position, entry=item.entry, partitions=self._feeding.partitions)
