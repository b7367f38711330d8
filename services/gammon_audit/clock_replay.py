"""The clock of a match as it was told, batch by batch: what can be recomputed of it, and who may have let a flag fall.

How long somebody thought cannot be known afterwards where a process measured it; that nothing was given or taken beyond
what any length of time explains can. Days per move go by the store's time, which is told, and are recomputed exactly.
"""

from collections.abc import Mapping, Sequence

from google.protobuf.duration_pb2 import Duration

from gammon.match.v1 import events_pb2, settings_pb2
from gammon_audit.envelopes import Agreed

NANOS = 1_000_000_000
TIMED = (settings_pb2.CLOCK_KIND_DELAY, settings_pb2.CLOCK_KIND_FISCHER, settings_pb2.CLOCK_KIND_DAYS)


class ClockReplay:
    """Folds the stamps of one match; every method says what is wrong, empty if nothing is."""

    def __init__(self, agreed: Agreed) -> None:
        """Starts before the first event of a match with these settings."""
        self._terms = agreed.message.clock
        self._seats = agreed.rules.seats
        self._ticks = self._terms.kind in TIMED and not agreed.imported
        self._reserve, self._per_move = nanoseconds(self._terms.reserve), nanoseconds(self._terms.per_move)
        self._reserves = [self._reserve] * self._seats
        self._running: tuple[int, ...] = ()
        self._delays: tuple[int, ...] = ()
        self._store_ns = 0
        # What is left of the delays of moves that an offer to end the game interrupts, by seat.
        self._interrupted: dict[int, int] = {}
        self._stamped = False
        self._lapsed: int | None = None

    def stamp(
        self,
        event: events_pb2.ClockStamped,
        deciding: tuple[int, ...],
        mover: int | None,
        *,
        played: bool,
        ends_moves: bool,
        offered: bool,
        paused: bool,
    ) -> str:
        """Compares a stamp with the one before it.

        `deciding`: whose move it is after the batch; `played`: whether play has gone on, or back, in it; `mover`: the
        seat whose own act that was; `ends_moves`: whether a game has ended or play gone back; `offered`: whether an
        offer to end the game waits now.
        """
        if not self._ticks:
            return "a match without a clock has none to tell of"
        if self._stamped:
            return "a batch tells of the clock once"
        reserves, delays = list(map(nanoseconds, event.reserves)), tuple(map(nanoseconds, event.delays))
        running = tuple(event.running)
        store_ns = event.store_time.seconds * NANOS + event.store_time.nanos
        has_delay = self._terms.kind != settings_pb2.CLOCK_KIND_FISCHER
        rests = tuple(map(nanoseconds, event.interrupted_delays))
        sized = len(delays) == (len(running) if has_delay else 0) and len(rests) == len(event.interrupted)
        if len(reserves) != self._seats or not sized:
            return "the clock does not tell of each seat"
        if running != deciding:
            return f"the clocks of seats {list(running)} run, and the moves are those of {list(deciding)}"
        if min((*reserves, *delays, *rests), default=0) < 0:
            return "a clock shows less than nothing"
        fault = self._days_fault(reserves, store_ns, paused=paused)
        fault = fault or self._fault(reserves, running, delays, mover, played=played)
        waiting, told = self._waiting(running) if offered and not ends_moves else [], list(event.interrupted)
        interrupted = dict(zip(told, rests, strict=True))
        if told != waiting:
            fault = (
                fault or f"the moves of seats {waiting} are interrupted, and told is what is left of those of {told}"
            )
        fault = fault or self._interrupted_fault(interrupted, reserves, 0 if paused else store_ns - self._store_ns)
        if not offered and not ends_moves:
            fault = fault or self._resumed_fault(dict(zip(running, delays, strict=False)))
        self._interrupted = interrupted
        self._reserves, self._running, self._delays, self._store_ns = reserves, running, delays, store_ns
        self._stamped = True
        return fault

    def flag(self, fell: events_pb2.FlagFell, actor: events_pb2.Actor) -> str:
        """Judges who let a flag fall, of a seat whose clock ran."""
        if not self._ticks or fell.seat not in self._running:
            return f"the clock of seat {fell.seat} did not run"
        self._lapsed = fell.seat
        if fell.HasField("claimed_by"):
            claims = actor.HasField("seat") and actor.seat == fell.claimed_by != fell.seat
            return "" if claims else "a flag is claimed by another seat, which says so itself"
        if self._terms.claimed:
            return "a flag has to be claimed in this match"
        # It is found out by an act that came too late, too; what is stored the service did all the same.
        return "" if actor.HasField("system") else "a flag that falls by itself is told by the service"

    def at_end(self, *, started: bool) -> str:
        """Judges a batch at its end. `started`: whether the match had started by then."""
        stamped, self._stamped, self._lapsed = self._stamped, False, None
        return "the batch does not tell of the clock" if started and self._ticks and not stamped else ""

    def _fault(
        self,
        reserves: Sequence[int],
        running: tuple[int, ...],
        delays: tuple[int, ...],
        mover: int | None,
        *,
        played: bool,
    ) -> str:
        increment = self._per_move if self._terms.kind == settings_pb2.CLOCK_KIND_FISCHER else 0
        left = dict(zip(self._running, self._delays, strict=False))
        for seat, (before, after) in enumerate(zip(self._reserves, reserves, strict=True)):
            if seat == self._lapsed:
                if after not in (0, self._reserve):
                    return f"the flag of seat {seat} fell, and its reserve is not spent"
            elif seat not in self._running:
                if after != before:
                    return f"the reserve of seat {seat} changed, and its clock did not run"
            elif after > before + (increment if seat == mover else 0):
                return f"the reserve of seat {seat} grew beyond what was agreed"
        for seat, after in zip(running, delays, strict=False):
            if after > self._per_move:
                return f"seat {seat} has more time for its move than was agreed"
            if not played and after > left.get(seat, 0):
                return f"seat {seat} has more time for its move than before, and nothing was played"
            same_move = seat in left and seat != self._lapsed and 0 < after < left[seat]
            if same_move and reserves[seat] < self._reserves[seat]:
                return f"the reserve of seat {seat} was spent before its free time"
        return ""

    def _waiting(self, running: tuple[int, ...]) -> list[int]:
        """Whose moves an offer interrupts: of those who were on move and are not, and whose it did before."""
        on_move = self._running if self._delays else ()
        return sorted({*self._interrupted, *(seat for seat in on_move if seat not in running)})

    def _interrupted_fault(self, rests: Mapping[int, int], reserves: Sequence[int], passed: int) -> str:
        """Judges what is told to be left of interrupted moves; `passed`: the store's time, for days per move."""
        left = dict(zip(self._running, self._delays, strict=False))
        for seat, rest in rests.items():
            before = self._interrupted.get(seat)
            if before is not None:
                if rest != before:
                    return f"seat {seat} has {rest} ns left of its interrupted move, and had {before}"
            elif rest > left[seat]:
                return f"seat {seat} has more time for its interrupted move than it had"
            elif rest and reserves[seat] < self._reserves[seat]:
                return f"the reserve of seat {seat} was spent before its free time"
            elif self._terms.kind == settings_pb2.CLOCK_KIND_DAYS and rest != max(left[seat] - passed, 0):
                expected = max(left[seat] - passed, 0)
                return f"seat {seat} has {rest} ns left of its interrupted move, by the store's time {expected}"
        return ""

    def _resumed_fault(self, delays: Mapping[int, int]) -> str:
        """Judges the moves that go on after an offer."""
        for seat, rest in self._interrupted.items():
            if seat not in self._running and delays.get(seat, rest) != rest:
                return f"seat {seat} goes on with its move, and has {delays[seat]} ns of it instead of {rest}"
        return ""

    def _days_fault(self, reserves: Sequence[int], store_ns: int, *, paused: bool) -> str:
        if self._terms.kind != settings_pb2.CLOCK_KIND_DAYS:
            return "" if not store_ns else "the store's time is told of a clock that does not go by it"
        if store_ns <= 0 or store_ns < self._store_ns:
            return "the store's time ran back"
        passed = 0 if paused else store_ns - self._store_ns
        for seat, free in zip(self._running, self._delays, strict=True):
            expected = max(self._reserves[seat] - max(passed - free, 0), 0)
            if self._lapsed == seat and passed < free + self._reserves[seat]:
                return f"the flag of seat {seat} fell before its time was up"
            if self._lapsed != seat and reserves[seat] != expected:
                return f"seat {seat} has {reserves[seat]} ns left, by the store's time {expected}"
        return ""


def nanoseconds(duration: Duration) -> int:
    """A duration as it is told, whatever it is: what the library would refuse is judged, too."""
    return duration.seconds * NANOS + duration.nanos
