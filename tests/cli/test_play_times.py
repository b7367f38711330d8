"""Time at the table as a terminal tells it: counted down from what was told last, by hand-computed moments."""

import pytest
from google.protobuf.text_format import Parse

from gammon.match.v1 import events_pb2, settings_pb2
from gammon.match.v1 import match_service_pb2 as pb
from gammon_cli.play.clock import ClockName, WantedClock, read_span
from gammon_cli.play.time_told import agreed, clocks, footer, leaving_words, pause_words, time_rows
from gammon_cli.play.times import Times, after, times_of
from gammon_cli.play.wanted import Wanted

S = 1_000_000_000
NOW = 1000 * S
PLAYERS = {0: "anna", 1: "ben"}


def terms(clock: WantedClock, game: str = "backgammon", seats: int = 2) -> settings_pb2.MatchSettings:
    """What is agreed with such a clock."""
    settings = Wanted(game, seats, clock=clock).settings()
    assert isinstance(settings, settings_pb2.MatchSettings), settings
    return settings


DELAY = WantedClock(ClockName.DELAY, 60, 12)


def told(text: str, settings: settings_pb2.MatchSettings | None = None) -> Times:
    """What is known of a match that tells this, at NOW."""
    match = Parse(text, pb.Match())
    match.settings.CopyFrom(settings or terms(DELAY))
    return times_of(match, NOW)


def event(text: str) -> events_pb2.Envelope:
    """An event."""
    return Parse(text, events_pb2.Envelope())


RUNNING = "clock { reserves { seconds: 60 } reserves { seconds: 45 } running: 1 delays { seconds: 12 } }"


@pytest.mark.parametrize(
    ("later_s", "shown"),
    [
        (0, "X 1:00   > O 0:45 +0:12"),
        (5, "X 1:00   > O 0:45 +0:07"),
        (11.5, "X 1:00   > O 0:45 +0:01"),
        (12, "X 1:00   > O 0:45"),
        (20, "X 1:00   > O 0:37"),
        (57, "X 1:00   > O 0:00"),
        (1000, "X 1:00   > O 0:00"),
    ],
)
def test_a_delay_runs_before_the_reserve(later_s: float, shown: str) -> None:
    assert clocks(told(RUNNING), NOW + int(later_s * S)) == shown


def test_fischers_clock_has_no_delay_and_days_no_reserve() -> None:
    fischer = "clock { reserves { seconds: 60 } reserves { seconds: 45 } running: 0 }"
    assert clocks(told(fischer, terms(WantedClock(ClockName.FISCHER))), NOW + 3 * S) == "> X 0:57   O 0:45"
    days = "clock { reserves {} reserves {} running: 1 delays { seconds: 259200 } }"
    assert clocks(told(days, terms(WantedClock(ClockName.DAYS))), NOW + 3600 * S) == "X   > O 2d 23:00:00"


def test_each_batch_sets_the_clock_anew() -> None:
    times = told(RUNNING)
    stamp = event(
        "clock_stamped { reserves { seconds: 60 } reserves { seconds: 44 } running: 0 delays { seconds: 12 } }"
    )
    assert clocks(after(times, [stamp], NOW + 13 * S), NOW + 14 * S) == "> X 1:00 +0:11   O 0:44"


def test_in_a_pause_the_clock_stands_and_the_budget_runs() -> None:
    times = after(
        told(RUNNING), [event("match_paused { seat: 1 budgets { seconds: 300 } budgets { seconds: 90 } }")], NOW
    )
    assert footer(times, 0, NOW + 30 * S, PLAYERS, ()) == " X 1:00   O 0:45 +0:12   paused by O, 1:00 left"
    assert pause_words(times, 0) == "The match is paused by O, who alone ends that …"
    assert pause_words(times, 1) == "You have paused the match: resume goes on."
    gone_on = after(times, [event("match_resumed {}")], NOW + 40 * S)
    assert pause_words(gone_on, 1) == ""
    by_director = after(times, [event("match_paused { reason: DIRECTOR_REASON_TECHNICAL }")], NOW)
    assert footer(by_director, 0, NOW, PLAYERS, ()).endswith("   paused by the director")
    assert pause_words(by_director, 0) == "The match is paused by the director, who alone ends that …"
    of_all = after(times, [event("match_paused { mutual: true }")], NOW)
    assert pause_words(of_all, 0) == "The match is paused, as all wanted: resume goes on."


def test_a_pause_that_was_there_before_is_known() -> None:
    times = told(RUNNING + " pause { seat: 0 budgets { seconds: 9 } budgets {} }")
    assert footer(times, 1, NOW + 4 * S, PLAYERS, ()) == " X 1:00   O 0:45 +0:12   paused by X, 0:05 left"


def test_who_is_away_may_be_claimed_when_the_time_has_passed() -> None:
    times = after(told(RUNNING), [event("absence_timed { seat: 1 change: ABSENCE_CHANGE_STARTED }")], NOW)
    assert footer(times, 0, NOW + 20 * S, PLAYERS, {1}) == " X 1:00   > O 0:37 gone   O away: claim in 2:40"
    assert footer(times, 0, NOW + 180 * S, PLAYERS, {1}).endswith("   O is late: claim")
    assert "claim" not in footer(times, 1, NOW + 180 * S, PLAYERS, ())
    back = after(times, [event("absence_timed { seat: 1 change: ABSENCE_CHANGE_STOPPED }")], NOW)
    assert "claim" not in footer(back, 0, NOW + 180 * S, PLAYERS, ())
    known = told("absences { seat: 1 remaining { seconds: 7 } }")
    assert footer(known, 0, NOW, PLAYERS, ()) == " X anna   O ben   O away: claim in 0:07"


def test_a_flag_that_must_be_claimed_says_so_and_one_that_falls_does_not() -> None:
    days = "clock { reserves {} reserves {} running: 1 delays { seconds: 60 } }"
    times = told(days, terms(WantedClock(ClockName.DAYS)))
    assert footer(times, 0, NOW + 59 * S, PLAYERS, ()) == " X   > O 0:01"
    assert footer(times, 0, NOW + 60 * S, PLAYERS, ()) == " X   > O 0:00   O is late: claim"
    assert "claim" not in footer(told(RUNNING), 0, NOW + 60 * S, PLAYERS, ())


def test_without_a_clock_the_footer_says_who_is_who_in_80_columns() -> None:
    four = terms(WantedClock(), "trackgammon", 4)
    times = told("pause_asked_by: 2", four)
    players = {0: "anna", 1: "ben", 2: "a-very-long-reference-of-a-player", 3: ""}
    line = footer(times, 0, NOW, players, {1})
    assert line == " X anna   O ben gone   Y a-very-long-   Z open   Y for a pause"
    longest = footer(times, 0, NOW, dict.fromkeys(range(4), "x" * 99), {1, 2, 3})
    assert len(longest) < 80
    assert "\x1b" not in footer(times, 0, NOW, {0: "\x1b[2J"}, ())


def test_who_asks_for_a_pause_is_known_until_it_is_withdrawn_or_begins() -> None:
    asked = event("pause_asked { seat: 0 }")
    times = after(told(""), [asked], NOW)
    assert times.asking == (0,)
    assert after(times, [event("pause_asked { seat: 0 withdrawn: true }")], NOW).asking == ()
    assert after(times, [event("player_replaced { seat: 0 }")], NOW).asking == ()
    assert after(times, [event("pause_asked { seat: 1 }"), event("match_paused { mutual: true }")], NOW).asking == ()


@pytest.mark.parametrize(
    ("clock", "words"),
    [
        (WantedClock(), ""),
        (DELAY, "Clock: 0:12 for each move, and 1:00 in all beyond that; whose time is up loses."),
        (
            WantedClock(ClockName.FISCHER, per_move_s=8),
            "Clock: 6:00, and 0:08 more with each move; whose time is up loses.",
        ),
        (WantedClock(ClockName.DAYS), "Clock: 3d for each move; another seat may claim that your time is up."),
    ],
)
def test_what_is_agreed_is_said_and_what_is_not_said_is_usual(clock: WantedClock, words: str) -> None:
    assert agreed(terms(clock)) == words


def test_what_can_be_said_of_time_depends_on_what_is_agreed() -> None:
    plain, timed = terms(WantedClock()), terms(DELAY)
    assert [typed for typed, _ in time_rows(plain)] == ["pause"]
    assert [typed for typed, _ in time_rows(timed)] == ["pause", "claim"]
    assert "5:00" in time_rows(timed)[0][1]
    assert (leaving_words(plain), leaving_words(timed)) == ("the match stays as it is", "the clocks run on")


@pytest.mark.parametrize(
    ("text", "seconds"), [("90", 90), ("12s", 12), ("10m", 600), ("1h30m", 5400), ("3D", 259_200), ("2m5", 125)]
)
def test_spans_of_time_are_read(text: str, seconds: int) -> None:
    assert read_span(text) == seconds


@pytest.mark.parametrize("text", ["", "0", "-5s", "10 m", "ten", "m", "1.5h", "400d", "5w"])
def test_other_spans_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"span of time|at most a year"):
        read_span(text)
