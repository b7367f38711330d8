"""When a stream that broke off is taken up again: after pauses that grow, while somebody's patience lasts."""

from __future__ import annotations

import asyncio
import random

from grpc import aio

from gammon_client.calls import FIRST_PAUSE_S, LONGEST_PAUSE_S, PASSING, Patience
from gammon_client.errors import RateLimited, error_of


class Resuming:
    """One watch across its streams."""

    def __init__(self, patience: Patience) -> None:
        """`patience`: its budget is how long the service may stay away."""
        self._patience = patience
        self._pause_s = FIRST_PAUSE_S
        self._away_since: float | None = None

    def heard(self, *, news: bool) -> None:
        """The service is there; `news`: and it told something new, so that the next pause is short again."""
        self._away_since = None
        if news:
            self._pause_s = FIRST_PAUSE_S

    async def after(self, failed: aio.AioRpcError) -> None:
        """Waits until it is time to watch again.

        Raises:
            LedgerError: a refusal; `Unavailable` only when the service stays away longer than the budget.
        """
        error = error_of(failed)
        now = asyncio.get_running_loop().time()
        self._away_since = now if self._away_since is None else self._away_since
        if not isinstance(error, PASSING) or now - self._away_since > self._patience.budget_s:
            raise error from failed
        told_s = error.retry_after_s if isinstance(error, RateLimited) else 0.0
        await asyncio.sleep(max(self._pause_s * random.uniform(0.5, 1), told_s))
        self._pause_s = min(2 * self._pause_s, LONGEST_PAUSE_S)
