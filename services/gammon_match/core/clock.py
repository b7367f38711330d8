"""The clock of a match as arithmetic: what is spent, what a finished move changes, whose time is up.

A move lasts from where a seat's clock starts to where it stops. With a delay (DELAY, DAYS) the move's first time is
free and the rest is taken from the reserve; with FISCHER all of it is, and the end of a move adds to the reserve. The
reserve runs over the games of a match, a delay is not carried. All times in nanoseconds.
"""

from dataclasses import replace

from gammon_match.core.events import Standing
from gammon_match.core.table_events import ClockStamped
from gammon_match.core.terms import ClockKind, ClockTerms


def set_clock(terms: ClockTerms, seats: int) -> ClockStamped:
    """The clock before the first move."""
    return ClockStamped((terms.reserve_ns,) * seats, ())


def seats_to_decide(standing: Standing | None) -> tuple[int, ...]:
    """Whose own decision play waits for. Where any of several may throw, as for the opening, nobody's alone."""
    if standing is None or standing.over or (standing.draw is not None and len(standing.draw.seats) > 1):
        return ()
    return standing.seats_to_act


def spend(clock: ClockStamped, elapsed_ns: int) -> ClockStamped:
    """The clock some time later, the same seats running."""
    if not elapsed_ns or not clock.running:
        return clock
    reserves, delays = list(clock.reserves), list(clock.delays)
    for place, seat in enumerate(clock.running):
        free = min(delays[place], elapsed_ns) if delays else 0
        if delays:
            delays[place] -= free
        reserves[seat] = max(reserves[seat] - (elapsed_ns - free), 0)
    return replace(clock, reserves=tuple(reserves), delays=tuple(delays))


def time_left(clock: ClockStamped, seat: int) -> int | None:
    """What a running seat has left for its move, free time included; None: its clock does not run."""
    if seat not in clock.running:
        return None
    return clock.reserves[seat] + (clock.delays[clock.running.index(seat)] if clock.delays else 0)


def fallen(clock: ClockStamped) -> int | None:
    """The seat whose time is up; of several the lowest."""
    return min((seat for seat in clock.running if time_left(clock, seat) == 0), default=None)


def press(
    terms: ClockTerms,
    clock: ClockStamped,
    running: tuple[int, ...],
    *,
    mover: int | None = None,
    ends_moves: bool = False,
    lapsed: int | None = None,
    offered: bool = False,
) -> ClockStamped:
    """The clock when these seats are to decide next.

    `mover`: the seat that has acted. `ends_moves`: whether nobody's move goes on, as when a game has ended. `lapsed`:
    the seat that has lost by a lapse and plays on in a session: it gets its reserve anew. `offered`: whether an offer
    to end the game waits for answers. The moves that it interrupts go on with what was left of their delays, else
    offering and withdrawing would give it anew.
    """
    reserves = list(clock.reserves)
    if lapsed is not None:
        reserves[lapsed] = terms.reserve_ns
    if terms.kind is ClockKind.FISCHER:
        if mover in clock.running and (ends_moves or mover not in running):
            reserves[mover] += terms.per_move_ns
        return ClockStamped(tuple(reserves), running)
    going_on = {} if ends_moves else dict(zip(clock.running, clock.delays, strict=True))
    interrupted = {} if ends_moves else dict(clock.interrupted)
    if offered:
        interrupted = {seat: left for seat, left in going_on.items() if seat not in running} | interrupted
    else:
        going_on, interrupted = interrupted | going_on, {}
    delays = tuple(going_on.get(seat, terms.per_move_ns) for seat in running)
    return ClockStamped(tuple(reserves), running, delays, clock.store_ns, tuple(sorted(interrupted.items())))
