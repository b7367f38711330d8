"""How much one caller may ask: calls a second, and streams at a time."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from grpc import StatusCode

from gammon_shell.errors import Rejected, Rejection
from gammon_shell.identity import Principal

# A caller with one of these roles acts for many others.
TRUSTED_ROLES = frozenset({"operator", "service"})
SECOND_NS = 1_000_000_000
MS_NS = 1_000_000
# Nobody knows when a stream ends.
STREAM_AGAIN_MS = 1000
LOOKED_AT_FOR_A_NEWCOMER = 2


@dataclass(frozen=True, slots=True)
class Allowance:
    """What one caller may: so many calls a second for ever, `burst` at once after a pause, `streams` at a time."""

    calls_per_s: float
    burst: int
    streams: int


# No person comes near it, and one that plays bots, watches a thousand matches or measures stays below.
USUAL = Allowance(2_000, 20_000, 10_000)
TRUSTED = Allowance(10_000, 100_000, 20_000)


class RateLimits:
    """Counts the calls and streams of every caller, in this process. Callers that are idle are forgotten."""

    def __init__(
        self, usual: Allowance = USUAL, trusted: Allowance = TRUSTED, clock_ns: Callable[[], int] = time.monotonic_ns
    ) -> None:
        """`trusted`: for callers with one of TRUSTED_ROLES. `clock_ns`: never goes back."""
        self._usual, self._trusted = _Counts(usual, clock_ns), _Counts(trusted, clock_ns)

    def take_call(self, principal: Principal) -> None:
        """Counts a call. Raises Rejected when it is one too many; such a call is not counted."""
        self._counts(principal).take_call(principal.subject)

    @contextmanager
    def stream(self, principal: Principal) -> Iterator[None]:
        """Counts a stream as long as it is open. Raises Rejected when it is one too many."""
        counts = self._counts(principal)
        caller = counts.open_stream(principal.subject)
        try:
            yield
        finally:
            caller.streams -= 1

    def known(self) -> int:
        """How many callers are remembered."""
        return len(self._usual) + len(self._trusted)

    def _counts(self, principal: Principal) -> _Counts:
        return self._usual if principal.roles.isdisjoint(TRUSTED_ROLES) else self._trusted


class _Caller:
    """`due_ns`: when a caller that keeps to the steady rate would have made all the calls so far."""

    __slots__ = ("due_ns", "streams")

    def __init__(self, due_ns: int) -> None:
        self.due_ns, self.streams = due_ns, 0


class _Counts:
    """A token bucket for each caller, kept as the one moment when it is full again (GCRA), and its open streams."""

    def __init__(self, allowance: Allowance, clock_ns: Callable[[], int]) -> None:
        self._allowance, self._clock_ns = allowance, clock_ns
        self._interval_ns = max(1, round(SECOND_NS / allowance.calls_per_s))
        self._depth_ns = self._interval_ns * allowance.burst
        self._callers: OrderedDict[str, _Caller] = OrderedDict()

    def __len__(self) -> int:
        return len(self._callers)

    def take_call(self, subject: str) -> None:
        now = self._clock_ns()
        caller = self._caller(subject, now)
        due = max(caller.due_ns, now) + self._interval_ns
        early_ns = due - now - self._depth_ns
        if early_ns > 0:
            told = self._allowance
            message = f"too many calls: {told.calls_per_s:g} a second are allowed, {told.burst} at once"
            raise _too_many(message, f"{told.calls_per_s:g} calls/s", -(-early_ns // MS_NS))
        caller.due_ns = due

    def open_stream(self, subject: str) -> _Caller:
        caller = self._caller(subject, self._clock_ns())
        most = self._allowance.streams
        if caller.streams >= most:
            raise _too_many(f"too many streams: {most} are allowed at a time", f"{most} streams", STREAM_AGAIN_MS)
        caller.streams += 1
        return caller

    def _caller(self, subject: str, now: int) -> _Caller:
        caller = self._callers.get(subject)
        if caller is None:
            self._forget_idle(now)
            caller = self._callers[subject] = _Caller(now)
        else:
            self._callers.move_to_end(subject)
        return caller

    def _forget_idle(self, now: int) -> None:
        # A full bucket without streams is that of a newcomer. Two looked at for each one that comes keep their number
        # within twice that of the others.
        for _ in range(min(LOOKED_AT_FOR_A_NEWCOMER, len(self._callers))):
            subject, caller = self._callers.popitem(last=False)
            if caller.streams or caller.due_ns > now:
                self._callers[subject] = caller


def _too_many(message: str, limit: str, again_ms: int) -> Rejected:
    told = {"limit": limit, "retry_after_ms": str(again_ms)}
    return Rejected(Rejection(StatusCode.RESOURCE_EXHAUSTED, "RATE_LIMITED", message, told))
