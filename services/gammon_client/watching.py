"""Watching a match across everything that ends a stream: the events follow each other as if there were one."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncGenerator, Callable

import grpc
from grpc import aio

from gammon.match.v1 import match_service_pb2 as pb
from gammon.match.v1 import match_service_pb2_grpc
from gammon_client.calls import FIRST_PAUSE_S, LONGEST_PAUSE_S, PASSING, Caller
from gammon_client.errors import Corrupt, RateLimited, error_of
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
    last, pause_s, away_since = after_sequence, FIRST_PAUSE_S, None
    while True:
        request = pb.WatchMatchRequest(match_id=match_id, after_sequence=last)
        call = stub.WatchMatch(request, metadata=caller.metadata())
        try:
            async for update in call:
                away_since = None
                if not update.HasField("event"):
                    on_presence(update.presence)
                    continue
                if update.event.sequence <= last:
                    continue
                if update.event.sequence != last + 1:
                    raise _missing(last + 1)
                last, pause_s = last + 1, FIRST_PAUSE_S
                yield update.event
            return
        except aio.AioRpcError as failed:
            error = error_of(failed)
            now = asyncio.get_running_loop().time()
            away_since = away_since if away_since is not None else now
            if not isinstance(error, PASSING) or now - away_since > caller.patience.budget_s:
                raise error from failed
            told_s = error.retry_after_s if isinstance(error, RateLimited) else 0.0
            await asyncio.sleep(max(pause_s * random.uniform(0.5, 1), told_s))
            pause_s = min(2 * pause_s, LONGEST_PAUSE_S)
        finally:
            # A watcher that stops listening says so now: a call that is only forgotten may live on at the server.
            call.cancel()


def _missing(sequence: int) -> Corrupt:
    told = {"sequence": str(sequence), "fault": "missing"}
    return Corrupt(Rejection(grpc.StatusCode.DATA_LOSS, "CORRUPT", f"event {sequence} was not sent", told))
