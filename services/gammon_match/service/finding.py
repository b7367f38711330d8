"""Lists of matches and who watches them: reading the requests, and telling what was found."""

import asyncio
import base64
import hashlib
from contextlib import aclosing
from typing import Any, TypeAlias

from google.protobuf.timestamp_pb2 import Timestamp
from grpc.aio import ServicerContext

from gammon.match.v1 import events_pb2
from gammon.match.v1 import match_service_pb2 as pb
from gammon_match.app.finding import Finding, Found, FoundPage
from gammon_match.app.lobby import Lobby
from gammon_match.app.lobby_caller import AllTold, Told
from gammon_match.core.events import Status
from gammon_match.core.listing import Wanted
from gammon_match.core.refusals import TooSlow
from gammon_match.service import requests
from gammon_match.service.not_served_yet import NotServedYet
from gammon_match.service.rejecting import check, reject
from gammon_match.service.watching import current_viewer

Context: TypeAlias = "ServicerContext[Any, Any]"
NS = 1_000_000_000
USUAL_PAGE = 100
# A network that is lost for longer is better resumed; flow control would hold the write for ever.
STALLED_S = 15.0
# A page token is the id before the next page, and so much of a digest of what was asked for.
DIGEST_SIZE = 8


class FindsMatches(NotServedYet):
    """The calls about many matches."""

    _finding: Finding
    _lobby: Lobby

    async def ListMatches(self, request: pb.ListMatchesRequest, _context: Context) -> pb.ListMatchesResponse:
        """Lists matches that fit, by id."""
        wanted = _wanted(request)
        faults = _check_set(request)
        faults.need(request.page_size >= 0, "page_size", request.page_size, "is not negative")
        known = request.status in (0, *map(int, Status))
        faults.need(known, "status", request.status, "is a status of the contract, or none")
        after = _after(request.page_token, wanted)
        faults.need(after is not None, "page_token", request.page_token, "comes from the page before of the same list")
        check(faults)
        limit = requests.page_size(request.page_size, USUAL_PAGE)
        page = await self._finding.page(wanted, current_viewer(), after or "", limit)
        if not isinstance(page, FoundPage):
            reject(page)
        return pb.ListMatchesResponse(
            matches=map(_entry, page.found), next_page_token=_token(page.after, wanted) if page.after else ""
        )

    async def WatchMatches(self, request: pb.WatchMatchesRequest, context: Context) -> None:  # type: ignore[override]
        """Streams the matches of a set that are not closed, then each change in it."""
        check(_check_set(request))
        async with aclosing(self._lobby.watch(Wanted(request.player, request.tag), current_viewer())) as told:
            async for item in told:
                if isinstance(item, TooSlow):
                    reject(item)
                try:
                    async with asyncio.timeout(STALLED_S):
                        await context.write(_told(item))
                except TimeoutError:
                    reject(TooSlow(0))


def _check_set(request: pb.ListMatchesRequest | pb.WatchMatchesRequest) -> requests.Faults:
    faults = requests.Faults()
    ok = not request.player or bool(requests.REFERENCE.fullmatch(request.player))
    faults.need(ok, "player", request.player, "1 to 64 of A-Z a-z 0-9 _ . : @ -")
    ok = not request.tag or bool(requests.TAG.fullmatch(request.tag))
    faults.need(ok, "tag", request.tag, "1 to 64 printable characters, no blanks")
    return faults


def _wanted(request: pb.ListMatchesRequest) -> Wanted:
    return Wanted(
        player=request.player,
        tag=request.tag,
        status=Status(request.status) if request.status in map(int, Status) else None,
        game=request.game,
        created_from_ns=_ns(request.created_from) if request.HasField("created_from") else None,
        created_before_ns=_ns(request.created_before) if request.HasField("created_before") else None,
    )


def _ns(time: Timestamp) -> int:
    return time.seconds * NS + time.nanos


def _token(after: str, wanted: Wanted) -> str:
    return base64.urlsafe_b64encode(_digest(wanted) + after.encode()).decode()


def _after(token: str, wanted: Wanted) -> str | None:
    """The id that a token names; None: it is no token of a list of these matches."""
    if not token:
        return ""
    try:
        content = base64.b64decode(token, altchars=b"-_", validate=True)
    except ValueError:
        return None
    after = content[DIGEST_SIZE:].decode(errors="replace")
    return after if content[:DIGEST_SIZE] == _digest(wanted) and requests.MATCH_ID.fullmatch(after) else None


def _digest(wanted: Wanted) -> bytes:
    return hashlib.sha256(repr(wanted).encode()).digest()[:DIGEST_SIZE]


def _entry(found: Found) -> pb.MatchListing:
    entry = pb.MatchListing() if found.listing is None else pb.MatchListing.FromString(found.listing.raw)
    entry.match_id = found.match_id
    return entry


def _told(item: Told | AllTold) -> pb.WatchMatchesResponse:
    if isinstance(item, AllTold):
        return pb.WatchMatchesResponse()
    told = pb.WatchMatchesResponse(match_id=item.match_id, status=events_pb2.MatchStatus.ValueType(item.status))
    if item.head is not None:
        told.head.sequence, told.head.hash = item.head.sequence, item.head.hash
    if item.listing is not None:
        told.listing.MergeFromString(item.listing)
        told.listing.match_id = item.match_id
    return told
