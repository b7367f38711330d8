"""What happens at the table beside play, in plain words: who sits down, what time does, pauses, take-backs."""

from gammon.match.v1 import events_pb2, settings_pb2
from gammon_audit.time_words import left_words

REASONS = {
    events_pb2.DIRECTOR_REASON_REQUEST: "at a player's request",
    events_pb2.DIRECTOR_REASON_TECHNICAL: "after a technical fault",
    events_pb2.DIRECTOR_REASON_CORRECTION: "to put right what was wrong",
    events_pb2.DIRECTOR_REASON_PENALTY: "as a penalty",
    events_pb2.DIRECTOR_REASON_ABSENCE: "because a player is absent",
}

BY_ITSELF = {
    events_pb2.SYSTEM_REASON_NO_DOUBLE: "no double is possible",
    events_pb2.SYSTEM_REASON_FORCED: "there is one play",
}


def table_words(envelope: events_pb2.Envelope) -> str:
    """What an event beside play tells; empty if it is of another kind, or another beside it says it."""
    match envelope.WhichOneof("event"):
        case "match_created":
            return "the match is created"
        case "seat_taken":
            return f"{plain(envelope.seat_taken.player)} takes seat {envelope.seat_taken.seat}"
        case "match_started":
            return "the match starts"
        case "player_replaced":
            new = envelope.player_replaced
            return f"{plain(new.player)} takes over seat {new.seat} {REASONS.get(new.reason, '')}".rstrip()
        case "match_paused":
            return _pause_words(envelope.match_paused)
        case "match_resumed":
            return _resume_words(envelope)
        case "pause_asked":
            return "asks for a pause" if not envelope.pause_asked.withdrawn else "no longer asks for a pause"
        case "flag_fell":
            fell = envelope.flag_fell
            return ("claims that " if fell.HasField("claimed_by") else "") + f"seat {fell.seat} is out of time"
        case "absence_timed":
            return _absence_words(envelope.absence_timed)
        case "taken_back":
            back = envelope.taken_back
            why = "by consent" if back.by_consent else REASONS.get(back.reason, "")
            return f"the match goes back to event {back.to_sequence} {why}".rstrip()
        case "take_back_proposed":
            return f"proposes to go back to event {envelope.take_back_proposed.to_sequence}"
        case "take_back_answered":
            return "consents to go back" if envelope.take_back_answered.accepted else "does not go back"
        case "preferences_set":
            return _preference_words(envelope.preferences_set.preferences)
        case "acted_by_system":
            return f"by the service, as {BY_ITSELF.get(envelope.acted_by_system.reason, 'the seat lets it')}"
        case "store_rewound":
            return f"the store had lost events up to {envelope.store_rewound.lost_sequence}"
        case "match_closed":
            return "the match is closed"
    return ""


def plain(text: str) -> str:
    """Text from outside as a terminal may show it."""
    return text if text.isprintable() else ascii(text)


def _pause_words(paused: events_pb2.MatchPaused) -> str:
    if paused.HasField("seat"):
        left = [budget.ToNanoseconds() for budget in paused.budgets]
        told = f", with {left_words(left[paused.seat])} left for that" if paused.seat < len(left) else ""
        return f"pauses the match{told}"
    if paused.mutual:
        return "the match is paused, as all want it"
    return f"the director pauses the match {REASONS.get(paused.reason, '')}".rstrip()


def _resume_words(envelope: events_pb2.Envelope) -> str:
    match envelope.actor.WhichOneof("kind"):
        case "seat":
            return "ends the pause"
        case "system":
            return "the pause is used up; the match goes on"
    return f"the director ends the pause {REASONS.get(envelope.match_resumed.reason, '')}".rstrip()


def _absence_words(timed: events_pb2.AbsenceTimed) -> str:
    match timed.change:
        case events_pb2.ABSENCE_CHANGE_STARTED:
            return f"seat {timed.seat} is away, and play waits for it"
        case events_pb2.ABSENCE_CHANGE_STOPPED:
            return f"the absence of seat {timed.seat} counts no more"
    return f"claims that seat {timed.seat} has been away too long"


def _preference_words(preferences: settings_pb2.SeatPreferences) -> str:
    lets = [
        what
        for what, wanted in (
            ("roll where no double is possible", preferences.roll_without_choice),
            ("make forced plays", preferences.play_forced),
        )
        if wanted
    ]
    return "lets the service " + " and ".join(lets) if lets else "lets the service do nothing"
