"""Stored bytes of the events around the play: the contract's messages to and from this service's values."""

from collections.abc import Iterable
from typing import assert_never

from google.protobuf.duration_pb2 import Duration

from gammon.match.v1 import events_pb2 as pb
from gammon.match.v1 import settings_pb2
from gammon_match.core.table_events import (
    AbsenceChange,
    AbsenceTimed,
    ActedBySystem,
    ClockStamped,
    DirectorReason,
    DirectorRuled,
    FlagFell,
    MatchPaused,
    MatchResumed,
    PauseAsked,
    PlayerReplaced,
    Preferences,
    PreferencesSet,
    SystemReason,
    TableEvent,
    TakeBackAnswered,
    TakeBackProposed,
    TakenBack,
)

NS = 1_000_000_000


def put_table_event(message: pb.Envelope, event: TableEvent) -> None:
    """Writes an event into its envelope."""
    match event:
        case DirectorRuled(reason):
            message.director_ruled.reason = pb.DirectorReason.ValueType(reason)
        case TakenBack(to_sequence, reason, by_consent):
            back = message.taken_back
            back.to_sequence, back.by_consent = to_sequence, by_consent
            back.reason = pb.DirectorReason.ValueType(reason or 0)
        case TakeBackProposed(seat, to_sequence):
            proposed = message.take_back_proposed
            proposed.seat, proposed.to_sequence = seat, to_sequence
        case TakeBackAnswered(seat, accepted):
            message.take_back_answered.SetInParent()
            answered = message.take_back_answered
            answered.seat, answered.accepted = seat, accepted
        case PlayerReplaced(seat, player, public_key, reason):
            replaced = message.player_replaced
            replaced.seat, replaced.player, replaced.public_key = seat, player, public_key
            replaced.reason = pb.DirectorReason.ValueType(reason)
        case MatchPaused():
            put_pause(message.match_paused, event)
        case MatchResumed(budgets, reason):
            message.match_resumed.SetInParent()
            message.match_resumed.budgets.extend(map(duration, budgets))
            message.match_resumed.reason = pb.DirectorReason.ValueType(reason or 0)
        case PauseAsked(seat, withdrawn):
            message.pause_asked.SetInParent()
            message.pause_asked.seat, message.pause_asked.withdrawn = seat, withdrawn
        case PreferencesSet(seat, preferences):
            message.preferences_set.seat = seat
            put_preferences(message.preferences_set.preferences, preferences)
        case ClockStamped():
            put_clock(message.clock_stamped, event)
        case FlagFell(seat, claimed_by):
            message.flag_fell.seat = seat
            if claimed_by is not None:
                message.flag_fell.claimed_by = claimed_by
        case AbsenceTimed(seat, change, claimed_by):
            timed = message.absence_timed
            timed.seat, timed.change = seat, pb.AbsenceChange.ValueType(change)
            if claimed_by is not None:
                timed.claimed_by = claimed_by
        case ActedBySystem(seat, reason):
            message.acted_by_system.seat = seat
            message.acted_by_system.reason = pb.SystemReason.ValueType(reason)
        case _:
            assert_never(event)


def table_event(message: pb.Envelope) -> TableEvent | None:
    """The event of an envelope; None: it is none of these. Raises ValueError on a value that is not known."""
    match message.WhichOneof("event"):
        case "director_ruled":
            return DirectorRuled(DirectorReason(message.director_ruled.reason))
        case "taken_back":
            back = message.taken_back
            return TakenBack(back.to_sequence, _reason(back.reason), back.by_consent)
        case "take_back_proposed":
            return TakeBackProposed(message.take_back_proposed.seat, message.take_back_proposed.to_sequence)
        case "take_back_answered":
            return TakeBackAnswered(message.take_back_answered.seat, message.take_back_answered.accepted)
        case "player_replaced":
            replaced = message.player_replaced
            return PlayerReplaced(replaced.seat, replaced.player, replaced.public_key, DirectorReason(replaced.reason))
        case "match_paused":
            return pause_of(message.match_paused)
        case "match_resumed":
            return MatchResumed(all_ns(message.match_resumed.budgets), _reason(message.match_resumed.reason))
        case "pause_asked":
            return PauseAsked(message.pause_asked.seat, message.pause_asked.withdrawn)
        case "preferences_set":
            return PreferencesSet(message.preferences_set.seat, preferences_of(message.preferences_set.preferences))
        case "clock_stamped":
            return clock_of(message.clock_stamped)
        case "flag_fell":
            fell = message.flag_fell
            return FlagFell(fell.seat, fell.claimed_by if fell.HasField("claimed_by") else None)
        case "absence_timed":
            timed = message.absence_timed
            claimed_by = timed.claimed_by if timed.HasField("claimed_by") else None
            return AbsenceTimed(timed.seat, AbsenceChange(timed.change), claimed_by)
        case "acted_by_system":
            return ActedBySystem(message.acted_by_system.seat, SystemReason(message.acted_by_system.reason))
        case _:
            return None


def put_pause(message: pb.MatchPaused, pause: MatchPaused) -> None:
    """Writes a pause."""
    message.SetInParent()
    message.reason, message.mutual = pb.DirectorReason.ValueType(pause.reason or 0), pause.mutual
    if pause.seat is not None:
        message.seat = pause.seat
    message.budgets.extend(map(duration, pause.budgets))


def pause_of(message: pb.MatchPaused) -> MatchPaused:
    """A pause. Raises ValueError on a reason that is not known."""
    seat = message.seat if message.HasField("seat") else None
    return MatchPaused(_reason(message.reason), seat, message.mutual, all_ns(message.budgets))


def put_clock(message: pb.ClockStamped, clock: ClockStamped) -> None:
    """Writes a clock."""
    message.SetInParent()
    message.reserves.extend(map(duration, clock.reserves))
    message.running.extend(clock.running)
    message.delays.extend(map(duration, clock.delays))
    message.interrupted.extend(seat for seat, _ in clock.interrupted)
    message.interrupted_delays.extend(duration(left) for _, left in clock.interrupted)
    if clock.store_ns:
        message.store_time.seconds, message.store_time.nanos = divmod(clock.store_ns, NS)


def clock_of(message: pb.ClockStamped) -> ClockStamped:
    """A clock. Raises ValueError on interrupted moves that are not told as pairs."""
    store_ns = message.store_time.seconds * NS + message.store_time.nanos
    interrupted = zip(message.interrupted, all_ns(message.interrupted_delays), strict=True)
    return ClockStamped(
        all_ns(message.reserves), tuple(message.running), all_ns(message.delays), store_ns, tuple(interrupted)
    )


def put_preferences(message: settings_pb2.SeatPreferences, preferences: Preferences) -> None:
    """Writes preferences."""
    message.SetInParent()
    message.roll_without_choice = preferences.roll_without_choice
    message.play_forced = preferences.play_forced


def preferences_of(message: settings_pb2.SeatPreferences) -> Preferences:
    """Preferences; of an absent message: none."""
    return Preferences(message.roll_without_choice, message.play_forced)


def duration(ns: int) -> Duration:
    """Nanoseconds as a duration, not negative."""
    return Duration(seconds=ns // NS, nanos=ns % NS)


def nanoseconds(message: Duration) -> int:
    """A duration in nanoseconds."""
    return message.seconds * NS + message.nanos


def all_ns(messages: Iterable[Duration]) -> tuple[int, ...]:
    """Durations in nanoseconds."""
    return tuple(map(nanoseconds, messages))


def _reason(value: int) -> DirectorReason | None:
    return DirectorReason(value) if value else None
