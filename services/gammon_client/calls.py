"""Calling a service: channel, credentials, deadline, and retries with the same request."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias, TypeVar

import grpc
from grpc import aio
from tenacity import AsyncRetrying, RetryCallState, retry_if_exception_type, stop_before_delay, wait_random_exponential

from gammon_client.errors import RateLimited, Unavailable, error_of
from gammon_shell.dialling import CHANNEL_OPTIONS
from gammon_shell.tls import authority_credentials

# A bearer token, or what gives one for each attempt.
Token: TypeAlias = str | Callable[[], str]
Metadata: TypeAlias = tuple[tuple[str, str], ...]
# One attempt: credentials and seconds in, the answer out.
Attempt: TypeAlias = Callable[[Metadata, float], Awaitable["Answer"]]
Answer = TypeVar("Answer")

FIRST_PAUSE_S = 0.05
LONGEST_PAUSE_S = 1.0
# What a call is made again after.
PASSING = (Unavailable, RateLimited)


def open_channel(
    target: str, credentials: grpc.ChannelCredentials | None = None, *, tls_ca: Path | None = None
) -> aio.Channel:
    """A channel to `host:port`, in plain text without `credentials` or `tls_ca`. The caller closes it.

    `tls_ca`: PEM file of the authorities whose certificates are believed; the service's must be for the target's host.
    Raises RefusedToStart when the file is not that.
    """
    if tls_ca is not None:
        credentials = authority_credentials(tls_ca)
    if credentials is None:
        return aio.insecure_channel(target, options=CHANNEL_OPTIONS)
    return aio.secure_channel(target, credentials, options=CHANNEL_OPTIONS)


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to wait. `deadline_s`: for one attempt. `budget_s`: for a call with all its attempts."""

    deadline_s: float = 10.0
    budget_s: float = 30.0


USUAL = Patience()


@dataclass(frozen=True, slots=True)
class Caller:
    """Makes calls with one identity."""

    token: Token = field(repr=False)
    patience: Patience = USUAL

    async def call(self, attempt: Attempt[Answer], patience: Patience | None = None) -> Answer:
        """The answer, asked for again with the same request while the service has none and the budget lasts.

        A caller that is over its rate waits as long as the service says.

        Raises:
            LedgerError: the refusal; after the budget the last `Unavailable` or `RateLimited`.
        """
        limits = patience or self.patience
        clock = asyncio.get_running_loop().time
        ends = clock() + limits.budget_s
        tries = AsyncRetrying(
            retry=retry_if_exception_type(PASSING),
            stop=stop_before_delay(limits.budget_s),
            wait=_pause,
            reraise=True,
        )
        async for tried in tries:
            with tried:
                return await self._once(attempt, max(min(limits.deadline_s, ends - clock()), FIRST_PAUSE_S))
        raise AssertionError("unreachable: tenacity raises the last failure")

    def metadata(self) -> Metadata:
        """Credentials for one call."""
        token = self.token() if callable(self.token) else self.token
        return (("authorization", f"Bearer {token}"),)

    async def _once(self, attempt: Attempt[Answer], seconds: float) -> Answer:
        try:
            return await attempt(self.metadata(), seconds)
        except aio.AioRpcError as failed:
            raise error_of(failed) from failed


_backoff = wait_random_exponential(FIRST_PAUSE_S, LONGEST_PAUSE_S)


def _pause(tried: RetryCallState) -> float:
    failed = tried.outcome.exception() if tried.outcome is not None else None
    return _backoff(tried) + (failed.retry_after_s if isinstance(failed, RateLimited) else 0.0)
