"""Deciding at the head of a match: one writer at a time here, and again when a writer elsewhere was first."""

from collections.abc import Awaitable, Callable
from typing import Protocol, TypeAlias

from gammon_match.app.automatic import AutomaticActs
from gammon_match.app.live_match import LiveMatch
from gammon_match.app.live_matches import LiveMatches
from gammon_match.app.ports import DurabilityLevel, Head
from gammon_match.app.recording import Recorder
from gammon_match.app.spans import Span
from gammon_match.app.writing import Written
from gammon_match.core.events import DiceSource, Status
from gammon_match.core.refusals import (
    DurabilityNotOffered,
    MatchIsClosed,
    NotYourSeat,
    Overtaken,
    Refusal,
    Rewound,
    Unlawful,
)

ATTEMPTS = 8
# Of requests that are no decision on what was seen.
NOTHING_SEEN = Head(0, b"")

# Decides one request on a match, whose lock is held, at a durability.
Attempt: TypeAlias = Callable[[LiveMatch, DurabilityLevel], Awaitable[Written | Refusal]]


class SeatRequest(Protocol):
    """A request that only the holder of a seat may make."""

    @property
    def player(self) -> str:
        """Who makes it."""
        ...

    @property
    def seat(self) -> int:
        """For which seat."""
        ...

    @property
    def request_id(self) -> str:
        """Under which id."""
        ...

    @property
    def digest(self) -> bytes:
        """Of its own content."""
        ...


class Decider:
    """Decides requests on matches, and then does what follows of them by itself."""

    def __init__(self, matches: LiveMatches, recorder: Recorder, automatic: AutomaticActs) -> None:
        """Builds it on the matches in memory, the recorder, and what follows by itself."""
        self._matches = matches
        self._recorder = recorder
        self._automatic = automatic

    async def decide(
        self, match_id: str, seen: Head, attempt: Attempt, asked: DurabilityLevel | None = None
    ) -> Written | Refusal:
        """The outcome of an attempt on a match that is known up to its head, or at least up to what was `seen`.

        An attempt that was overtaken is made again, until it is refused at a head that nobody has passed. `asked`: the
        durability; None: the floor.
        """
        level = self._recorder.level(asked)
        if isinstance(level, DurabilityNotOffered):
            return level
        live = await self._matches.get(match_id)
        if not isinstance(live, LiveMatch):
            return live
        outcome = await self._at_head(live, seen, lambda: attempt(live, level))
        # It may have been overtaken by the fall of a flag, and the next seat be one that lets the service act.
        if isinstance(outcome, Written | Overtaken):
            await self._automatic.run(live)
        return outcome

    async def has_gone_on(self, live: LiveMatch, seen_sequence: int) -> bool | Refusal:
        """Whether a match has gone on since it was seen at a sequence: a ruling, another phase, other dice."""
        seen = await self._matches.span_at(live, seen_sequence)
        if seen is not None and not isinstance(seen, Span):
            return seen
        match = live.match
        return (
            match.standing is None
            or seen is None
            or seen.last < match.ruled_sequence
            or seen.phase != match.standing.phase
            or seen.draws != match.draws
        )

    async def _at_head(
        self, live: LiveMatch, seen: Head, attempt: Callable[[], Awaitable[Written | Refusal]]
    ) -> Written | Refusal:
        # One decision at a time for each match: the same request in flight twice waits here and then finds the first.
        async with live.lock:
            for _ in range(ATTEMPTS):
                elsewhere = self._recorder.time.elsewhere(live)
                if elsewhere is not None:
                    return elsewhere
                fault = await self._recorder.settle(live)
                if fault is None and seen.sequence > live.head.sequence:
                    fault = await self._matches.refresh(live)
                if fault is not None:
                    return fault
                outcome = await attempt()
                if not isinstance(outcome, Overtaken):
                    return outcome
                if (outcome.sequence, outcome.hash) == (live.head.sequence, live.head.hash):
                    return outcome
                stale = await self._matches.refresh(live)
                if stale is not None:
                    return stale
        return Overtaken(live.head.sequence, live.head.hash)


async def seat_answered_before(
    recorder: Recorder, live: LiveMatch, seen: Head, request: SeatRequest, level: DurabilityLevel
) -> Written | Refusal | None:
    """As `answered_before`, of a request that only the seat's holder may make."""
    if not live.match.holds(request.seat, request.player):
        return NotYourSeat(request.seat)
    return await answered_before(recorder, live, seen, request.request_id, request.digest, level)


async def answered_before(
    recorder: Recorder, live: LiveMatch, seen: Head, request_id: str, digest: bytes, level: DurabilityLevel
) -> Written | Refusal | None:
    """The answer that a request has already, or why it can have none any more; None: it is to be decided."""
    fault = await _rewound(recorder, live, seen)
    if fault is not None:
        return fault
    again = await recorder.repeat(live, request_id, digest, level)
    if again is not None:
        return again
    if live.match.status is Status.CLOSED:
        return MatchIsClosed(live.head.sequence)
    if live.terms().dice is DiceSource.RECORDED:
        # It is open only while it is being imported, or where that broke off.
        return Unlawful("8.5", "a match played elsewhere stays as its record has it")
    return None


async def _rewound(recorder: Recorder, live: LiveMatch, seen: Head) -> Refusal | None:
    """Why the store cannot be the one that the caller has seen; None: it can."""
    if seen.sequence > live.head.sequence:
        return Rewound(seen.sequence, seen.hash)
    if not seen.hash or seen.sequence == 0:
        return None
    known = await recorder.hash_at(live, seen.sequence)
    if not isinstance(known, bytes):
        return known
    return None if known == seen.hash else Rewound(seen.sequence, seen.hash)
