"""The gRPC face of the match service: read, ask the handler, answer. Decisions are made in `app`."""

from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Any, TypeAlias

from grpc.aio import ServicerContext

from gammon.match.v1 import match_service_pb2 as pb
from gammon_match.app.act import ActForSeat, ActHandler
from gammon_match.app.claim import ClaimHandler
from gammon_match.app.create_match import CreateMatchHandler
from gammon_match.app.direct import DirectHandler
from gammon_match.app.feeding import Feeding
from gammon_match.app.finding import Finding
from gammon_match.app.identity import request_digest
from gammon_match.app.import_match import ImportedMatch, ImportMatchHandler
from gammon_match.app.invite import InviteHandler
from gammon_match.app.law import Law
from gammon_match.app.live_match import LiveMatch
from gammon_match.app.lobby import Lobby
from gammon_match.app.pausing import PauseHandler
from gammon_match.app.ports import Head, Recorded
from gammon_match.app.preferences import SetPreferencesHandler
from gammon_match.app.preview import PreviewHandler
from gammon_match.app.read_match import Reader
from gammon_match.app.rematch import RematchHandler
from gammon_match.app.tail import FeedItem
from gammon_match.app.take_back import TakeBackHandler
from gammon_match.app.take_seat import TakeSeatHandler
from gammon_match.app.timekeeper import Timekeeper
from gammon_match.app.watching import Watching
from gammon_match.app.writing import Written
from gammon_match.core.refusals import Refusal
from gammon_match.service import requests
from gammon_match.service.answers import durability, match_view, stored
from gammon_match.service.at_the_table import AtTheTable
from gammon_match.service.directing import check_direct, read_direct
from gammon_match.service.finding import FindsMatches
from gammon_match.service.handing_on import HandingOn, handed_on
from gammon_match.service.making import Making
from gammon_match.service.record import read_record
from gammon_match.service.rejecting import check as _check
from gammon_match.service.rejecting import reject as _reject
from gammon_match.service.timing import TimeCalls
from gammon_match.service.watching import WatchingCalls, current_viewer
from gammon_shell.call import current_principal

Context: TypeAlias = "ServicerContext[Any, Any]"


class MatchService(AtTheTable, FindsMatches, Making, TimeCalls, WatchingCalls):
    """MatchService of the contract."""

    def __init__(
        self,
        create: CreateMatchHandler,
        take_seat: TakeSeatHandler,
        invite: InviteHandler,
        rematch: RematchHandler,
        law: Law,
        act: ActHandler,
        direct: DirectHandler,
        pause: PauseHandler,
        claim: ClaimHandler,
        reader: Reader,
        import_match: ImportMatchHandler,
        watching: Watching,
        feeding: Feeding,
        finding: Finding,
        lobby: Lobby,
        time: Timekeeper,
        preview: PreviewHandler,
        preferences: SetPreferencesHandler,
        take_back: TakeBackHandler,
        handing_on: HandingOn,
    ) -> None:
        """Builds the service on its handlers."""
        self._create = create
        self._take_seat = take_seat
        self._invite = invite
        self._rematch = rematch
        self._law = law
        self._act = act
        self._direct = direct
        self._pause = pause
        self._claim = claim
        self._reader = reader
        self._import = import_match
        self._watching = watching
        self._feeding = feeding
        self._finding = finding
        self._lobby = lobby
        self._time = time
        self._preview = preview
        self._preferences = preferences
        self._take_back = take_back
        self._handing_on = handing_on

    @handed_on
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

    async def GetMatch(self, request: pb.GetMatchRequest, context: Context) -> pb.GetMatchResponse:
        """Gives a match at a batch end."""
        faults = requests.Faults()
        requests.check_match_id(faults, request.match_id)
        _check(faults)
        result = await self._reader.match(request.match_id, current_viewer(), request.at_sequence)
        if not isinstance(result, LiveMatch):
            _reject(result)
        if not result.is_past and self._time.elsewhere(result) is not None:
            shown = await self._handing_on.shown(request, context)
            if shown is not None:
                return shown
        return pb.GetMatchResponse(match=match_view(result, await self._time.shown(result)))

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
        result = await self._reader.events(request.match_id, current_viewer(), after, limit)
        if not isinstance(result, Recorded):
            _reject(result)
        response = pb.ListEventsResponse(events=stored(tuple(result.events)))
        if result.head is not None:
            response.head.sequence, response.head.hash = result.head.sequence, result.head.hash
        if len(result.events) == limit:
            response.next_page_token = str(result.events[-1].sequence)
        return response

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

    @handed_on
    async def DirectMatch(self, request: pb.DirectMatchRequest, _context: Context) -> pb.DirectMatchResponse:
        """Rules as a director."""
        _check(check_direct(request))
        result = await self._direct(read_direct(request, current_principal().subject))
        if not isinstance(result, Written):
            _reject(result)
        return pb.DirectMatchResponse(events=stored(result.events))

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
