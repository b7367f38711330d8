"""Clocks, pauses and who is away, in words for the seat that looks."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from gammon.match.v1 import settings_pb2
from gammon_audit.table_words import plain
from gammon_audit.time_words import left_words
from gammon_cli.play.times import Times
from gammon_drawing.marks import LETTERS

# The last column stays free: a terminal may go to the next line behind it.
WIDTH, NAME_WIDTH = 79, 12


def agreed(settings: settings_pb2.MatchSettings) -> str:
    """What clock was agreed on; empty: none."""
    clock = settings.clock
    reserve, per_move = (_span(span.ToNanoseconds()) for span in (clock.reserve, clock.per_move))
    match clock.kind:
        case settings_pb2.CLOCK_KIND_DELAY:
            told = f"{per_move} for each move, and {reserve} in all beyond that"
        case settings_pb2.CLOCK_KIND_FISCHER:
            told = f"{reserve}, and {per_move} more with each move"
        case settings_pb2.CLOCK_KIND_DAYS:
            told = f"{per_move} for each move" + (
                f", and {reserve} in all beyond that" if clock.reserve.ToNanoseconds() else ""
            )
        case _:
            return ""
    ends = "another seat may claim that your time is up" if clock.claimed else "whose time is up loses"
    return f"Clock: {told}; {ends}."


def clocks(times: Times, now_ns: int) -> str:
    """What each seat has left, `>` before those whose clock runs, behind `+` what is left of the delay of a move."""
    return "   ".join(_clock(times, seat, now_ns) for seat in range(times.terms.rules.seats))


def footer(times: Times, looking: int, now_ns: int, players: Mapping[int, str], gone: Collection[int]) -> str:
    """One line below the board: the clocks, or who is who; who is gone, the pause, and what may be claimed."""
    seats = []
    for seat in range(times.terms.rules.seats):
        told = _clock(times, seat, now_ns) if times.clock is not None else _player(seat, players.get(seat, ""))
        seats.append(f"{told} gone" if seat in gone else told)
    return (" " + "   ".join([*seats, *_notes(times, looking, now_ns)]))[:WIDTH]


def pause_words(times: Times, looking: int) -> str:
    """Why nothing can be played, and what to do about it; empty where there is no pause."""
    halt = times.halt
    if halt is None:
        return ""
    if halt.is_ended_by(looking):
        whose = "You have paused the match" if halt.seat == looking else "The match is paused, as all wanted"
        return f"{whose}: resume goes on."
    by = "the director" if halt.seat is None else LETTERS[halt.seat]
    return f"The match is paused by {by}, who alone ends that …"


def time_rows(terms: settings_pb2.MatchSettings) -> list[tuple[str, str]]:
    """What can be said of time: what to type, and what it does."""
    budget = terms.absence.pause_budget.ToNanoseconds()
    at_once = f"a pause, up to {left_words(budget)} of the match; resume ends it"
    rows = [("pause", at_once if budget else "asks for a pause, which begins when all ask; resume ends it")]
    if is_timed(terms) or terms.absence.HasField("abandonment"):
        rows.append(("claim", "claim that another is out of time, or has been away too long"))
    return rows


def leaving_words(terms: settings_pb2.MatchSettings) -> str:
    """What becomes of the match when somebody leaves the terminal."""
    return "the clocks run on" if is_timed(terms) else "the match stays as it is"


def is_timed(terms: settings_pb2.MatchSettings) -> bool:
    """Whether there is a clock."""
    return terms.clock.kind > settings_pb2.CLOCK_KIND_NONE


def _clock(times: Times, seat: int, now_ns: int) -> str:
    assert times.clock is not None, "asked of a match with a clock"
    reserve, delay = times.left(seat, now_ns)
    runs = "> " if times.halt is None and seat in times.clock.running else ""
    told = f"{runs}{LETTERS[seat]}"
    if not times.terms.clock.reserve.ToNanoseconds():
        # All there is to a move is its own time.
        return f"{told} {left_words(delay)}" if seat in times.clock.running else told
    return f"{told} {left_words(reserve)}" + (f" +{left_words(delay)}" if delay else "")


def _player(seat: int, player: str) -> str:
    return f"{LETTERS[seat]} {plain(player)[:NAME_WIDTH] or 'open'}"


def _notes(times: Times, looking: int, now_ns: int) -> Iterator[str]:
    halt = times.halt
    if halt is not None:
        by = "all" if halt.mutual else "the director" if halt.seat is None else LETTERS[halt.seat]
        yield f"paused by {by}" + (f", {left_words(halt.ends_ns - now_ns)} left" if halt.ends_ns is not None else "")
        return
    for seat in range(times.terms.rules.seats):
        if seat == looking:
            continue
        if times.is_late(seat, now_ns):
            yield f"{LETTERS[seat]} is late: claim"
        elif seat in times.claimable_ns:
            yield f"{LETTERS[seat]} away: claim in {left_words(times.claimable_ns[seat] - now_ns)}"
    if times.asking:
        yield f"{' '.join(LETTERS[seat] for seat in times.asking)} for a pause"


def _span(ns: int) -> str:
    return left_words(ns).removesuffix(" 00:00:00")
