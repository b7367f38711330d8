"""Handing a call on to the process that measures its match, so that a client may talk to any process of the service.

A call is handed on once, as its caller: with its own credentials, which the other process looks at again. What the
other one answers is the answer.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any, Protocol, TypeAlias, TypeVar

import structlog
from grpc import aio

from gammon.match.v1 import match_service_pb2 as pb
from gammon.match.v1 import match_service_pb2_grpc
from gammon_match.core.refusals import Unknown
from gammon_match.service.refusal_table import rejection
from gammon_shell.call import call_metadata
from gammon_shell.errors import RefusedToStart, Rejected, read_error
from gammon_shell.interceptors import credentials

Context: TypeAlias = "aio.ServicerContext[Any, Any]"
Stub: TypeAlias = "match_service_pb2_grpc.MatchServiceAsyncStub"
Metadata: TypeAlias = tuple[tuple[str, str], ...]
HANDED_ON = "x-handed-on"
LOG = structlog.get_logger("handing on")


class OfMatch(Protocol):
    """A request on one match."""

    @property
    def match_id(self) -> str:
        """Which."""
        ...


class HandingOn:
    """The other processes of the service, as far as they measure matches and say where they are."""

    def __init__(
        self,
        address_of: Callable[[str], str],
        dial: Callable[[str], aio.Channel],
    ) -> None:
        """`address_of`: where a match is measured; empty: here, or not known. `dial`: raises RefusedToStart."""
        self._address_of = address_of
        self._dial = dial
        self._dialled: dict[str, tuple[aio.Channel, Stub]] = {}

    def stub(self, match_id: str, context: Context) -> Stub | None:
        """Whoever measures a match elsewhere; None: the call stays here."""
        if any(key == HANDED_ON for key, _ in context.invocation_metadata() or ()):
            return None
        address = self._address_of(match_id)
        if not address:
            return None
        known = self._dialled.get(address)
        if known is None:
            try:
                channel = self._dial(address)
            except RefusedToStart as refused:
                LOG.warning("not dialled", fault=str(refused))
                return None
            known = self._dialled[address] = channel, match_service_pb2_grpc.MatchServiceStub(channel)
        return known[1]

    async def shown(self, request: pb.GetMatchRequest, context: Context) -> pb.GetMatchResponse | None:
        """A match as it is shown where its time is known; None: that cannot be told now."""
        stub = self.stub(request.match_id, context)
        if stub is None:
            return None
        try:
            return await stub.GetMatch(request, metadata=_metadata(context), timeout=context.time_remaining())
        except aio.AioRpcError:
            return None

    async def watch(self, request: pb.WatchMatchRequest, context: Context) -> bool:
        """Streams a match from where its time is measured, so that the watcher counts as there.

        False: there is no such stream, or it broke. Raises Rejected when it ends in a refusal.
        """
        stub = self.stub(request.match_id, context)
        if stub is None:
            return False
        call = stub.WatchMatch(request, metadata=_metadata(context))
        try:
            async for update in call:
                await context.write(update)
        except aio.AioRpcError as failed:
            refusal = _refusal(failed)
            if refusal is None:
                return False
            raise refusal from None
        finally:
            call.cancel()
        return True

    async def close(self) -> None:
        """Closes what was dialled."""
        while self._dialled:
            await self._dialled.popitem()[1][0].close()


class HandsOn(Protocol):
    """A service that can hand on."""

    _handing_on: HandingOn


S = TypeVar("S", bound=HandsOn)
Q = TypeVar("Q", bound=OfMatch)
R = TypeVar("R")
Method: TypeAlias = Callable[[S, Q, Context], Coroutine[Any, Any, R]]


def handed_on(serve: Method[S, Q, R]) -> Method[S, Q, R]:
    """A method whose calls are handed on where they are refused because their match is measured elsewhere."""

    @wraps(serve)
    async def served(self: S, request: Q, context: Context) -> R:
        try:
            return await serve(self, request, context)
        except Rejected as refused:
            if refused.rejection.reason != "TIMED_ELSEWHERE":
                raise
            stub = self._handing_on.stub(request.match_id, context)
            if stub is None:
                raise
        try:
            answer: R = await getattr(stub, serve.__name__)(
                request, metadata=_metadata(context), timeout=context.time_remaining()
            )
        except aio.AioRpcError as failed:
            # Where the other did not answer itself, nobody knows what became of the call.
            lost = Unknown(f"the process that measures the match: {failed.code().name}")
            raise (_refusal(failed) or Rejected(rejection(lost))) from None
        return answer

    return served


def _metadata(context: Context) -> Metadata:
    """That of a call that is handed on: of the caller's own, who it is, and the call's id."""
    authorization, _ = credentials(context)
    caller = () if authorization is None else (("authorization", authorization),)
    return (*caller, *call_metadata(), (HANDED_ON, "1"))


def _refusal(failed: aio.AioRpcError) -> Rejected | None:
    """The refusal of the other process; None: it did not answer itself."""
    told = read_error(failed)
    return Rejected(told) if told.reason else None
