"""A match service that answers as it is told, on a real gRPC server that can be stopped and started again."""

# ruff: noqa: N802 - the contract names the methods

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

import grpc
from grpc_status import rpc_status

from gammon.match.v1 import events_pb2, match_service_pb2_grpc
from gammon.match.v1 import match_service_pb2 as pb
from gammon_shell.errors import Rejection, to_status
from gammon_shell.tls import CertificateFiles

MATCH = "m_000_" + "A" * 26
Context = grpc.aio.ServicerContext[Any, Any]


@dataclass
class ScriptedMatchService(match_service_pb2_grpc.MatchServiceServicer):
    """Keeps every request, and refuses as many calls as it has refusals left.

    `watches`: for each watch what it brings: sequences, presences, and perhaps how it is refused in the end.
    """

    refusals: list[Rejection] = field(default_factory=list)
    requests: list[Any] = field(default_factory=list)
    credentials: list[str] = field(default_factory=list)
    delay_s: float = 0.0
    # A watch without a script: how many events there are, and how long each takes.
    last_sequence: int = 5
    every_s: float = 0.0
    watches: list[list[int | pb.Presence | Rejection]] = field(default_factory=list)

    async def Act(self, request: pb.ActRequest, context: Context) -> pb.ActResponse:
        await self._enter(request, context)
        return pb.ActResponse(events=[pb.StoredEvent(sequence=8, hash=b"8" * 32), _event(9)])

    async def DirectMatch(self, request: pb.DirectMatchRequest, context: Context) -> pb.DirectMatchResponse:
        await self._enter(request, context)
        return pb.DirectMatchResponse(events=[_event(9)])

    async def PreviewAct(self, request: pb.PreviewActRequest, context: Context) -> pb.PreviewActResponse:
        await self._enter(request, context)
        return pb.PreviewActResponse()

    async def SetPreferences(self, request: pb.SetPreferencesRequest, context: Context) -> pb.SetPreferencesResponse:
        await self._enter(request, context)
        return pb.SetPreferencesResponse(events=[_event(9)])

    async def TakeBack(self, request: pb.TakeBackRequest, context: Context) -> pb.TakeBackResponse:
        await self._enter(request, context)
        return pb.TakeBackResponse(events=[_event(9)])

    async def GetMatch(self, request: pb.GetMatchRequest, context: Context) -> pb.GetMatchResponse:
        await self._enter(request, context)
        at = request.at_sequence or 7
        match = pb.Match(match_id=request.match_id, head=pb.Head(sequence=at, hash=hash_of(at)))
        return pb.GetMatchResponse(match=match)

    async def CreateMatch(self, request: pb.CreateMatchRequest, context: Context) -> pb.CreateMatchResponse:
        await self._enter(request, context)
        return pb.CreateMatchResponse(match=pb.Match(match_id=MATCH, head=pb.Head(sequence=1, hash=hash_of(1))))

    async def ListEvents(self, request: pb.ListEventsRequest, context: Context) -> pb.ListEventsResponse:
        await self._enter(request, context)
        after = int(request.page_token or request.after_sequence)
        last = min(after + 2, 5)
        return pb.ListEventsResponse(
            events=[_event(number) for number in range(after + 1, last + 1)],
            next_page_token=str(last) if last < 5 else "",
            head=pb.Head(sequence=5, hash=hash_of(5)),
        )

    async def ListMatches(self, request: pb.ListMatchesRequest, context: Context) -> pb.ListMatchesResponse:
        await self._enter(request, context)
        page = ["c"] if request.page_token else ["a", "b"]
        listings = [pb.MatchListing(match_id=match_id) for match_id in page]
        return pb.ListMatchesResponse(matches=listings, next_page_token="" if request.page_token else "b")

    async def WatchMatch(self, request: pb.WatchMatchRequest, context: Context) -> AsyncIterator[pb.WatchMatchResponse]:
        await self._enter(request, context)
        if not self.watches:
            for sequence in range(request.after_sequence + 1, self.last_sequence + 1):
                await asyncio.sleep(self.every_s)
                yield pb.WatchMatchResponse(event=_event(sequence))
            return
        for update in self.watches.pop(0):
            match update:
                case int():
                    yield pb.WatchMatchResponse(event=_event(update))
                case pb.Presence():
                    yield pb.WatchMatchResponse(presence=update)
                case Rejection():
                    await _refuse(context, update)

    async def WatchMatches(
        self, request: pb.WatchMatchesRequest, context: Context
    ) -> AsyncIterator[pb.WatchMatchesResponse]:
        await self._enter(request, context)
        listing = pb.MatchListing(match_id=MATCH)
        yield pb.WatchMatchesResponse(match_id=MATCH, status=events_pb2.MATCH_STATUS_PLAYING, listing=listing)
        yield pb.WatchMatchesResponse()
        await asyncio.sleep(60)

    async def ImportMatch(
        self, request_iterator: AsyncIterator[pb.ImportMatchRequest], context: Context
    ) -> pb.ImportMatchResponse:
        parts = [part.WhichOneof("part") async for part in request_iterator]
        await self._enter(parts, context)
        return pb.ImportMatchResponse(match=pb.Match(match_id=MATCH), stored_acts=len(parts))

    async def _enter(self, request: Any, context: Context) -> None:
        self.requests.append(request)
        metadata = {str(key): str(value) for key, value in context.invocation_metadata() or ()}
        self.credentials.append(metadata.get("authorization", ""))
        if self.refusals:
            await _refuse(context, self.refusals.pop(0))
        await asyncio.sleep(self.delay_s)


async def _refuse(context: Context, rejection: Rejection) -> NoReturn:
    await context.abort_with_status(rpc_status.to_status(to_status(rejection, "match.gammon")))
    raise AssertionError


def hash_of(sequence: int) -> bytes:
    return str(sequence).encode() * 32


def _event(sequence: int) -> pb.StoredEvent:
    envelope = events_pb2.Envelope(schema_version=1).SerializeToString()
    return pb.StoredEvent(sequence=sequence, envelope=envelope, hash=hash_of(sequence))


def refusal(reason: str, code: grpc.StatusCode = grpc.StatusCode.UNAVAILABLE) -> Rejection:
    return Rejection(code, reason, "as it is")


@dataclass
class Running:
    """A server with the service, which can be stopped and started again on the same port.

    `options`: of gRPC. `tls`: files of certificate and key.
    """

    service: ScriptedMatchService
    port: int = 0
    options: Sequence[tuple[str, int]] = ()
    tls: tuple[Path, Path] | None = None
    _server: grpc.aio.Server | None = None

    async def start(self) -> None:
        self._server = grpc.aio.server(options=[("grpc.so_reuseport", 0), *self.options])
        match_service_pb2_grpc.add_MatchServiceServicer_to_server(self.service, self._server)
        address = f"127.0.0.1:{self.port}"
        if self.tls is None:
            self.port = self._server.add_insecure_port(address)
        else:
            self.port = self._server.add_secure_port(address, CertificateFiles(*self.tls).credentials())
        await self._server.start()

    async def stop(self) -> None:
        if self._server is not None:
            await self._server.stop(None)
            self._server = None
