"""Watching a match across everything that ends a stream: the events follow each other as if there were one."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable

import grpc
from grpc import aio

from gammon.match.v1 import match_service_pb2 as pb
from gammon.match.v1 import match_service_pb2_grpc
from gammon_client.calls import Caller
from gammon_client.errors import Corrupt
from gammon_client.resuming import Resuming
from gammon_shell.errors import Rejection


async def watch(
    stub: match_service_pb2_grpc.MatchServiceAsyncStub,
    caller: Caller,
    match_id: str,
    after_sequence: int,
    on_presence: Callable[[pb.Presence], None],
) -> AsyncGenerator[pb.StoredEvent, None]:
    """Every event after a sequence, once and in order, until the match is closed.

    A stream that ends before that, be it that this watcher was too slow, is taken up again after the last event that
    was given out, with pauses that grow while nothing new comes.

    Raises:
        LedgerError: a refusal; `Unavailable` only when the service stays away longer than the budget.
    """
    last, resuming = after_sequence, Resuming(caller.patience)
    while True:
        request = pb.WatchMatchRequest(match_id=match_id, after_sequence=last)
        call = stub.WatchMatch(request, metadata=caller.metadata())
        try:
            async for update in call:
                resuming.heard(news=False)
                if not update.HasField("event"):
                    on_presence(update.presence)
                    continue
                if update.event.sequence <= last:
                    continue
                if update.event.sequence != last + 1:
                    raise _missing(last + 1)
                last += 1
                resuming.heard(news=True)
                yield update.event
            return
        except aio.AioRpcError as failed:
            await resuming.after(failed)
        finally:
            # A watcher that stops listening says so now: a call that is only forgotten may live on at the server.
            call.cancel()


def _missing(sequence: int) -> Corrupt:
    told = {"sequence": str(sequence), "fault": "missing"}
    return Corrupt(Rejection(grpc.StatusCode.DATA_LOSS, "CORRUPT", f"event {sequence} was not sent", told))
